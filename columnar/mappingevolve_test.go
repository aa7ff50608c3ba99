package columnar_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// evolveTable is a table after five alterations: columns were added, also inside place, renamed, dropped and reordered, types
// changed, the key was renamed, and the name b, which text had, was used again.
var evolveTable = schemaOf(
	ided(4, "d", &arrow.Decimal128Type{Precision: 12, Scale: 2}), ided(0, "key_id", i32), ided(1, "a", i64), ided(8, "e", txt),
	ided(2, "text", txt), ided(5, "place", arrow.StructOf(ided(6, "east", i32), ided(7, "y", i32), ided(10, "z", i32))),
	ided(9, "b", arrow.FixedWidthTypes.Date32))

// evolveFile puts the system columns of a file before its value columns.
func evolveFile(key string, values ...arrow.Field) *arrow.Schema {
	return schemaOf(append([]arrow.Field{ided(1073741823, "_KEY_"+key, i32), ided(2147483646, "_SEQUENCE_NUMBER", i64),
		ided(2147483645, "_VALUE_KIND", i8)}, values...)...)
}

func oldPlace() arrow.Field {
	return ided(5, "place", arrow.StructOf(ided(6, "x", i32), ided(7, "y", i32)))
}

// TestEvolve reads files of the table's six schemas.
func TestEvolve(t *testing.T) {
	first := evolveFile("id", ided(0, "id", i32), ided(1, "a", i32), ided(2, "b", txt), ided(3, "c", arrow.PrimitiveTypes.Float64),
		ided(4, "d", i16), oldPlace())
	second := evolveFile("id", ided(0, "id", i32), ided(1, "a", i64), ided(8, "e", txt), ided(2, "b", txt),
		ided(3, "c", arrow.PrimitiveTypes.Float64), ided(4, "d", i16), oldPlace())
	third := evolveFile("id", ided(0, "id", i32), ided(1, "a", i64), ided(8, "e", txt), ided(2, "text", txt), ided(4, "d", i16), oldPlace())
	fifth := evolveFile("id", ided(4, "d", &arrow.Decimal128Type{Precision: 12, Scale: 2}), ided(0, "id", i32), ided(1, "a", i64),
		ided(8, "e", txt), ided(2, "text", txt), evolveTable.Field(5), ided(9, "b", arrow.FixedWidthTypes.Date32))
	sixth := evolveFile("key_id", evolveTable.Fields()...)
	for _, c := range []struct {
		file            *arrow.Schema
		sources, needed string
		in, out         string
	}{
		{first, "[7 3 4 -1 5 8 -1]", "[0 1 2 3 4 5 7 8]",
			`{"id": 3, "a": -274, "b": "old", "c": 1.5, "d": -32768, "place": {"x": -899, "y": 366}}`,
			`["-32768.00",3,-274,null,"old",{"east":-899,"y":366,"z":null},null]`},
		{first, "[7 3 4 -1 5 8 -1]", "[0 1 2 3 4 5 7 8]", `{"id": 4}`, `[null,4,null,null,null,null,null]`},
		{second, "[8 3 4 5 6 9 -1]", "[0 1 2 3 4 5 6 8 9]",
			`{"id": 3, "a": 5000000000, "e": "new", "b": "old", "d": 313, "place": {"x": null, "y": 366}}`,
			`["313.00",3,5000000000,"new","old",{"east":null,"y":366,"z":null},null]`},
		{third, "[7 3 4 5 6 8 -1]", "[0 1 2 3 4 5 6 7 8]", `{"id": 3, "text": "old", "d": 0}`, `["0.00",3,null,null,"old",null,null]`},
		{fifth, "[3 4 5 6 7 8 9]", "[0 1 2 3 4 5 6 7 8 9]",
			`{"id": 3, "d": "313.05", "place": {"east": 1, "z": 3}, "b": "2024-01-31"}`,
			`["313.05",3,null,null,null,{"east":1,"y":null,"z":3},"2024-01-31"]`},
		{sixth, "[3 4 5 6 7 8 9]", "[0 1 2 3 4 5 6 7 8 9]", `{"key_id": 3, "a": 1}`, `[null,3,1,null,null,null,null]`},
	} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		m, err := columnar.NewMapping(c.file, evolveTable, columnar.MatchFieldID)
		if err != nil {
			t.Fatal(err)
		}
		key := c.file.Field(0).Name
		record, _, err := array.RecordFromJSON(mem, c.file, strings.NewReader(
			`[{"`+key+`": 1, "_SEQUENCE_NUMBER": 1, "_VALUE_KIND": 0}, `+strings.Replace(c.in, "{", `{"`+key+`": 7, "_SEQUENCE_NUMBER": 8, "_VALUE_KIND": 3, `, 1)+`]`))
		if err != nil {
			t.Fatal(err)
		}
		row := record.NewSlice(1, 2)
		var sources []int
		var values []string
		for i := range evolveTable.NumFields() {
			sources = append(sources, m.Column(i).Source())
			values = append(values, oneJSON(t, apply(t, m.Column(i), row, mem)))
		}
		if got := fmt.Sprint(sources); got != c.sources {
			t.Errorf("sources are %s, want %s", got, c.sources)
		}
		if got := fmt.Sprint(m.Sources()); got != c.needed {
			t.Errorf("needed are %s, want %s", got, c.needed)
		}
		if got := "[" + strings.Join(values, ",") + "]"; got != c.out {
			t.Errorf("row is %s, want %s", got, c.out)
		}
		system := oneJSON(t, apply(t, m.Key("key_id"), row, mem)) + oneJSON(t, apply(t, m.Sequence(), row, mem)) + oneJSON(t, apply(t, m.Kind(), row, mem))
		if system != "783" {
			t.Errorf("key, sequence and kind are %s", system)
		}
		row.Release()
		record.Release()
		mem.AssertSize(t, 0)
	}
}

