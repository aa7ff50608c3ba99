package fuzz

import (
	"context"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// proseTests are the entries of bug-cases.json that no case can say, as tests. Entries that are not here belong to an area
// of proseAreas.
var proseTests = map[string]func(*testing.T){
	"B007": testNaNPayloadKeys,
	"B082": testFieldsById,
	"B086": testTimestampFloor,
	"B087": testMissingColumns,
	"B088": testNullabilityOfRuns,
	"B089": testMetadataOfRuns,
	"B090": testFieldMetadata,
	"B091": testWidening,
	"B101": testNullCounts,
	"B103": testDictionaryIndicesRunOut,
	"B112": testReaderError,
	"B115": testEmptyImport,
	"B118": testFilterAfterMerge,
}

// proseAreas names the part of the project whose own tests answer for an entry.
var proseAreas = map[string]string{
	"B107": "columnar: TestOffsetsRunOut",
	"B111": "self-merge: expressions over decimals",
	"B117": "cmd/braid/ipcfile: FuzzRead and its tests of truncations and flipped bytes",
	"B125": "self-merge: row ids",
	"B129": "self-merge: NOT NULL of the result",
	"B130": "self-merge: matches by condition",
	"B131": "self-merge: many rows",
	"B132": "self-merge: lists and maps",
}

// TestProseEntries runs proseTests and finds every entry of the file in one of the two lists.
func TestProseEntries(t *testing.T) {
	file, err := LoadCases("testdata/cases/bug-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	for id, about := range file.NotConverted {
		test, tested := proseTests[id]
		_, owned := proseAreas[id]
		if tested == owned {
			t.Errorf("%s (%s): in a list %v, in the other %v", id, about, tested, owned)
			continue
		}
		if tested {
			t.Run(id, test)
		}
	}
	if len(file.NotConverted) != len(proseTests)+len(proseAreas) {
		t.Error("a list has an entry that the file has not")
	}
}

// proseProblem is a table of a key k and one value column, with a record per run.
func proseProblem(value arrow.Field, options map[string]string, records ...arrow.Record) rowmerge.Problem {
	p := rowmerge.Problem{PrimaryKey: []string{"k"}, Options: options,
		Schema: arrow.NewSchema([]arrow.Field{{Name: "k", Type: records[0].Column(0).DataType()}, value}, nil)}
	for _, rec := range records {
		p.Runs = append(p.Runs, rowmerge.Run{Records: []arrow.Record{rec}})
	}
	return p
}

// kernelRecords merges a problem by the kernel and hands its records to see.
func kernelRecords(t *testing.T, p rowmerge.Problem, see func(arrow.Record)) {
	t.Helper()
	options, err := kernel.ParseOptions(p.Options)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := kernel.Compile(kernel.Table{Schema: p.Schema, PrimaryKey: p.PrimaryKey}, options)
	if err != nil {
		t.Fatal(err)
	}
	var runs []kernel.Run
	for _, run := range p.Runs {
		runs = append(runs, kernel.FromRecords(run.Records...))
	}
	merged, err := plan.Merge(context.Background(), runs)
	if err != nil {
		t.Fatal(err)
	}
	defer merged.Release()
	for merged.Next() {
		see(merged.Record())
	}
	if merged.Err() != nil {
		t.Fatal(merged.Err())
	}
}

// sameAnswers merges a problem by the row merger and by the kernel and wants the same rows, which it returns.
func sameAnswers(t *testing.T, p rowmerge.Problem) []rowmerge.Row {
	t.Helper()
	want, err := p.Merge()
	if err != nil {
		t.Fatal(err)
	}
	var got []rowmerge.Row
	kernelRecords(t, p, func(rec arrow.Record) {
		rows, err := rowmerge.RowsOf(rec, fieldNames(p.Schema), nil)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, rows...)
	})
	if d := rowmerge.Diff(want, got, rowmerge.Comparison{}); d != "" {
		t.Error(d)
	}
	return want
}

// proseRecord builds a record of a run from its values, row by row.
func proseRecord(t *testing.T, schema *arrow.Schema, rows ...[]any) arrow.Record {
	t.Helper()
	mem := NewMemory()
	var list []rowmerge.Row
	for _, values := range rows {
		list = append(list, rowmerge.Row{Values: values})
	}
	rec, err := BuildRecord(mem, schema, list)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		rec.Release()
		mem.AssertSize(t, 0)
	})
	return rec
}

func proseSchema(key arrow.DataType, value arrow.Field) *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{{Name: "k", Type: key}, value}, nil)
}

var int32Value = arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Int32, Nullable: true}

// testNaNPayloadKeys takes every NaN for one key, which sorts last, and keeps the bits of the row that wins.
func testNaNPayloadKeys(t *testing.T) {
	first, second := math.Float64frombits(0xfff8000000000001), math.Float64frombits(0x7ff8000000000123)
	schema := proseSchema(arrow.PrimitiveTypes.Float64, int32Value)
	rows := sameAnswers(t, proseProblem(int32Value, nil,
		proseRecord(t, schema, []any{1.0, int32(10)}, []any{first, int32(20)}),
		proseRecord(t, schema, []any{second, int32(30)})))
	want := []rowmerge.Row{{Values: []any{1.0, int32(10)}}, {Values: []any{second, int32(30)}}}
	if d := rowmerge.Diff(want, rows, rowmerge.Comparison{}); d != "" {
		t.Error(d)
	}
}

