package columnar_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// ided is a nullable column with a field id; a negative one is written as files without ids have it.
func ided(id int, name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true, Metadata: arrow.MetadataFrom(map[string]string{"PARQUET:field_id": fmt.Sprint(id)})}
}

// bare is a nullable column without a field id.
func bare(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

var (
	i8, i16, i32, i64 = arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64
	txt               = arrow.BinaryTypes.String
)

func schemaOf(fields ...arrow.Field) *arrow.Schema { return arrow.NewSchema(fields, nil) }

// TestMatch says for every column of the table which one of the file it is.
func TestMatch(t *testing.T) {
	id, name := columnar.MatchFieldID, columnar.MatchName
	for _, c := range []struct {
		what        string
		by          columnar.MatchBy
		file, table *arrow.Schema
		want        []int
	}{
		{"the same", id, schemaOf(ided(0, "a", i32), ided(1, "b", txt)), schemaOf(ided(0, "a", i32), ided(1, "b", txt)), []int{0, 1}},
		{"reordered, renamed, added, dropped", id, schemaOf(ided(0, "a", i32), ided(1, "b", txt), ided(2, "c", i64)),
			schemaOf(ided(2, "c2", i64), ided(7, "new", txt), ided(0, "a", i32)), []int{2, -1, 0}},
		{"two names swapped", id, schemaOf(ided(0, "a", i32), ided(1, "b", i32)), schemaOf(ided(1, "a", i32), ided(0, "b", i32)), []int{1, 0}},
		{"a name used again", id, schemaOf(ided(0, "a", i32)), schemaOf(ided(5, "a", i32)), []int{-1}},
		{"a name used again, of another type", id, schemaOf(ided(0, "a", txt)), schemaOf(ided(5, "a", i32)), []int{-1}},
		{"by name whatever the ids", name, schemaOf(ided(0, "a", i32)), schemaOf(ided(5, "a", i32), ided(0, "b", i32)), []int{0, -1}},
		{"by name, case counts", name, schemaOf(bare("a", i32)), schemaOf(bare("A", i32)), []int{-1}},
		{"a file without ids", id, schemaOf(bare("b", i32), ided(-1, "a", i32)), schemaOf(ided(0, "a", i32), ided(1, "b", i32)), []int{1, 0}},
		{"a table without ids", id, schemaOf(ided(1, "b", i32), ided(0, "a", i32)), schemaOf(bare("a", i32), bare("b", i32)), []int{1, 0}},
		{"ids before names", id, schemaOf(ided(1, "a", i32)), schemaOf(bare("a", i32), ided(1, "b", i32)), []int{-1, 0}},
		{"some of the file without ids", id, schemaOf(ided(1, "x", i32), bare("a", i32)), schemaOf(ided(1, "y", i32), ided(2, "a", i32)), []int{0, 1}},
		{"an id that is no number", id, schemaOf(bare("a", i32)), schemaOf(arrow.Field{Name: "a", Type: i32,
			Metadata: arrow.MetadataFrom(map[string]string{"PARQUET:field_id": "x"})}), []int{0}},
		{"no columns", id, schemaOf(), schemaOf(), []int{}},
	} {
		t.Run(c.what, func(t *testing.T) {
			m, err := columnar.NewMapping(c.file, c.table, c.by)
			if err != nil {
				t.Fatal(err)
			}
			got := []int{}
			for i := range c.want {
				got = append(got, m.Column(i).Source())
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestMatchErrors(t *testing.T) {
	id, name := columnar.MatchFieldID, columnar.MatchName
	lengths := func(declared string) arrow.Metadata {
		return arrow.MetadataFrom(map[string]string{"paimon.type": declared})
	}
	row := func(fields ...arrow.Field) arrow.Field { return ided(9, "r", arrow.StructOf(fields...)) }
	for _, c := range []struct {
		by          columnar.MatchBy
		file, table *arrow.Schema
		want        string
	}{
		{id, schemaOf(ided(0, "a", i32), ided(0, "b", i32)), schemaOf(ided(0, "a", i32)), `"a" and "b" of the file both have field id 0`},
		{id, schemaOf(ided(0, "a", i32)), schemaOf(ided(0, "a", i32), ided(0, "b", i32)), `"a" and "b" both have field id 0`},
		{name, schemaOf(bare("a", i32), bare("a", i32)), schemaOf(bare("a", i32)), `two columns of the file have the name "a"`},
		{id, schemaOf(row(ided(1, "x", i32), ided(1, "y", i32))), schemaOf(row(ided(2, "z", i32))), `"r.x" and "r.y" of the file both have field id 1`},
		{id, schemaOf(row(ided(1, "x", i64))), schemaOf(row(ided(1, "z", i32))), `column "r.z": int64 of the file cannot become int32`},
		{id, schemaOf(ided(1, "l", arrow.ListOf(txt))), schemaOf(ided(1, "l", arrow.ListOf(i32))), `column "l.element": utf8 of the file cannot become int32`},
		{id, schemaOf(ided(1, "m", arrow.MapOf(txt, i64))), schemaOf(ided(1, "m", arrow.MapOf(txt, i8))), `column "m.value": int64 of the file cannot become int8`},
		{id, schemaOf(ided(1, "m", arrow.MapOf(i32, i8))), schemaOf(ided(1, "m", arrow.MapOf(i64, i8))), `column "m.key": int32 of the file cannot become int64`},
		{id, schemaOf(ided(1, "m", arrow.MapOfWithMetadata(txt, lengths("VARCHAR(5)"), i8, arrow.Metadata{}))),
			schemaOf(ided(1, "m", arrow.MapOfWithMetadata(txt, lengths("VARCHAR(3)"), i8, arrow.Metadata{}))), `column "m.key": utf8 (VARCHAR(5)) of the file cannot become utf8 (VARCHAR(3))`},
		{id, schemaOf(row()), schemaOf(ided(9, "r", i32)), `column "r"`},
		{id, schemaOf(ided(9, "r", arrow.FixedSizeListOf(2, i32))), schemaOf(ided(9, "r", arrow.FixedSizeListOf(3, i32))), `column "r"`},
		{id, schemaOf(ided(9, "r", arrow.FixedSizeListOf(2, i32))), schemaOf(ided(9, "r", arrow.ListOf(i32))), `column "r"`},
		{id, schemaOf(ided(0, "a", i32), bare("_VALUE_KIND", i32)), schemaOf(ided(0, "a", i32)), `column "_VALUE_KIND": int32 of the file cannot become int8`},
		{id, schemaOf(ided(0, "a", i32), bare("_KEY_a", txt)), schemaOf(ided(0, "a", i32)), `column "_KEY_a": utf8 of the file cannot become int32`},
		{id, schemaOf(), schemaOf(ided(0, "a", arrow.DenseUnionOf([]arrow.Field{bare("x", i32)}, []arrow.UnionTypeCode{0}))), `column "a"`},
	} {
		_, err := columnar.NewMapping(c.file, c.table, c.by)
		if !errors.Is(err, columnar.ErrSchema) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestSystemColumns finds key columns by id and by name, and the two others by name.
func TestSystemColumns(t *testing.T) {
	file := schemaOf(ided(1073741823+4, "_KEY_id", i32), bare("_KEY_day", i32), ided(2147483646, "_SEQUENCE_NUMBER", i64),
		ided(2147483645, "_VALUE_KIND", i8), ided(4, "id", i32), ided(5, "day", i32))
	table := schemaOf(ided(4, "key_id", i64), ided(5, "day", i32), ided(6, "id", i32))
	m, err := columnar.NewMapping(file, table, columnar.MatchFieldID)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Key("key_id"); got == nil || got.Source() != 0 {
		t.Errorf("key_id comes from %v, want column 0", got)
	}
	if got := m.Key("day"); got == nil || got.Source() != 1 {
		t.Errorf("day comes from %v, want column 1", got)
	}
	if got := m.Key("id"); got != nil {
		t.Errorf("the new id has the key column of the old one: %v", got)
	}
	if m.Sequence().Source() != 2 || m.Kind().Source() != 3 {
		t.Errorf("sequence and kind come from %v, %v", m.Sequence(), m.Kind())
	}
	if got := fmt.Sprint(m.Sources()); got != "[0 1 2 3 4 5]" {
		t.Errorf("sources are %s", got)
	}
	thin, err := columnar.NewMapping(schemaOf(ided(4, "id", i32)), table, columnar.MatchFieldID)
	if err != nil {
		t.Fatal(err)
	}
	if thin.Key("key_id") != nil || thin.Sequence() != nil || thin.Kind() != nil {
		t.Error("a file without system columns has some")
	}
	named, err := columnar.NewMapping(file, table, columnar.MatchName)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(named.String(), "by name") {
		t.Errorf("got %s", named)
	}
	if named.Key("key_id") != nil || named.Key("id").Source() != 0 {
		t.Error("by name, _KEY_id is the key column of id")
	}
}

// TestUnchanged hands the file's own arrays on, and only labels what is named differently.
func TestUnchanged(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	inside := func(name string) arrow.DataType { return arrow.ListOf(arrow.StructOf(ided(7, name, i32))) }
	file := schemaOf(ided(0, "a", i32), ided(1, "r", inside("x")))
	table := schemaOf(ided(0, "b", i32), ided(1, "r", inside("y")), ided(2, "c", txt))
	m, err := columnar.NewMapping(file, table, columnar.MatchFieldID)
	if err != nil {
		t.Fatal(err)
	}
	record, _, err := array.RecordFromJSON(mem, file, strings.NewReader(`[{"a": 1, "r": [{"x": 1}]}, {"a": 2, "r": null}, {"a": 3, "r": [{"x": null}, null]}]`))
	if err != nil {
		t.Fatal(err)
	}
	defer record.Release()
	slice := record.NewSlice(1, 3)
	defer slice.Release()
	before := mem.CurrentAlloc()
	a, r := apply(t, m.Column(0), slice, mem), apply(t, m.Column(1), slice, mem)
	defer a.Release()
	defer r.Release()
	if mem.CurrentAlloc() != before {
		t.Error("something was copied")
	}
	if !m.Column(0).Unchanged() || m.Column(1).Unchanged() || a.Data() != slice.Column(0).Data() {
		t.Error("column a is not the file's own")
	}
	if !arrow.TypeEqual(r.DataType(), table.Field(1).Type, arrow.CheckMetadata()) {
		t.Errorf("got type %s", r.DataType())
	}
	if text := r.ValueStr(0) + r.ValueStr(1); text != `(null)[{"y":null},null]` {
		t.Errorf("got %s", text)
	}
	c := apply(t, m.Column(2), slice, mem)
	defer c.Release()
	if show(c) != "NULL|NULL" || c.NullN() != 2 {
		t.Errorf("the added column is %s", show(c))
	}
}

// apply makes a column of a batch.
func apply(t testing.TB, c *columnar.Column, file arrow.Record, mem memory.Allocator) arrow.Array {
	t.Helper()
	data, err := c.Apply(file, mem)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Release()
	return array.MakeFromData(data)
}

// TestOtherBatch refuses batches that are not of the file.
func TestOtherBatch(t *testing.T) {
	m, err := columnar.NewMapping(schemaOf(bare("a", i32), bare("b", i32)), schemaOf(bare("b", i64)), columnar.MatchName)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []*arrow.Schema{schemaOf(bare("b", i32)), schemaOf(bare("a", i32), bare("b", txt))} {
		record, _, err := array.RecordFromJSON(memory.DefaultAllocator, file, strings.NewReader(`[]`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Column(0).Apply(record, memory.DefaultAllocator); !errors.Is(err, columnar.ErrSchema) || !strings.Contains(err.Error(), `"b"`) {
			t.Errorf("got %v", err)
		}
	}
}

// TestCorruptBatch finds offsets that leave the values.
func TestCorruptBatch(t *testing.T) {
	file, table := schemaOf(bare("a", txt)), schemaOf(bare("a", arrow.BinaryTypes.LargeString))
	m, err := columnar.NewMapping(file, table, columnar.MatchName)
	if err != nil {
		t.Fatal(err)
	}
	forged := array.NewData(txt, 1, []*memory.Buffer{nil, memory.NewBufferBytes([]byte{0, 0, 0, 0, 1, 0, 0, 0}), memory.NewBufferBytes([]byte("x"))}, nil, 0, 0)
	a := array.MakeFromData(forged)
	record := array.NewRecord(file, []arrow.Array{a}, 1)
	forged.Buffers()[1].Bytes()[4] = 2
	if _, err := m.Column(0).Apply(record, memory.DefaultAllocator); !errors.Is(err, columnar.ErrCorrupt) || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("got %v", err)
	}
}

// TestTooWide refuses what 32-bit offsets cannot count. The bytes and items are never looked at.
func TestTooWide(t *testing.T) {
	offsets := memory.NewBufferBytes([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0}) // 0 and 2^31
	bytes := memory.NewBufferBytes(make([]byte, 1<<31))
	items := array.NewNull(1 << 31)
	largeNulls, nulls := arrow.LargeListOf(arrow.Null), arrow.ListOf(arrow.Null)
	wide := &arrow.FixedSizeBinaryType{ByteWidth: 1 << 31}
	for _, c := range []struct {
		data arrow.ArrayData
		to   arrow.DataType
	}{
		{array.NewData(arrow.BinaryTypes.LargeString, 1, []*memory.Buffer{nil, offsets, bytes}, nil, 0, 0), txt},
		{array.NewData(wide, 1, []*memory.Buffer{nil, bytes}, nil, 0, 0), arrow.BinaryTypes.Binary},
		{array.NewData(largeNulls, 1, []*memory.Buffer{nil, offsets}, []arrow.ArrayData{items.Data()}, 0, 0), nulls},
	} {
		a := array.MakeFromData(c.data)
		if _, err := mapColumn(memory.DefaultAllocator, bare("v", a.DataType()), bare("v", c.to), a); !errors.Is(err, columnar.ErrTooLarge) {
			t.Errorf("%s to %s: got %v", a.DataType(), c.to, err)
		}
	}
}

// TestAllocations asks for memory by the batch, not by the row.
func TestAllocations(t *testing.T) {
	for _, pair := range [][2]string{{"int32", "int64"}, {"int64", "decimal(38,10)"}, {"decimal(38,10)", "float64"}, {"date", "utf8"}, {"ts[us]", "utf8"}, {"utf8", "large_utf8"}} {
		counts := [2]float64{}
		for i, rows := range []int{1000, 16000} {
			from, to := field(t, pair[0]), field(t, pair[1])
			b := array.NewBuilder(memory.DefaultAllocator, from.Type)
			for range rows {
				b.AppendEmptyValue()
			}
			a := b.NewArray()
			file := schemaOf(from)
			record := array.NewRecord(file, []arrow.Array{a}, int64(rows))
			m, err := columnar.NewMapping(file, schemaOf(to), columnar.MatchName)
			if err != nil {
				t.Fatal(err)
			}
			counts[i] = testing.AllocsPerRun(5, func() {
				data, err := m.Column(0).Apply(record, memory.DefaultAllocator)
				if err != nil {
					t.Fatal(err)
				}
				data.Release()
			})
		}
		if counts[1] > counts[0]+10 {
			t.Errorf("%s to %s: %v allocations for 1000 rows, %v for 16000", pair[0], pair[1], counts[0], counts[1])
		}
	}
}
