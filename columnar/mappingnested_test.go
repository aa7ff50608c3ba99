package columnar_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// evolution draws a type of a file and what a table makes of it.
type evolution struct {
	rng *rand.Rand
	id  int
}

// field draws a column or field of the file and the one of the table with its id.
func (e *evolution) field(depth int) (file, table arrow.Field) {
	e.id++
	from, to := e.types(depth)
	file, table = ided(e.id, fmt.Sprint("f", e.id), from), ided(e.id, fmt.Sprint("f", e.id), to)
	if e.rng.IntN(3) == 0 {
		table.Name = fmt.Sprint("t", e.id)
	}
	return file, table
}

func (e *evolution) types(depth int) (file, table arrow.DataType) {
	choice := e.rng.IntN(9)
	if depth == 0 {
		choice = e.rng.IntN(4)
	}
	switch choice {
	case 0:
		return i32, []arrow.DataType{i32, i64, txt}[e.rng.IntN(3)]
	case 1:
		return txt, []arrow.DataType{txt, arrow.BinaryTypes.LargeString}[e.rng.IntN(2)]
	case 2:
		return arrow.FixedWidthTypes.Boolean, []arrow.DataType{arrow.FixedWidthTypes.Boolean, i8}[e.rng.IntN(2)]
	case 3:
		return i32, i32
	case 4:
		from, to := e.field(depth - 1)
		lists := []func(arrow.Field) arrow.DataType{
			func(f arrow.Field) arrow.DataType { return arrow.ListOfField(f) },
			func(f arrow.Field) arrow.DataType { return arrow.LargeListOfField(f) },
		}
		return lists[e.rng.IntN(2)](from), lists[e.rng.IntN(2)](to)
	case 5:
		from, to := e.field(depth - 1)
		return arrow.FixedSizeListOfField(3, from), arrow.FixedSizeListOfField(3, to)
	case 6:
		from, to := e.types(depth - 1)
		return arrow.MapOf(txt, from), arrow.MapOf(txt, to)
	}
	return e.rows(depth)
}

// rows draws structs whose fields are kept, dropped, added and moved.
func (e *evolution) rows(depth int) (file, table arrow.DataType) {
	var from, to []arrow.Field
	for range 1 + e.rng.IntN(4) {
		f, t := e.field(depth - 1)
		if e.rng.IntN(6) > 0 {
			from = append(from, f)
		}
		if e.rng.IntN(6) > 0 {
			to = append(to, t)
		}
	}
	if e.rng.IntN(2) == 0 {
		e.rng.Shuffle(len(to), func(i, j int) { to[i], to[j] = to[j], to[i] })
	}
	return arrow.StructOf(from...), arrow.StructOf(to...)
}

// TestRandomNested maps random values of random types and compares with what is done to their JSON.
func TestRandomNested(t *testing.T) {
	for seed := range uint64(1500) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		e := &evolution{rng: rand.New(rand.NewPCG(seed, 3))}
		from, to := e.field(3)
		compareNested(t, mem, e.rng, from, to)
		mem.AssertSize(t, 0)
		if t.Failed() {
			t.Fatalf("seed %d: %s to %s", seed, from.Type, to.Type)
		}
	}
}