// testNullabilityOfRuns merges a run whose column is NOT NULL into a table where it is nullable.
func testNullabilityOfRuns(t *testing.T) {
	strict := int32Value
	strict.Nullable = false
	p := proseProblem(int32Value, nil,
		proseRecord(t, proseSchema(arrow.PrimitiveTypes.Int32, strict), []any{int32(1), int32(1)}, []any{int32(2), int32(2)}),
		proseRecord(t, proseSchema(arrow.PrimitiveTypes.Int32, int32Value), []any{int32(3), nil}))
	sameAnswers(t, p)
	kernelRecords(t, p, func(rec arrow.Record) {
		if !rec.Schema().Equal(p.Schema) {
			t.Errorf("schema %s, want %s", rec.Schema(), p.Schema)
		}
	})
}

// testMetadataOfRuns merges runs whose metadata differ; the answer has the table's.
func testMetadataOfRuns(t *testing.T) {
	tagged := func(text string) *arrow.Schema {
		meta := arrow.MetadataFrom(map[string]string{"a": text})
		value := int32Value
		value.Metadata = meta
		return arrow.NewSchema([]arrow.Field{{Name: "k", Type: arrow.PrimitiveTypes.Int32}, value}, &meta)
	}
	p := proseProblem(int32Value, nil,
		proseRecord(t, tagged("1"), []any{int32(1), int32(1)}), proseRecord(t, tagged("2"), []any{int32(1), int32(2)}))
	p.Schema = tagged("table")
	sameAnswers(t, p)
	kernelRecords(t, p, func(rec arrow.Record) {
		if got, _ := rec.Schema().Metadata().GetValue("a"); got != "table" || !rec.Schema().Equal(p.Schema) {
			t.Errorf("schema %s with %q, want %s", rec.Schema(), got, p.Schema)
		}
	})
}

// testNullCounts compares null counts with the NULLs there are, at lengths about the edges of bytes and words, of slices.
func testNullCounts(t *testing.T) {
	schema := proseSchema(arrow.PrimitiveTypes.Int32, int32Value)
	var rows [][]any
	for i := range 1100 {
		row := []any{int32(i), int32(i)}
		if i%3 == 0 {
			row[1] = nil
		}
		rows = append(rows, row)
	}
	whole := proseRecord(t, schema, rows...)
	for _, n := range []int64{0, 1, 7, 8, 9, 63, 64, 65, 1024} {
		for _, from := range []int64{0, 5, 33} {
			one, other := whole.NewSlice(from, from+n), whole.NewSlice(from+n/2, from+n)
			kernelRecords(t, proseProblem(int32Value, map[string]string{"merge-engine": "partial-update"}, one, other), func(rec arrow.Record) {
				for _, column := range rec.Columns() {
					nulls := 0
					for i := range column.Len() {
						if column.IsNull(i) {
							nulls++
						}
					}
					if column.NullN() != nulls {
						t.Errorf("%d rows from %d: null count %d, want %d", n, from, column.NullN(), nulls)
					}
				}
			})
			one.Release()
			other.Release()
		}
	}
}

// failingReader ends with an error after one record and counts how often it is released.
type failingReader struct {
	array.RecordReader
	left     int
	released *int
}

var errReader = errors.New("the disk is gone")

func (r *failingReader) Next() bool {
	r.left--
	return r.left >= 0 && r.RecordReader.Next()
}

func (r *failingReader) Err() error {
	if r.left < 0 {
		return errReader
	}
	return nil
}

func (r *failingReader) Release() {
	*r.released++
	r.RecordReader.Release()
}

// testReaderError has the second of three runs fail at its second batch.
func testReaderError(t *testing.T) {
	schema := proseSchema(arrow.PrimitiveTypes.Int32, int32Value)
	records := []arrow.Record{
		proseRecord(t, schema, []any{int32(1), int32(1)}), proseRecord(t, schema, []any{int32(2), int32(2)})}
	plan, err := kernel.Compile(kernel.Table{Schema: schema, PrimaryKey: []string{"k"}}, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mem := NewMemory()
	defer mem.AssertSize(t, 0)
	var released [3]int
	var runs []kernel.Run
	for i := range released {
		runs = append(runs, kernel.Run{Files: []kernel.File{{Open: func(context.Context) (array.RecordReader, error) {
			reader, err := array.NewRecordReader(schema, records)
			if err != nil {
				return nil, err
			}
			left := 10
			if i == 1 {
				left = 1
			}
			return &failingReader{reader, left, &released[i]}, nil
		}}}})
	}
	merged, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem))
	if err == nil {
		for merged.Next() {
		}
		err = merged.Err()
		merged.Release()
	}
	var at *kernel.RowError
	if !errors.Is(err, errReader) || errors.Is(err, io.EOF) || !errors.As(err, &at) || at.Run != 1 {
		t.Errorf("error %v, want that of run 1", err)
	}
	if released != [3]int{1, 1, 1} {
		t.Errorf("readers are released %v times", released)
	}
}

// testFilterAfterMerge asks for rows with v = 3 of runs that hold 1 and 2: the condition meets merged rows.
func testFilterAfterMerge(t *testing.T) {
	schema := proseSchema(arrow.PrimitiveTypes.Int32, int32Value)
	p := proseProblem(int32Value, map[string]string{"merge-engine": "aggregation", "fields.v.aggregate-function": "sum"},
		proseRecord(t, schema, []any{int32(1), int32(1)}, []any{int32(2), int32(1)}),
		proseRecord(t, schema, []any{int32(1), int32(2)}))
	rows, err := p.Merge()
	if err != nil {
		t.Fatal(err)
	}
	var kept []any
	for _, row := range rows {
		if row.Values[1] == int32(3) {
			kept = append(kept, row.Values[0])
		}
	}
	if len(kept) != 1 || kept[0] != int32(1) {
		t.Errorf("keys %v, want 1", kept)
	}
	sameAnswers(t, p)
}