// oneJSON shows the only value of an array, and releases it.
func oneJSON(t *testing.T, a arrow.Array) string {
	t.Helper()
	defer a.Release()
	text, err := a.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if d, ok := a.(*array.Decimal128); ok && d.IsValid(0) {
		return `"` + d.Value(0).ToString(d.DataType().(*arrow.Decimal128Type).Scale) + `"`
	}
	return strings.TrimSpace(strings.Trim(string(text), "[]"))
}

// TestMappingString explains a mapping.
func TestMappingString(t *testing.T) {
	file := evolveFile("id", ided(0, "id", i32), ided(3, "c", i32), ided(2, "b", txt), ided(4, "d", i16), oldPlace())
	m, err := columnar.NewMapping(file, evolveTable, columnar.MatchFieldID)
	if err != nil {
		t.Fatal(err)
	}
	want := `7 columns of the table from 8 of the file, by field id
  d: file column 6, cast from int16 to decimal(12, 2)
  key_id: file column 3 "id"
  a: NULL
  e: NULL
  text: file column 5 "b"
  place: file column 7
    place.east: file's x
    place.z: NULL
  b: NULL
  _KEY_key_id: file column 0 "_KEY_id"
  _SEQUENCE_NUMBER: file column 1
  _VALUE_KIND: file column 2
  not read: column 4 "c"
`
	if got := m.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := m.Column(0).String(); got != "d: file column 6, cast from int16 to decimal(12, 2)" {
		t.Errorf("got %q", got)
	}
}

// TestAddedViews reads columns of views from a file that lacks them.
func TestAddedViews(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	file := schemaOf(ided(0, "id", i32))
	m, err := columnar.NewMapping(file, schemaOf(ided(0, "id", i32), ided(1, "b", arrow.BinaryTypes.BinaryView), ided(2, "s", arrow.BinaryTypes.StringView)),
		columnar.MatchFieldID)
	if err != nil {
		t.Fatal(err)
	}
	rec, _, err := array.RecordFromJSON(mem, file, strings.NewReader(`[{"id": 1}, {"id": 2}, {"id": 3}]`))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Release()
	for i := 1; i <= 2; i++ {
		data, err := m.Column(i).Apply(rec, mem)
		if err != nil {
			t.Fatal(err)
		}
		column := array.MakeFromData(data)
		data.Release()
		if column.Len() != 3 || column.NullN() != 3 || fmt.Sprint(column) != "[(null) (null) (null)]" {
			t.Errorf("column %d is %v", i, column)
		}
		column.Release()
	}
}