func compareNested(t *testing.T, mem memory.Allocator, rng *rand.Rand, from, to arrow.Field) {
	var file arrow.Array
	if row, ok := from.Type.(*arrow.StructType); ok {
		file = structOfSlices(mem, rng, row)
	} else {
		file = randomPart(mem, from.Type, rng)
	}
	defer file.Release()
	schema := schemaOf(from)
	record := array.NewRecord(schema, []arrow.Array{file}, int64(file.Len()))
	defer record.Release()
	m, err := columnar.NewMapping(schema, schemaOf(to), columnar.MatchFieldID)
	if err != nil {
		t.Fatal(err)
	}
	got := apply(t, m.Column(0), record, mem)
	defer got.Release()
	if !arrow.TypeEqual(got.DataType(), to.Type, arrow.CheckMetadata()) {
		t.Errorf("got type %s", got.DataType())
	}
	if nulls := countNulls(got); got.NullN() != nulls {
		t.Errorf("%d NULLs, counted %d", got.NullN(), nulls)
	}
	if _, err := columnar.NewView(got.Data()); err != nil {
		t.Error(err)
	}
	in, out := jsonOf(t, file).([]any), jsonOf(t, got)
	want := make([]any, len(in))
	for i, value := range in {
		want[i] = evolved(value, from.Type, to.Type)
	}
	if !reflect.DeepEqual(out, any(want)) {
		t.Errorf("in   %v\ngot  %v\nwant %v", in, out, want)
	}
}

// structOfSlices makes a slice of a struct whose fields are slices with offsets of their own.
func structOfSlices(mem memory.Allocator, rng *rand.Rand, t *arrow.StructType) arrow.Array {
	var fields []arrow.ArrayData
	for _, f := range t.Fields() {
		part := randomPart(mem, f.Type, rng)
		defer part.Release()
		fields = append(fields, part.Data())
	}
	data := array.NewData(t, 10, []*memory.Buffer{memory.NewBufferBytes([]byte{byte(rng.Uint32()), byte(rng.Uint32())})}, fields, array.UnknownNullCount, 0)
	defer data.Release()
	whole := array.MakeFromData(data)
	defer whole.Release()
	from := int64(rng.IntN(10))
	return array.NewSlice(whole, from, from+int64(rng.IntN(11-int(from))))
}

func countNulls(a arrow.Array) (n int) {
	for i := range a.Len() {
		if a.IsNull(i) {
			n++
		}
	}
	return n
}

