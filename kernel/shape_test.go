package kernel_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/kernel"
)

// shaped is a table whose rows tell where they are from: v is the run.
var shaped = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "v", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "text", Type: arrow.BinaryTypes.String},
}, nil)

// shapedRun is a run of ids in batches of so many rows.
func shapedRun(t testing.TB, mem memory.Allocator, number int, ids []int64, batchRows int, text string) kernel.Run {
	t.Helper()
	b := array.NewRecordBuilder(mem, shaped)
	defer b.Release()
	for _, id := range ids {
		b.Field(0).(*array.Int64Builder).Append(id)
		b.Field(1).(*array.Int64Builder).Append(int64(number))
		b.Field(2).(*array.StringBuilder).Append(text)
	}
	whole := b.NewRecord()
	defer whole.Release()
	var records []arrow.Record
	for from := 0; from < len(ids); from += batchRows {
		rec := whole.NewSlice(int64(from), int64(min(from+batchRows, len(ids))))
		t.Cleanup(rec.Release)
		records = append(records, rec)
	}
	return kernel.FromRecords(records...)
}

// lastRuns says for every id which run has it last.
func lastRuns(runs [][]int64) (ids []int64, last map[int64]int64) {
	last = map[int64]int64{}
	for number, run := range runs {
		for _, id := range run {
			last[id] = int64(number)
		}
	}
	for id := range last {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, last
}

// checkShaped compares a record with the keys that are next and the last run of each, and returns how many rows it has.
func checkShaped(t *testing.T, rec arrow.Record, ids []int64, last map[int64]int64) int {
	t.Helper()
	id, v := rec.Column(0).(*array.Int64), rec.Column(1).(*array.Int64)
	for i := range int(rec.NumRows()) {
		if i == len(ids) || id.Value(i) != ids[i] || v.Value(i) != last[ids[i]] {
			t.Fatalf("row %d is key %d of run %d, %d keys are left", i, id.Value(i), v.Value(i), len(ids))
		}
	}
	return int(rec.NumRows())
}

func sorted(ids []int64) []int64 {
	slices.Sort(ids)
	return ids
}

// TestShapes merges runs of unusual sizes and checks every row, and what the merge says it did. BRAID_SAMPLE makes fewer batches
// and runs of those with many.
func TestShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int, most int64) (ids []int64) {
		for range n {
			ids = append(ids, rng.Int64N(most))
		}
		return sorted(ids)
	}
	sequence := func(from, n int64) (ids []int64) {
		for i := range n {
			ids = append(ids, from+i)
		}
		return ids
	}
	repeated := func(id int64, n int) []int64 { return slices.Repeat([]int64{id}, n) }
	for _, test := range []struct {
		name      string
		runs      [][]int64
		batchRows int
		windows   int64 // at most
		slices    bool
	}{
		{"one run", [][]int64{sequence(0, 100_000)}, 30_000, 1, true},
		{"one run in batches of one row", [][]int64{sequence(0, int64(testscale.Few(t, 20_000, 4000)))}, 1, 10, false},
		{"disjoint", [][]int64{sequence(0, 50_000), sequence(50_000, 50_000), sequence(200_000, 50_000)}, 10_000, 3, true},
		{"touching", [][]int64{sequence(0, 50_001), sequence(50_000, 50_000)}, 10_000, 10, true},
		{"small batches", [][]int64{random(100_000, 1<<20), random(100_000, 1<<20), random(100_000, 1<<20)}, 1000, 30, false},
		{"tiny batches", [][]int64{random(testscale.Few(t, 60_000, 10_000), 1<<18), random(testscale.Few(t, 60_000, 10_000), 1<<18)}, 1, 20, false},
		{"huge and tiny", [][]int64{sequence(0, 300_000), random(50, 300_000), random(3, 300_000)}, 100_000, 80, true},
		{"one key", [][]int64{repeated(7, 150_000), repeated(7, 150_000)}, 1000, 1, false},
		{"one key between others", [][]int64{append(sequence(-1000, 1000), append(repeated(7, 150_000), sequence(8, 1000)...)...), repeated(7, 70_000)}, 5000, 6, false},
		{"extremes", [][]int64{{-1 << 63, 0, 1<<63 - 1}, {-1 << 63, 1<<63 - 1}, {-1, 1}}, 1, 8, false},
		{"three hundred runs", func() (runs [][]int64) {
			for range 300 {
				runs = append(runs, random(200, 5000))
			}
			return runs
		}(), 64, 10, false},
		{"thousands of runs", func() (runs [][]int64) {
			for range testscale.Few(t, 10_000, 2000) {
				runs = append(runs, random(5, 20_000))
			}
			return runs
		}(), 3, 10, false},
		{"one key a million times", [][]int64{repeated(7, 500_000), repeated(7, 500_000)}, 1 << 20, 1, false},
		{"batches of a million rows", [][]int64{random(1<<20, 1<<22), random(1000, 1<<22)}, 1 << 20, 150, false},
		{"hashed ids", [][]int64{hashed(rng, 80_000), hashed(rng, 80_000), hashed(rng, 80_000)}, 20_000, 40, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			mem := checked(t)
			plan := compile(t, shaped, nil, "id")
			ids, last := lastRuns(test.runs)
			var runs []kernel.Run
			rows := int64(0)
			for number, run := range test.runs {
				runs = append(runs, shapedRun(t, mem, number, run, test.batchRows, "x"))
				rows += int64(len(run))
			}
			reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem))
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Release()
			at := 0
			for reader.Next() {
				at += checkShaped(t, reader.Record(), ids[at:], last)
			}
			if err := reader.Err(); err != nil || at != len(ids) {
				t.Fatalf("%d results of %d, %v", at, len(ids), err)
			}
			s := reader.Stats()
			if s.Runs != len(runs) || s.RowsIn != rows || s.RowsOut != int64(len(ids)) || s.BytesIn <= 0 || s.BytesOut <= 0 || s.MemoryHigh <= 0 {
				t.Errorf("%d runs of %d rows, %d keys: %+v", len(runs), rows, len(ids), s)
			}
			if s.Windows > test.windows && !checkedBuild {
				t.Errorf("%d windows, at most %d were to be expected", s.Windows, test.windows)
			}
			if test.slices != (s.Slices > 0) && !checkedBuild {
				t.Errorf("%d slices of %d rows", s.Slices, s.SlicedRows)
			}
		})
	}
}

