package kernel_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/kernel"
)

// texts is a table with a key and columns of every type of text.
var texts = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.BinaryTypes.String},
	{Name: "utf8", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "large_utf8", Type: arrow.BinaryTypes.LargeString, Nullable: true},
	{Name: "binary", Type: arrow.BinaryTypes.Binary, Nullable: true},
	{Name: "large_binary", Type: arrow.BinaryTypes.LargeBinary, Nullable: true},
	{Name: "n", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
}, nil)

// textRecord has a row for each id; every third value is NULL, and some are inline.
func textRecord(mem memory.Allocator, run int, ids []int64) arrow.Record {
	b := array.NewRecordBuilder(mem, texts)
	defer b.Release()
	for row, id := range ids {
		value := func(column int) string {
			return fmt.Sprintf("run %d, %d %s", run, id, strings.Repeat("-", (row+column)%30))
		}
		b.Field(0).(*array.StringBuilder).Append(fmt.Sprintf("the key number %09d", id))
		for i, f := range b.Fields()[1:] {
			if (row+i+run)%3 == 0 {
				f.AppendNull()
				continue
			}
			switch f := f.(type) {
			case array.StringLikeBuilder:
				f.Append(value(i))
			case *array.BinaryBuilder:
				f.Append([]byte(value(i)))
			case *array.Int32Builder:
				f.Append(int32(row))
			}
		}
	}
	return b.NewRecord()
}

// textRuns are runs of which two have equal keys and one is alone with its keys, which are more than a window takes. The caller
// releases the records.
func textRuns(mem memory.Allocator) (runs []kernel.Run, records []arrow.Record) {
	for number, ids := range [][]int64{sequence(0, 5000), sequence(2500, 9000), sequence(20_000, 80_000)} {
		var of []arrow.Record
		for part := range slices.Chunk(ids, max(700, len(ids)/10)) {
			of = append(of, textRecord(mem, number, part))
		}
		runs, records = append(runs, kernel.FromRecords(of...)), append(records, of...)
	}
	return runs, records
}

// TestStringViews wants the rows of a merge without views, in views of the inputs' own buffers. BRAID_SAMPLE makes it one merge in
// three at the most, so that all tables and all options of merges have some.
func TestStringViews(t *testing.T) {
	merges, each := 0, min(testscale.Sample(t), 3)
	mem := checked(t)
	runs, records := textRuns(mem)
	for i, options := range []map[string]string{
		nil,
		{"merge-engine": "partial-update"},
		{"merge-engine": "first-row"},
		{"merge-engine": "partial-update", "fields.n.sequence-group": "utf8,binary"},
		{"merge-engine": "aggregation", "fields.utf8.aggregate-function": "listagg", "fields.large_utf8.aggregate-function": "max"},
	} {
		plan := compile(t, texts, options, "id")
		for _, opts := range [][]kernel.MergeOption{nil, {kernel.KeepSystemColumns()}, {kernel.WithParallelism(3)}, {kernel.WithBatchRows(100), kernel.WithProjection("binary", "utf8")}} {
			if merges++; merges%each != 0 {
				continue
			}
			want := mergedColumns(t, mem, plan, runs, opts...)
			got := mergedTexts(t, mem, plan, runs, records, i < 4, opts)
			for c := range want {
				for row := range want[c].Len() {
					if w, g := printed(want[c], row), printed(got[c], row); w != g {
						t.Fatalf("options %v: column %d, row %d is %s, want %s", options, c, row, g, w)
					}
				}
				want[c].Release()
				got[c].Release()
			}
		}
	}
	for _, rec := range records {
		rec.Release()
	}
}

