package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// The table of BenchmarkMerge: an int64 key, five 8-byte columns of which the fourth is half NULL, and a string.
var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "v1", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "v2", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "v3", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "v4", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "v5", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
}, nil)

const totalRows = 8 << 20

// batchRows is how many rows the batches of a run have.
const batchRows = 1 << 17

// makeKeys deals ids to runs: without superseded rows each id to a run at random, otherwise every third id to each run with a
// probability that gives the share.
func makeKeys(k int, share float64, rows int, rng *rand.Rand) [][]int64 {
	keys := make([][]int64, k)
	if share == 0 {
		for id := range int64(rows) {
			r := rng.IntN(k)
			keys[r] = append(keys[r], id)
		}
		return keys
	}
	p := probability(k, share)
	for r := range keys {
		for id := range int64(float64(rows/k) / p) {
			if rng.Float64() < p {
				keys[r] = append(keys[r], 3*id)
			}
		}
	}
	return keys
}

// probability finds how likely an id must be in each of k runs for a share of the rows to be superseded.
func probability(k int, share float64) float64 {
	lo, hi := 1e-6, 1.0
	for range 60 {
		p := (lo + hi) / 2
		if 1-(1-math.Pow(1-p, float64(k)))/(p*float64(k)) < share {
			lo = p
		} else {
			hi = p
		}
	}
	return lo
}

func makeRun(keys []int64, number int, rng *rand.Rand) []arrow.Record {
	var records []arrow.Record
	for from := 0; from < len(keys); from += batchRows {
		records = append(records, makeBatch(keys[from:min(from+batchRows, len(keys))], number, rng))
	}
	return records
}

func makeBatch(keys []int64, number int, rng *rand.Rand) arrow.Record {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Reserve(len(keys))
	ints := func(col int) *array.Int64Builder { return b.Field(col).(*array.Int64Builder) }
	texts := b.Field(6).(*array.StringBuilder)
	texts.ReserveData(13 * len(keys))
	var text []byte
	for i, key := range keys {
		ints(0).UnsafeAppend(key)
		ints(1).UnsafeAppend(int64(number)*100_000_000 + int64(i))
		for col := 2; col < 6; col++ {
			if col == 4 && rng.Uint32()&1 == 0 {
				ints(col).UnsafeAppendBoolToBitmap(false)
				continue
			}
			ints(col).UnsafeAppend(rng.Int64N(1_000_000))
		}
		text = strconv.AppendUint(append(text[:0], "val-"...), rng.Uint64N(1_000_000_000), 10)
		texts.BinaryBuilder.Append(text)
	}
	return b.NewRecord()
}

func cpuTime() int64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return r.Utime.Nano() + r.Stime.Nano()
}

// pooled is how many bytes of released records are kept where output is pooled: those of a record or two.
const pooled = 64 << 20

// BenchmarkMerge reports process CPU time for an input row, with fresh memory for output and with that of records released before.
func BenchmarkMerge(b *testing.B) {
	for _, share := range []float64{0, 0.1, 0.5, 0.87} {
		for _, k := range []int{2, 8, 16, 64} {
			rng := rand.New(rand.NewPCG(9, 9))
			var runs [][]arrow.Record
			rows := 0
			for number, keys := range makeKeys(k, share, totalRows, rng) {
				runs = append(runs, makeRun(keys, number, rng))
				rows += len(keys)
			}
			for _, engine := range []string{"deduplicate", "partial-update"} {
				b.Run(fmt.Sprintf("%s/share=%v/k=%d", engine, share, k), func(b *testing.B) {
					b.ReportAllocs()
					merge(b, engine, runs, rows)
				})
				b.Run(fmt.Sprintf("%s/share=%v/k=%d/pooled", engine, share, k), func(b *testing.B) {
					b.ReportAllocs()
					merge(b, engine, runs, rows, kernel.WithAllocator(kernel.NewPool(pooled)))
				})
			}
		}
	}
}