func hashed(rng *rand.Rand, n int) (ids []int64) {
	for range n {
		ids = append(ids, int64(uint64(rng.IntN(200_000))*0x9E3779B97F4A7C15))
	}
	return sorted(ids)
}

// TestManyColumns merges two runs of a thousand columns.
func TestManyColumns(t *testing.T) {
	mem := checked(t)
	const columns = 1000
	fields := []arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}}
	for i := 1; i < columns; i++ {
		fields = append(fields, arrow.Field{Name: fmt.Sprint("c", i), Type: arrow.PrimitiveTypes.Int64, Nullable: true})
	}
	schema := arrow.NewSchema(fields, nil)
	plan := compile(t, schema, map[string]string{"merge-engine": "partial-update"}, "id")
	var runs []kernel.Run
	for number := range 2 {
		b := array.NewRecordBuilder(mem, schema)
		for row := range 100 {
			b.Field(0).(*array.Int64Builder).Append(int64(row))
			for i := 1; i < columns; i++ {
				if column := b.Field(i).(*array.Int64Builder); i%2 == number {
					column.Append(int64(number*row*i + i))
				} else {
					column.AppendNull()
				}
			}
		}
		rec := b.NewRecord()
		b.Release()
		t.Cleanup(rec.Release)
		runs = append(runs, kernel.FromRecords(rec))
	}
	reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	row := 0
	for ; reader.Next(); row += int(reader.Record().NumRows()) {
		for i := 1; i < columns; i++ {
			column := reader.Record().Column(i).(*array.Int64)
			for at := range column.Len() {
				if got, want := column.Value(at), int64(i%2*(row+at)*i+i); column.IsNull(at) || got != want {
					t.Fatalf("row %d of column %d is %d, want %d", row+at, i, got, want)
				}
			}
		}
	}
	if err := reader.Err(); err != nil || row != 100 {
		t.Fatalf("%d rows, %v", row, err)
	}
}

