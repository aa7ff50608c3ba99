package rowhash_test

import (
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/bench/rowhash"
)

var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "items", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
	{Name: "price", Type: &arrow.Decimal128Type{Precision: 20, Scale: 2}, Nullable: true},
	{Name: "paid", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	{Name: "share", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
}, nil)

var columns = []string{"id", "name", "items", "price", "paid", "share"}

// sum sums up rows written as JSON.
func sum(t *testing.T, records ...string) rowhash.Sum {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	table, err := rowhash.NewTable(columns, []string{"id"})
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range records {
		rec, _, err := array.RecordFromJSON(mem, schema, strings.NewReader(rows))
		if err != nil {
			t.Fatal(err)
		}
		err = table.Add(rec)
		rec.Release()
		if err != nil {
			t.Fatal(err)
		}
	}
	return table.Sum()
}

const (
	first  = `{"id": 1, "name": "a", "items": [1, 2], "price": "1.50", "paid": true, "share": 0.5}`
	second = `{"id": 2, "name": null, "items": null, "price": "2.50", "paid": null, "share": -1}`
)

func TestOrderAndBatchesDoNotMatter(t *testing.T) {
	want := sum(t, "["+first+","+second+"]")
	for _, got := range []rowhash.Sum{sum(t, "["+second+","+first+"]"), sum(t, "["+second+"]", "["+first+"]")} {
		if d := want.Differs(got, columns); d != "" {
			t.Error(d)
		}
		if want.Whole(columns) != got.Whole(columns) {
			t.Error("the whole differs")
		}
	}
}

func TestEveryChangeShows(t *testing.T) {
	want := sum(t, "["+first+","+second+"]")
	for _, c := range []struct{ rows, said string }{
		{"[" + first + "]", "1 rows, 2 are right"},
		{"[" + first + "," + first + "]", `column "id"`},
		{strings.Replace("["+first+","+second+"]", `"a"`, `"b"`, 1), `column "name"`},
		{strings.Replace("["+first+","+second+"]", `"a"`, `""`, 1), `column "name"`},
		{strings.Replace("["+first+","+second+"]", `[1, 2]`, `[2, 1]`, 1), `column "items"`},
		{strings.Replace("["+first+","+second+"]", `"1.50"`, `"1.51"`, 1), `column "price"`},
		{strings.Replace("["+first+","+second+"]", `true`, `false`, 1), `column "paid"`},
		{strings.Replace("["+first+","+second+"]", `0.5`, `0.25`, 1), `column "share"`},
		// The same values of a column in other rows.
		{`[{"id": 1, "name": null, "items": [1, 2], "price": "1.50", "paid": true, "share": 0.5},
		   {"id": 2, "name": "a", "items": null, "price": "2.50", "paid": null, "share": -1}]`, `column "name"`},
	} {
		if d := want.Differs(sum(t, c.rows), columns); !strings.HasPrefix(d, c.said) {
			t.Errorf("%s: said %q, want %q", c.rows, d, c.said)
		}
	}
}

func TestTypesOfAValueDoNotMatter(t *testing.T) {
	of := func(dt arrow.DataType, text string) string {
		rec, _, err := array.RecordFromJSON(memory.NewGoAllocator(), arrow.NewSchema([]arrow.Field{{Name: "v", Type: dt}}, nil),
			strings.NewReader(`[{"v": `+text+`}]`))
		if err != nil {
			t.Fatal(err)
		}
		table, err := rowhash.NewTable([]string{"v"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Add(rec); err != nil {
			t.Fatal(err)
		}
		return table.Sum().Columns["v"]
	}
	for _, c := range []struct {
		a, b arrow.DataType
		text string
	}{
		{arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int64, "-5"},
		{arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, "300"},
		{arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, `"abc"`},
		{arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, `"YWJj"`},
		{arrow.BinaryTypes.String, arrow.BinaryTypes.StringView, `"abc"`},
		{arrow.BinaryTypes.Binary, arrow.BinaryTypes.BinaryView, `"YWJj"`},
	} {
		if of(c.a, c.text) != of(c.b, c.text) {
			t.Errorf("%s hashes differently as %v and %v", c.text, c.a, c.b)
		}
	}
}

func TestRowsByHandAreTheSame(t *testing.T) {
	table, err := rowhash.NewTable([]string{"id", "name"}, []string{"id"})
	if err != nil {
		t.Fatal(err)
	}
	table.AddRow([]uint64{rowhash.Integer(1), rowhash.Bytes([]byte("a"))})
	table.AddRow([]uint64{rowhash.Integer(2), rowhash.Null})
	want := sum(t, "["+first+","+second+"]")
	if d := want.Differs(table.Sum(), []string{"id", "name"}); d != "" {
		t.Error(d)
	}
}

func TestRefusals(t *testing.T) {
	if _, err := rowhash.NewTable([]string{"a"}, []string{"b"}); err == nil {
		t.Error("a key that is no column is taken")
	}
	table, err := rowhash.NewTable([]string{"other"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rec, _, err := array.RecordFromJSON(memory.NewGoAllocator(), schema, strings.NewReader("["+first+"]"))
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Add(rec); err == nil {
		t.Error("a record without a column is taken")
	}
}