func jsonOf(t *testing.T, a arrow.Array) any {
	text, err := a.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// evolved makes the JSON of a value of the table out of one of the file.
func evolved(value any, file, table arrow.DataType) any {
	switch table := table.(type) {
	case *arrow.StructType:
		in, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		out := map[string]any{}
		for _, to := range table.Fields() {
			out[to.Name] = nil
			for _, from := range file.(*arrow.StructType).Fields() {
				if from.Metadata.Equal(to.Metadata) {
					out[to.Name] = evolved(in[from.Name], from.Type, to.Type)
				}
			}
		}
		return out
	case *arrow.MapType:
		entries, ok := value.([]any)
		if !ok {
			return nil
		}
		out := []any{}
		for _, entry := range entries {
			pair := entry.(map[string]any)
			out = append(out, map[string]any{"key": pair["key"], "value": evolved(pair["value"], file.(*arrow.MapType).ItemType(), table.ItemType())})
		}
		return out
	case arrow.ListLikeType:
		items, ok := value.([]any)
		if !ok {
			return nil
		}
		out := []any{}
		for _, item := range items {
			out = append(out, evolved(item, file.(arrow.ListLikeType).Elem(), table.Elem()))
		}
		return out
	}
	switch v := value.(type) {
	case json.Number:
		if table.ID() == arrow.STRING {
			return v.String()
		}
	case bool:
		if table.ID() == arrow.INT8 {
			return json.Number(map[bool]string{true: "1", false: "0"}[v])
		}
	}
	return value
}

// TestMisfitBelow names the row of a value inside that does not fit, and takes no notice of values under a NULL.
func TestMisfitBelow(t *testing.T) {
	seconds, nanos := &arrow.TimestampType{Unit: arrow.Second}, &arrow.TimestampType{Unit: arrow.Nanosecond}
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	values := newArray(rand.New(rand.NewPCG(1, 1)), mem, seconds, [][]byte{rawOf(t, i64, "1"), rawOf(t, i64, "1"), rawOf(t, i64, "9223372037"), rawOf(t, i64, "1")})
	defer values.Release()
	row := func(ts arrow.DataType) arrow.DataType { return arrow.StructOf(ided(2, "at", ts)) }
	bits := func(b byte) *memory.Buffer { return memory.NewBufferBytes([]byte{b}) }
	offsets := memory.NewBufferBytes([]byte{0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}) // lists of 2, 1, 1
	for _, c := range []struct {
		structs, lists byte // validity
		want           string
	}{
		{0b1111, 0b111, `column "l.element.at": row 1: value too large: a value of timestamp[s] does not fit timestamp[ns]`},
		{0b1011, 0b111, ""},
		{0b1111, 0b101, ""},
	} {
		structs := array.NewData(row(seconds), 4, []*memory.Buffer{bits(c.structs)}, []arrow.ArrayData{values.Data()}, array.UnknownNullCount, 0)
		from, to := ided(1, "l", arrow.ListOf(row(seconds))), ided(1, "l", arrow.ListOf(row(nanos)))
		lists := array.NewData(from.Type, 3, []*memory.Buffer{bits(c.lists), offsets}, []arrow.ArrayData{structs}, array.UnknownNullCount, 0)
		structs.Release()
		a := array.MakeFromData(lists)
		lists.Release()
		got, err := mapColumn(mem, from, to, a)
		switch {
		case err == nil && c.want == "":
			got.Release()
		case err == nil || err.Error() != c.want || !errors.Is(err, columnar.ErrTooLarge):
			t.Errorf("got %v, want %s", err, c.want)
		}
		a.Release()
	}
}

// TestAddedOfEveryType makes NULLs of every type, also inside a struct.
func TestAddedOfEveryType(t *testing.T) {
	for _, dt := range concat(mergeTypes, nestedTypes) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		rows := array.NewNull(3)
		file, table := schemaOf(bare("x", arrow.Null)), schemaOf(bare("new", dt), arrow.Field{Name: "strict", Type: dt,
			Metadata: arrow.NewMetadata([]string{"paimon.default"}, []string{"x"})})
		m, err := columnar.NewMapping(file, table, columnar.MatchName)
		if err != nil {
			t.Fatal(err)
		}
		record := array.NewRecord(file, []arrow.Array{rows}, 3)
		for i := range 2 {
			got := apply(t, m.Column(i), record, mem)
			if got.Len() != 3 || got.NullN() != 3 || !arrow.TypeEqual(got.DataType(), dt) || got.ValueStr(2) != array.NullValueStr {
				t.Errorf("%s: got %s", dt, got)
			}
			view := viewOf(t, got)
			if view.NullsIn(0, 3) != 3 {
				t.Errorf("%s: %d NULLs", dt, view.NullsIn(0, 3))
			}
			got.Release()
		}
		mem.AssertSize(t, 0)
	}
}

// TestMissingNotNull refuses a file without a column that is NOT NULL and has no default.
func TestMissingNotNull(t *testing.T) {
	_, err := columnar.NewMapping(schemaOf(bare("x", i64)), schemaOf(bare("x", i64), arrow.Field{Name: "strict", Type: i64}), columnar.MatchName)
	if !errors.Is(err, columnar.ErrSchema) || !strings.Contains(err.Error(), `"strict"`) {
		t.Errorf("got %v", err)
	}
}

// TestAddedTooLarge refuses NULLs that would take more than 2 GiB.
func TestAddedTooLarge(t *testing.T) {
	m, err := columnar.NewMapping(schemaOf(), schemaOf(bare("new", arrow.FixedSizeListOf(1<<30, i64))), columnar.MatchName)
	if err != nil {
		t.Fatal(err)
	}
	record := array.NewRecord(schemaOf(), nil, 1)
	if _, err := m.Column(0).Apply(record, memory.DefaultAllocator); !errors.Is(err, columnar.ErrTooLarge) || !strings.Contains(err.Error(), `"new"`) {
		t.Errorf("got %v", err)
	}
}