// mergedTexts merges with views and looks at every record.
func mergedTexts(t *testing.T, mem memory.Allocator, plan *kernel.Plan, runs []kernel.Run, records []arrow.Record, shared bool, opts []kernel.MergeOption) (columns []arrow.Array) {
	t.Helper()
	var buffers []*memory.Buffer
	for _, rec := range records {
		for _, column := range rec.Columns() {
			buffers = append(buffers, column.Data().Buffers()...)
		}
	}
	reader, err := plan.Merge(context.Background(), runs, append(opts, kernel.WithAllocator(mem), kernel.WithStringViews())...)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	parts := make([][]arrow.Array, reader.Schema().NumFields())
	for reader.Next() {
		if !reader.Record().Schema().Equal(reader.Schema()) {
			t.Fatalf("a record of schema %s, its reader has %s", reader.Record().Schema(), reader.Schema())
		}
		for i, column := range reader.Record().Columns() {
			views, ok := column.(array.ViewLike)
			if name := reader.Schema().Field(i).Name; !ok != (name == "n" || name == kernel.SequenceColumn || name == kernel.KindColumn) {
				t.Fatalf("column %q has type %s", name, column.DataType())
			}
			if ok && shared {
				for _, b := range views.Data().Buffers()[2:] {
					if !slices.Contains(buffers, b) {
						t.Fatalf("column %q has text in a buffer that is no input's", reader.Schema().Field(i).Name)
					}
				}
			}
			column.Retain()
			defer column.Release()
			parts[i] = append(parts[i], column)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	if stats := reader.Stats(); !checkedBuild && shared && (stats.Slices == 0 || stats.Windows == 0) {
		t.Errorf("%d slices and %d windows", stats.Slices, stats.Windows)
	}
	for _, list := range parts {
		column, err := array.Concatenate(list, mem)
		if err != nil {
			t.Fatal(err)
		}
		columns = append(columns, column)
	}
	return columns
}

// TestStringViewsOutliveInputs holds records of a merge after everything else has been released, in memory that shows when it has
// been given back.
func TestStringViewsOutliveInputs(t *testing.T) {
	for _, workers := range []int{1, 3} {
		mem := fuzz.NewMemory()
		runs, records := textRuns(mem)
		plan := compile(t, texts, nil, "id")
		want := mergedColumns(t, memory.DefaultAllocator, plan, runs)
		reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem), kernel.WithStringViews(), kernel.WithParallelism(workers))
		if err != nil {
			t.Fatal(err)
		}
		var held []arrow.Record
		for reader.Next() {
			reader.Record().Retain()
			held = append(held, reader.Record())
		}
		if reader.Err() != nil {
			t.Fatal(reader.Err())
		}
		reader.Release()
		for _, rec := range records {
			rec.Release()
		}
		row := 0
		for _, rec := range held {
			for i := range int(rec.NumRows()) {
				for c, column := range rec.Columns() {
					if w, g := printed(want[c], row), printed(column, i); w != g {
						t.Fatalf("column %d, row %d is %s, want %s", c, row, g, w)
					}
				}
				row++
			}
			rec.Release()
		}
		if row != want[0].Len() {
			t.Errorf("%d rows, want %d", row, want[0].Len())
		}
		mem.AssertSize(t, 0)
	}
}

// TestStringViewsAreCounted wants the memory of views counted and not that of the inputs they point into.
func TestStringViewsAreCounted(t *testing.T) {
	mem := checked(t)
	const rows = 20_000
	wide := strings.Repeat("w", 1000)
	runs := []kernel.Run{shapedRun(t, mem, 0, sequence(0, rows), 500, wide), shapedRun(t, mem, 1, sequence(0, rows), 500, wide)}
	plan := compile(t, shaped, nil, "id")
	high := map[bool]kernel.Stats{}
	for _, views := range []bool{false, true} {
		opts := []kernel.MergeOption{kernel.WithAllocator(mem), kernel.WithBatchBytes(4 << 20)}
		if views {
			opts = append(opts, kernel.WithStringViews())
		}
		reader, err := plan.Merge(context.Background(), runs, opts...)
		if err != nil {
			t.Fatal(err)
		}
		var held []arrow.Record // which hold all there is
		for reader.Next() {
			reader.Record().Retain()
			held = append(held, reader.Record())
		}
		high[views] = reader.Stats()
		reader.Release()
		for _, rec := range held {
			rec.Release()
		}
	}
	if got := high[true].BytesOut; got < rows*32 || got > rows*33 {
		t.Errorf("%d bytes of views and numbers for %d rows", got, rows)
	}
	if text, views := high[false].MemoryHigh, high[true].MemoryHigh; !checkedBuild && views > text || views > 16<<20 { // checked builds choose windows at random
		t.Errorf("%d bytes held with views, %d without", views, text)
	}
}
