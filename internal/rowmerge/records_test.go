package rowmerge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// recordOf builds a record from JSON rows. It is released at the end of the test.
func recordOf(t *testing.T, fields []arrow.Field, json string) arrow.Record {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	rec, _, err := array.RecordFromJSON(mem, arrow.NewSchema(fields, nil), strings.NewReader(json))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		rec.Release()
		mem.AssertSize(t, 0)
	})
	return rec
}

func field(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

var (
	int8s  = arrow.PrimitiveTypes.Int8
	int32s = arrow.PrimitiveTypes.Int32
	int64s = arrow.PrimitiveTypes.Int64
	texts  = arrow.BinaryTypes.String
)

// keyed is a table of a key k and a text v.
func keyed(records ...arrow.Record) rowmerge.Problem {
	p := rowmerge.Problem{
		Schema:     arrow.NewSchema([]arrow.Field{field("k", int32s), field("v", texts)}, nil),
		PrimaryKey: []string{"k"},
	}
	for _, rec := range records {
		p.Runs = append(p.Runs, rowmerge.Run{Records: []arrow.Record{rec}})
	}
	return p
}

func wantRows(t *testing.T, p rowmerge.Problem, want ...rowmerge.Row) {
	t.Helper()
	got, err := p.Merge()
	if err != nil {
		t.Fatal(err)
	}
	if d := rowmerge.Diff(want, got, rowmerge.Comparison{Kinds: true, Sequences: true, Keys: true}); d != "" {
		t.Error(d)
	}
}

// wantFault wants the first error to be of a kind and about a row.
func wantFault(t *testing.T, p rowmerge.Problem, kind rowmerge.Kind, run, row int) {
	t.Helper()
	_, err := p.Merge()
	var e *rowmerge.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Run != run || e.Row != row {
		t.Errorf("error %v, want %s in run %d, row %d", err, kind, run, row)
	}
}

func TestNoSystemColumns(t *testing.T) {
	fields := []arrow.Field{field("v", texts), field("k", int32s)}
	wantRows(t, keyed(recordOf(t, fields, `[{"k": 1, "v": "a"}, {"k": 2, "v": "b"}]`), recordOf(t, fields, `[{"k": 1, "v": "c"}]`)),
		rowmerge.Row{Sequence: -1, Key: []any{int32(1)}, Values: []any{int32(1), "c"}},
		rowmerge.Row{Sequence: -1, Key: []any{int32(2)}, Values: []any{int32(2), "b"}})
}

func TestKeyColumnsComeFirst(t *testing.T) {
	fields := []arrow.Field{field("_KEY_k", int32s), field("k", int32s), field("v", texts)}
	wantRows(t, keyed(recordOf(t, fields, `[{"_KEY_k": 1, "k": 7, "v": "a"}]`), recordOf(t, fields, `[{"_KEY_k": 1, "k": 8, "v": "b"}]`)),
		rowmerge.Row{Sequence: -1, Key: []any{int32(1)}, Values: []any{int32(8), "b"}})
}

func TestSeveralRecordsAreOneRun(t *testing.T) {
	fields := keyed().Schema.Fields()
	p := keyed()
	p.Runs = []rowmerge.Run{{Records: []arrow.Record{
		recordOf(t, fields, `[{"k": 1, "v": "a"}]`), recordOf(t, fields, `[]`), recordOf(t, fields, `[{"k": 0, "v": "b"}]`)}}}
	wantFault(t, p, rowmerge.KindUnsorted, 0, 1)
}

func TestLayoutsOfARunMayDiffer(t *testing.T) {
	large := []arrow.Field{field("k", int32s), field("v", arrow.BinaryTypes.LargeString)}
	coded := []arrow.Field{field("k", int32s), field("v", &arrow.DictionaryType{IndexType: int8s, ValueType: texts})}
	wantRows(t, keyed(recordOf(t, large, `[{"k": 1, "v": "a"}]`), recordOf(t, coded, `[{"k": 1, "v": "b"}]`)),
		rowmerge.Row{Sequence: -1, Key: []any{int32(1)}, Values: []any{int32(1), "b"}})
}

func TestRecordsThatDoNotFit(t *testing.T) {
	good := keyed().Schema.Fields()
	number := field("_SEQUENCE_NUMBER", int64s)
	for _, c := range []struct {
		name   string
		fields []arrow.Field
		json   string
	}{
		{"a column is missing", []arrow.Field{field("k", int32s)}, `[{"k": 1}]`},
		{"the key is missing", []arrow.Field{field("v", texts)}, `[{"v": "a"}]`},
		{"a column has another type", []arrow.Field{field("k", int32s), field("v", int32s)}, `[{"k": 1, "v": 2}]`},
		{"the key has another type", []arrow.Field{field("k", int64s), field("v", texts)}, `[{"k": 1, "v": "a"}]`},
		{"only one run is numbered", append([]arrow.Field{number}, good...), `[{"_SEQUENCE_NUMBER": 1, "k": 1, "v": "a"}]`},
		{"numbers of another type", append([]arrow.Field{field("_SEQUENCE_NUMBER", int32s)}, good...), `[]`},
		{"kinds of another type", append([]arrow.Field{field("_VALUE_KIND", int32s)}, good...), `[]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := keyed(recordOf(t, good, `[{"k": 1, "v": "a"}]`), recordOf(t, c.fields, c.json)).Merge()
			wantKind(t, rowmerge.KindSchema, err)
		})
	}
}

func TestBadRows(t *testing.T) {
	fields := append(keyed().Schema.Fields(), field("_VALUE_KIND", int8s), field("_SEQUENCE_NUMBER", int64s))
	good := `{"k": 1, "v": "a", "_VALUE_KIND": 0, "_SEQUENCE_NUMBER": 1}`
	for _, c := range []struct {
		name, row string
		kind      rowmerge.Kind
	}{
		{"kind 4", `{"k": 2, "v": "a", "_VALUE_KIND": 4, "_SEQUENCE_NUMBER": 1}`, rowmerge.KindRowKind},
		{"kind -1", `{"k": 2, "v": "a", "_VALUE_KIND": -1, "_SEQUENCE_NUMBER": 1}`, rowmerge.KindRowKind},
		{"no kind", `{"k": 2, "v": "a", "_VALUE_KIND": null, "_SEQUENCE_NUMBER": 1}`, rowmerge.KindRowKind},
		{"no number", `{"k": 2, "v": "a", "_VALUE_KIND": 0, "_SEQUENCE_NUMBER": null}`, rowmerge.KindNotNull},
		{"no key", `{"k": null, "v": "a", "_VALUE_KIND": 0, "_SEQUENCE_NUMBER": 1}`, rowmerge.KindNullKey},
		{"unsorted", `{"k": 0, "v": "a", "_VALUE_KIND": 0, "_SEQUENCE_NUMBER": 1}`, rowmerge.KindUnsorted},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantFault(t, keyed(recordOf(t, fields, "["+good+"]"), recordOf(t, fields, "["+good+", "+c.row+"]")), c.kind, 1, 1)
		})
	}
}

func TestKindFromAColumn(t *testing.T) {
	table := []arrow.Field{field("k", int32s), field("v", texts), field("op", texts)}
	problem := func(json string) rowmerge.Problem {
		p := keyed(recordOf(t, table, json))
		p.Schema = arrow.NewSchema(table, nil)
		p.Options = map[string]string{"rowkind.field": "op"}
		p.Projection = []string{"v"}
		p.KeepDeletes = true
		return p
	}
	wantRows(t, problem(`[{"k": 1, "v": "a", "op": "-d"}]`),
		rowmerge.Row{Kind: rowmerge.Delete, Sequence: -1, Key: []any{int32(1)}, Values: []any{"a"}})
	wantFault(t, problem(`[{"k": 1, "v": "a", "op": "D"}]`), rowmerge.KindRowKind, 0, 0)
	wantFault(t, problem(`[{"k": 1, "v": "a", "op": null}]`), rowmerge.KindRowKind, 0, 0)
}

// TestFaultsGoOn finds every row to blame, not only the first.
func TestFaultsGoOn(t *testing.T) {
	fields := append(keyed().Schema.Fields(), field("_VALUE_KIND", int8s))
	p := keyed(recordOf(t, fields, `[{"k": 1, "v": "a", "_VALUE_KIND": 9}, {"k": null, "v": "b", "_VALUE_KIND": 0},
		{"k": 3, "v": "a", "_VALUE_KIND": 0}, {"k": 3, "v": "a", "_VALUE_KIND": 3}]`))
	p.Options = map[string]string{"merge-engine": "partial-update"}
	_, faults := p.Faults()
	var kinds []rowmerge.Kind
	for _, f := range faults {
		kinds = append(kinds, f.Kind)
	}
	want := []rowmerge.Kind{rowmerge.KindRowKind, rowmerge.KindNullKey, rowmerge.KindUnsorted, rowmerge.KindDeleteNotAccepted}
	if len(kinds) != len(want) {
		t.Fatalf("kinds are %v, want %v", kinds, want)
	}
	for i := range want {
		if kinds[i] != want[i] {
			t.Errorf("kinds are %v, want %v", kinds, want)
		}
	}
}

// TestRowsOf decodes an answer with and without system columns.
func TestRowsOf(t *testing.T) {
	fields := []arrow.Field{field("_KEY_k", int32s), field("_SEQUENCE_NUMBER", int64s), field("_VALUE_KIND", int8s), field("v", texts)}
	full := recordOf(t, fields, `[{"_KEY_k": 1, "_SEQUENCE_NUMBER": 5, "_VALUE_KIND": 3, "v": "a"}]`)
	bare := recordOf(t, fields[3:], `[{"v": "a"}]`)
	all := rowmerge.Comparison{Kinds: true, Sequences: true, Keys: true}
	for _, c := range []struct {
		rec  arrow.Record
		want rowmerge.Row
	}{
		{full, rowmerge.Row{Kind: rowmerge.Delete, Sequence: 5, Key: []any{int32(1)}, Values: []any{"a"}}},
		{bare, rowmerge.Row{Sequence: -1, Values: []any{"a"}}},
	} {
		got, err := rowmerge.RowsOf(c.rec, []string{"v"}, []string{"k"})
		if err != nil {
			t.Fatal(err)
		}
		if d := rowmerge.Diff([]rowmerge.Row{c.want}, got, all); d != "" {
			t.Error(d)
		}
	}
	if _, err := rowmerge.RowsOf(bare, []string{"w"}, nil); err == nil {
		t.Error("a missing column is no error")
	}
}