func merge(b *testing.B, engine string, runs [][]arrow.Record, rows int, how ...kernel.MergeOption) {
	mergeWith(b, schema, []string{"id"}, map[string]string{"merge-engine": engine}, runs, rows, how...)
}

// warmUp gives back what making the input left behind and merges until the heap has been collected twice, so that it has its
// size and its pages, or a few times where output is pooled and the heap does not grow.
func warmUp(once func()) {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	for start, times := m.NumGC, 0; m.NumGC < start+2 && times < 4; times++ {
		once()
		runtime.ReadMemStats(&m)
	}
}

// merging returns what merges the runs of a table once.
func merging(b *testing.B, schema *arrow.Schema, key []string, options map[string]string, runs [][]arrow.Record,
	how ...kernel.MergeOption) func() kernel.Stats {
	opts, err := kernel.ParseOptions(options)
	if err != nil {
		b.Fatal(err)
	}
	plan, err := kernel.Compile(kernel.Table{Schema: schema, PrimaryKey: key}, opts)
	if err != nil {
		b.Fatal(err)
	}
	return func() kernel.Stats {
		inputs := make([]kernel.Run, len(runs))
		for i, records := range runs {
			inputs[i] = kernel.FromRecords(records...)
		}
		reader, err := plan.Merge(context.Background(), inputs, how...)
		if err != nil {
			b.Fatal(err)
		}
		defer reader.Release()
		for reader.Next() {
		}
		if err := reader.Err(); err != nil {
			b.Fatal(err)
		}
		return reader.Stats()
	}
}

// mergeWith merges the runs of a table with options and reports CPU time for an input row, by stage as wall time.
func mergeWith(b *testing.B, schema *arrow.Schema, key []string, options map[string]string, runs [][]arrow.Record, rows int,
	how ...kernel.MergeOption) {
	once := merging(b, schema, key, options, runs, how...)
	var stats kernel.Stats
	warmUp(func() { once() })
	cpu := cpuTime()
	for b.Loop() {
		stats = once()
	}
	cpu = cpuTime() - cpu
	b.ReportMetric(float64(cpu)/float64(b.N)/float64(rows), "cpu-ns/row")
	report(b, &stats, rows)
}

// report adds what a merge counted to the results of a benchmark.
func report(b *testing.B, stats *kernel.Stats, rows int) {
	perRow := func(ns int64) float64 { return float64(ns) / float64(rows) }
	b.ReportMetric(float64(stats.RowsOut)/float64(rows), "kept")
	b.ReportMetric(float64(stats.Windows), "windows")
	b.ReportMetric(float64(stats.MemoryHigh)/(1<<20), "MiB-held")
	b.ReportMetric(float64(stats.Cascaded), "cascaded")
	b.ReportMetric(float64(stats.Sorted), "sorted")
	b.ReportMetric(float64(stats.Counted), "counted")
	b.ReportMetric(float64(stats.Paired), "paired")
	b.ReportMetric(float64(stats.Tied)/float64(rows), "tied")
	for name, t := range map[string]int64{"read": int64(stats.Times.Read), "cut": int64(stats.Times.Cut), "order": int64(stats.Times.Order),
		"groups": int64(stats.Times.Groups), "masks": int64(stats.Times.Masks), "columns": int64(stats.Times.Columns),
		"assemble": int64(stats.Times.Assemble)} {
		b.ReportMetric(perRow(t), name)
	}
}

// alternate merges now one table, now the next, and returns the median CPU time of each for an input row, and what the last
// merge of each counted.
func alternate(b *testing.B, rows int, merges ...func() kernel.Stats) (medians []float64, stats []kernel.Stats) {
	warmUp(func() {
		for _, once := range merges {
			once()
		}
	})
	times := make([][]float64, len(merges))
	stats = make([]kernel.Stats, len(merges))
	for b.Loop() {
		for i, once := range merges {
			cpu := cpuTime()
			stats[i] = once()
			times[i] = append(times[i], float64(cpuTime()-cpu)/float64(rows))
		}
	}
	for _, t := range times {
		slices.Sort(t)
		medians = append(medians, t[len(t)/2])
	}
	return medians, stats
}
