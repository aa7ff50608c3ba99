package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
)

// manyWindows makes runs of several windows each, in which most keys have a rival.
func manyWindows(t testing.TB, mem memory.Allocator, batchRows int) []kernel.Run {
	rng := rand.New(rand.NewPCG(3, 5))
	var runs []kernel.Run
	for number := range 5 {
		ids := make([]int64, 30_000)
		for i := range ids {
			ids[i] = rng.Int64N(50_000)
		}
		runs = append(runs, shapedRun(t, mem, number, sorted(ids), batchRows, fmt.Sprint("run ", number)))
	}
	return append(runs, shapedRun(t, mem, 5, sequence(1_000_000, 100_000), batchRows, "alone")) // passes as slices
}

// sequence returns n numbers, one after another.
func sequence(from, n int64) (ids []int64) {
	for i := range n {
		ids = append(ids, from+i)
	}
	return ids
}

// TestParallelism holds that rows and their order do not depend on the number of workers.
func TestParallelism(t *testing.T) {
	mem := checked(t)
	runs := manyWindows(t, mem, 5000)
	ways := [][]kernel.MergeOption{nil, {kernel.KeepSystemColumns()}, {kernel.WithMemoryLimit(48 << 20)}, {kernel.WithBatchRows(1000), kernel.WithCopy()}}
	for i, options := range []map[string]string{
		nil,
		{"merge-engine": "partial-update"},
		{"merge-engine": "first-row"},
		{"merge-engine": "partial-update", "fields.v.sequence-group": "text"},
		{"merge-engine": "aggregation", "fields.v.aggregate-function": "sum", "fields.text.aggregate-function": "listagg"},
	} {
		plan := compile(t, shaped, options, "id")
		for _, opts := range [][]kernel.MergeOption{ways[i%len(ways)], ways[(i+2)%len(ways)]} {
			want := mergedColumns(t, mem, plan, runs, append(opts, kernel.WithParallelism(1))...)
			for _, workers := range []int{2, 5} {
				got := mergedColumns(t, mem, plan, runs, append(opts, kernel.WithParallelism(workers))...)
				if got[0].Len() < 140_000 || !slices.EqualFunc(got, want, array.Equal) {
					t.Errorf("%v: %d workers give %d rows, which are not the %d of one", options, workers, got[0].Len(), want[0].Len())
				}
			}
		}
	}
}

// mergedColumns merges and returns all rows, column by column. They are released with the test.
func mergedColumns(t *testing.T, mem memory.Allocator, plan *kernel.Plan, runs []kernel.Run, opts ...kernel.MergeOption) (columns []arrow.Array) {
	t.Helper()
	reader, err := plan.Merge(context.Background(), runs, append(opts, kernel.WithAllocator(mem))...)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	parts := make([][]arrow.Array, reader.Schema().NumFields())
	for reader.Next() {
		for i, column := range reader.Record().Columns() {
			column.Retain()
			defer column.Release()
			parts[i] = append(parts[i], column)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		whole, err := array.Concatenate(part, mem)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(whole.Release)
		columns = append(columns, whole)
	}
	return columns
}

// TestWorkersStayNear holds that no more windows are merged before they are asked for than is said.
func TestWorkersStayNear(t *testing.T) {
	const workers = 3
	mem := checked(t)
	reader, err := compile(t, shaped, nil, "id").Merge(context.Background(), manyWindows(t, mem, 1<<16)[:5],
		kernel.WithAllocator(mem), kernel.WithParallelism(workers), kernel.WithBatchBytes(1<<17))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	if !reader.Next() {
		t.Fatal(reader.Err())
	}
	const most = 1 + workers + 1
	deadline := time.Now().Add(20 * time.Second)
	for reader.Stats().Windows < most && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	if n := reader.Stats().Windows; n != most {
		t.Errorf("%d windows are merged before the second is asked for, want %d", n, most)
	}
}

// TestWorkersRelease ends merges at every stage.
func TestWorkersRelease(t *testing.T) {
	mem := checked(t)
	runs := manyWindows(t, mem, 3000)
	plan := compile(t, shaped, nil, "id")
	for records := range 6 {
		ctx, cancel := context.WithCancel(context.Background())
		reader, err := plan.Merge(ctx, runs, kernel.WithAllocator(mem), kernel.WithParallelism(4))
		if err != nil {
			t.Fatal(err)
		}
		for range records {
			if !reader.Next() {
				t.Fatal(reader.Err())
			}
		}
		if records&1 == 1 {
			cancel()
		}
		reader.Release()
		cancel()
	}
}

// TestWorkersErrors holds that all rows before an error come before it, and that it is the first one.
func TestWorkersErrors(t *testing.T) {
	mem := checked(t)
	runs := manyWindows(t, mem, 5000)
	runs = append(runs, shapedRun(t, mem, 6, append(sequence(0, 90_000), 70_000), 5000, "wrong"))
	plan := compile(t, shaped, nil, "id")
	rowsBefore := func(workers int) (rows int64, err error) {
		reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem), kernel.WithParallelism(workers))
		if err != nil {
			return 0, err
		}
		defer reader.Release()
		for reader.Next() {
			rows += reader.Record().NumRows()
		}
		return rows, reader.Err()
	}
	want, wantErr := rowsBefore(1)
	if !errors.Is(wantErr, kernel.ErrUnsorted) || want == 0 {
		t.Fatalf("%d rows and %v", want, wantErr)
	}
	for range 5 {
		rows, err := rowsBefore(3)
		if checkedBuild {
			rows = want // windows are of random sizes
		}
		if rows != want || err == nil || err.Error() != wantErr.Error() {
			t.Errorf("three workers give %d rows and %v, one gives %d and %v", rows, err, want, wantErr)
		}
	}
}