// empties is a reader of empty records without an end.
type empties struct{ array.RecordReader }

func (*empties) Next() bool { return true }

// TestEndlessEmptyBatches holds that a reader that never gives a row ends in an error.
func TestEndlessEmptyBatches(t *testing.T) {
	rec := record(t, memory.DefaultAllocator, orders)
	r, err := array.NewRecordReader(orders, []arrow.Record{rec})
	if err != nil {
		t.Fatal(err)
	}
	r.Next()
	_, err = merge(compile(t, orders, nil, "id"), []kernel.Run{kernel.FromReader(&empties{r})})
	if !errors.Is(err, kernel.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

// TestSlicesShareMemory holds that a stretch of one run is passed on without a copy, and copied when asked.
func TestSlicesShareMemory(t *testing.T) {
	var ids []int64
	for i := range int64(5000) {
		ids = append(ids, i)
	}
	plan := compile(t, shaped, nil, "id")
	input := shapedRun(t, memory.DefaultAllocator, 0, ids, 5000, "x")
	source, err := input.Files[0].Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer source.Release()
	source.Next()
	want := &source.Record().Column(0).(*array.Int64).Int64Values()[0]
	for _, copied := range []bool{false, true} {
		if checkedBuild && !copied {
			continue // checked builds copy at random
		}
		opts := []kernel.MergeOption{kernel.WithBatchRows(1 << 20)}
		if copied {
			opts = append(opts, kernel.WithCopy())
		}
		reader, err := plan.Merge(context.Background(), []kernel.Run{input}, opts...)
		if err != nil {
			t.Fatal(err)
		}
		if !reader.Next() {
			t.Fatal(reader.Err())
		}
		got := &reader.Record().Column(0).(*array.Int64).Int64Values()[0]
		if shared := got == want; shared == copied {
			t.Errorf("WithCopy %v: memory is shared: %v", copied, shared)
		}
		reader.Release()
	}
}

// TestWideRows holds that rows of many bytes make windows and records of few rows.
func TestWideRows(t *testing.T) {
	mem := checked(t)
	plan := compile(t, shaped, nil, "id")
	wide := string(bytes.Repeat([]byte("w"), 100_000))
	even, odd := []int64{}, []int64{}
	for i := range int64(200) {
		even, odd = append(even, 2*i), append(odd, 2*i+1)
	}
	runs := []kernel.Run{shapedRun(t, mem, 0, even, 7, wide), shapedRun(t, mem, 1, odd, 7, wide)}
	reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem), kernel.WithBatchBytes(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	rows := int64(0)
	for reader.Next() {
		if n := reader.Record().NumRows(); n > 12 {
			t.Errorf("a record of %d rows of 100,000 bytes, for a bound of 1 MiB", n)
		}
		rows += reader.Record().NumRows()
	}
	if err := reader.Err(); err != nil || rows != 400 {
		t.Fatalf("%d rows, %v", rows, err)
	}
	if high := reader.Stats().MemoryHigh; high > 16<<20 {
		t.Errorf("%d bytes held for windows of 1 MiB", high)
	}
}

// TestMemoryLimit holds that a merge works on less at a time before it gives up.
func TestMemoryLimit(t *testing.T) {
	mem := checked(t)
	plan := compile(t, shaped, nil, "id")
	rng := rand.New(rand.NewPCG(5, 5))
	var runs []kernel.Run
	for number := range 4 {
		var ids []int64
		for range 50_000 {
			ids = append(ids, rng.Int64N(1<<20))
		}
		runs = append(runs, shapedRun(t, mem, number, sorted(ids), 1000, "some text"))
	}
	free, err := merge(plan, runs, kernel.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	tight, err := merge(plan, runs, kernel.WithAllocator(mem), kernel.WithMemoryLimit(2<<20))
	if err != nil || !slices.Equal(free, tight) {
		t.Errorf("%d rows with a limit, %d without, %v", len(tight), len(free), err)
	}
	if _, err := merge(plan, runs, kernel.WithAllocator(mem), kernel.WithMemoryLimit(100_000)); !errors.Is(err, kernel.ErrMemoryLimit) {
		t.Errorf("a limit that is too low gives %v", err)
	}
}

// TestMemoryLimitOfSlices holds that a merge keeps its limit where it gives slices of its inputs, which it has in hand.
func TestMemoryLimitOfSlices(t *testing.T) {
	mem := checked(t)
	plan := compile(t, shaped, nil, "id")
	var runs []kernel.Run
	for number := range 2 {
		var ids []int64
		for i := range 20_000 {
			ids = append(ids, int64(20_000*number+i))
		}
		runs = append(runs, shapedRun(t, mem, number, ids, len(ids), "some text"))
	}
	failed, kept := 0, 0
	for limit := int64(1 << 14); limit <= 1<<24; limit *= 2 {
		rows, err := merge(plan, runs, kernel.WithAllocator(mem), kernel.WithMemoryLimit(limit))
		switch {
		case errors.Is(err, kernel.ErrMemoryLimit):
			failed++
		case err != nil || len(rows) != 40_000:
			t.Fatalf("%d rows with a limit of %d, %v", len(rows), limit, err)
		default:
			kept++
		}
	}
	if failed < 3 || kept < 3 {
		t.Errorf("%d limits were too low, %d were kept, for two records of 20,000 rows", failed, kept)
	}
}

// TestScratchIsKept holds that a merge, once it is warm, allocates for a window no more than its record is made of.
func TestScratchIsKept(t *testing.T) {
	if checkedBuild {
		return // checks allocate
	}
	rng := rand.New(rand.NewPCG(6, 6))
	var runs []kernel.Run
	for number := range 4 {
		var ids []int64
		for range 400_000 {
			ids = append(ids, rng.Int64N(1<<20))
		}
		runs = append(runs, shapedRun(t, memory.DefaultAllocator, number, sorted(ids), 400_000, "text that is not inline"))
	}
	for _, options := range []map[string]string{
		nil,
		{"merge-engine": "partial-update"},
		{"merge-engine": "partial-update", "fields.v.sequence-group": "text"},
		{"merge-engine": "partial-update", "fields.v.sequence-group": "text", "fields.text.aggregate-function": "last_value"},
		{"merge-engine": "aggregation", "fields.v.aggregate-function": "sum", "fields.text.aggregate-function": "first_value"},
		{"merge-engine": "aggregation", "fields.v.aggregate-function": "max", "fields.text.aggregate-function": "max"},
		{"merge-engine": "aggregation", "fields.text.aggregate-function": "listagg"},
	} {
		for _, opts := range [][]kernel.MergeOption{nil, {kernel.WithStringViews()}} {
			checkScratchIsKept(t, runs, options, opts)
		}
	}
}

func checkScratchIsKept(t *testing.T, runs []kernel.Run, options map[string]string, opts []kernel.MergeOption) {
	t.Helper()
	plan := compile(t, shaped, options, "id")
	reader, err := plan.Merge(context.Background(), runs, opts...)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if !reader.Next() {
			t.Fatal(reader.Err())
		}
	}
	var before, after runtime.MemStats
	windows := 0
	runtime.ReadMemStats(&before)
	for range 10 {
		if !reader.Next() {
			t.Fatal(reader.Err())
		}
		windows++
	}
	runtime.ReadMemStats(&after)
	reader.Release()
	const buffers, columns = 4, 3
	bound := 2*buffers + 6*columns + 6 // each buffer and its header, Arrow's objects for a column, those for a record
	if len(opts) > 0 && options["merge-engine"] == "aggregation" {
		bound += 2 + 6 // the array of text that a function gives before it is seen as views
	}
	if got := int(after.Mallocs-before.Mallocs) / windows; got > bound {
		t.Errorf("%v, %d options: %d allocations a window, at most %d are its record", options, len(opts), got, bound)
	}
}