// watched is a reader that notes whether it is called by two goroutines at once, and how many of its kind are at work.
type watched struct {
	array.RecordReader
	inside   atomic.Int32
	together *atomic.Int32 // readers at work
	most     *atomic.Int32 // that were at work at the same time
	panics   any           // at the second call
	calls    int
}

func (w *watched) Next() bool {
	if w.inside.Add(1) > 1 {
		panic("two goroutines read one file")
	}
	defer w.inside.Add(-1)
	n := w.together.Add(1)
	defer w.together.Add(-1)
	for old := w.most.Load(); n > old && !w.most.CompareAndSwap(old, n); old = w.most.Load() {
	}
	if w.calls++; w.calls == 2 && w.panics != nil {
		panic(w.panics)
	}
	time.Sleep(100 * time.Microsecond)
	return w.RecordReader.Next()
}

// watch has the files of runs be read by watched readers.
func watch(runs []kernel.Run, panics any) (most *atomic.Int32) {
	together := new(atomic.Int32)
	most = new(atomic.Int32)
	for i := range runs {
		runs[i].Files = slices.Clone(runs[i].Files)
		open := runs[i].Files[0].Open
		runs[i].Files[0].Open = func(ctx context.Context) (array.RecordReader, error) {
			r, err := open(ctx)
			return &watched{RecordReader: r, together: together, most: most, panics: panics}, err
		}
	}
	return most
}

// TestReadAhead holds that files are read ahead at the same time, each by one goroutine at a time, and not under a memory limit.
func TestReadAhead(t *testing.T) {
	mem := checked(t)
	plan := compile(t, shaped, nil, "id")
	for _, limit := range []int64{0, 64 << 20} {
		runs := manyWindows(t, mem, 2000)
		most := watch(runs, nil)
		if rows := mergedColumns(t, mem, plan, runs, kernel.WithParallelism(3), kernel.WithMemoryLimit(limit))[0].Len(); rows < 140_000 {
			t.Fatalf("%d rows", rows)
		}
		if n := most.Load(); limit == 0 && (n < 2 || n > 4) || limit > 0 && n != 1 {
			t.Errorf("%d files are read at the same time under a limit of %d bytes", n, limit)
		}
	}
}

// TestWorkerPanics holds that a panic of the caller's code in a worker comes out of Next, and that nothing is left behind.
func TestWorkerPanics(t *testing.T) {
	mem := checked(t)
	broken := errors.New("broken")
	fails := ownFunction(func(*aggfuncs.Groups, *columnar.View, memory.Allocator) (arrow.ArrayData, error) { panic(broken) })
	options, err := kernel.ParseOptions(map[string]string{"merge-engine": "aggregation", "fields.v.aggregate-function": "own"})
	if err != nil {
		t.Fatal(err)
	}
	own, err := kernel.Compile(kernel.Table{Schema: shaped, PrimaryKey: []string{"id"}}, options,
		kernel.WithFunction("own", making(aggfuncs.Rule{Function: fails}, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for name, plan := range map[string]*kernel.Plan{"function": own, "input": compile(t, shaped, nil, "id")} {
		runs := manyWindows(t, mem, 2000)
		if name == "input" {
			watch(runs, broken)
		}
		reader, err := plan.Merge(context.Background(), runs, kernel.WithAllocator(mem), kernel.WithParallelism(2))
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				err, _ := recover().(error)
				var panicked *kernel.WorkerPanic
				if !errors.As(err, &panicked) || !errors.Is(err, broken) || !strings.Contains(err.Error(), "goroutine") {
					t.Errorf("%s: Next panics with %v", name, err)
				}
			}()
			for reader.Next() {
			}
			t.Errorf("%s: no panic, but %v", name, reader.Err())
		}()
		reader.Release()
	}
}
