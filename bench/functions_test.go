package main

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// functionJobs are jobs over the table of BenchmarkMerge, by name.
var functionJobs = []struct {
	name    string
	options map[string]string
	floats  bool // v1 to v4 are doubles
	numbers bool // the runs have sequence numbers, which overlap
}{
	{name: "deduplicate", options: map[string]string{"merge-engine": "deduplicate"}},
	{name: "partial-update", options: map[string]string{"merge-engine": "partial-update"}},
	{name: "aggregation-int64", options: aggregation("sum", "min", "max", "sum")},
	{name: "aggregation-float64", options: aggregation("sum", "min", "max", "sum"), floats: true},
	{name: "sequence-groups", options: map[string]string{"merge-engine": "partial-update",
		"fields.v1.sequence-group": "v2,v3", "fields.v5.sequence-group": "v4,text"}},
	{name: "change-data-deduplicate", options: map[string]string{"merge-engine": "deduplicate", "sequence.field": "v5"}, numbers: true},
	{name: "change-data-partial-update", options: map[string]string{"merge-engine": "partial-update", "sequence.field": "v5"}, numbers: true},
}

// aggregation gives v1 to v4 functions; the other columns have the last value that is not NULL.
func aggregation(functions ...string) map[string]string {
	options := map[string]string{"merge-engine": "aggregation"}
	for i, f := range functions {
		options[fmt.Sprintf("fields.v%d.aggregate-function", i+1)] = f
	}
	return options
}

// BenchmarkFunctions reports process CPU time for an input row of merges by options: functions, sequence groups and orders of
// versions. The first two jobs are those to compare with.
func BenchmarkFunctions(b *testing.B) {
	for _, share := range []float64{0, 0.1, 0.5, 0.87} {
		rng := rand.New(rand.NewPCG(9, 9))
		var plain, floats, numbered [][]arrow.Record
		rows := 0
		for number, keys := range makeKeys(8, share, totalRows, rng) {
			run := makeRun(keys, number, rng)
			plain, rows = append(plain, run), rows+len(keys)
			floats = append(floats, mapRecords(run, withFloats))
			numbered = append(numbered, mapRecords(run, func(rec arrow.Record) arrow.Record { return withNumbers(rec, rng) }))
		}
		for _, job := range functionJobs {
			b.Run(fmt.Sprintf("%s/share=%v/k=8", job.name, share), func(b *testing.B) {
				b.ReportAllocs()
				table, runs := schema, plain
				if job.floats {
					table, runs = floats[0][0].Schema(), floats
				}
				if job.numbers {
					runs = numbered
				}
				mergeWith(b, table, []string{"id"}, job.options, runs, rows)
			})
		}
	}
}

func mapRecords(records []arrow.Record, f func(arrow.Record) arrow.Record) (out []arrow.Record) {
	for _, rec := range records {
		out = append(out, f(rec))
	}
	return out
}

// withFloats makes v1 to v4 of a record doubles.
func withFloats(rec arrow.Record) arrow.Record {
	fields, cols := rec.Schema().Fields(), append([]arrow.Array{}, rec.Columns()...)
	for at := 1; at <= 4; at++ {
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		b.Reserve(int(rec.NumRows()))
		for row, x := range cols[at].(*array.Int64).Int64Values() {
			if cols[at].IsNull(row) {
				b.AppendNull()
			} else {
				b.UnsafeAppend(float64(x) / 16)
			}
		}
		fields[at].Type, cols[at] = arrow.PrimitiveTypes.Float64, b.NewArray()
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), cols, rec.NumRows())
}

// withNumbers puts sequence numbers before the columns of a record, drawn from one range for all runs.
func withNumbers(rec arrow.Record, rng *rand.Rand) arrow.Record {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.Reserve(int(rec.NumRows()))
	for range rec.NumRows() {
		b.UnsafeAppend(rng.Int64N(totalRows))
	}
	fields := append([]arrow.Field{{Name: "_SEQUENCE_NUMBER", Type: arrow.PrimitiveTypes.Int64}}, rec.Schema().Fields()...)
	return array.NewRecord(arrow.NewSchema(fields, nil), append([]arrow.Array{b.NewArray()}, rec.Columns()...), rec.NumRows())
}

// listTable is a table of a text and a list, for listagg and collect, and of a sketch.
var listTable = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int64), Nullable: true},
	{Name: "sketch", Type: arrow.BinaryTypes.Binary, Nullable: true},
}, nil)

// listRows is how many rows the merges of lists and sketches have.
const listRows = 1 << 20

// sketches are HLL sketches in the coupon mode SET, as a roll-up by the hour would have them.
func sketches(rng *rand.Rand) [][]byte {
	all := make([][]byte, 256)
	for i := range all {
		ints := make([]int64, 20+rng.IntN(100))
		for j := range ints {
			ints[j] = rng.Int64()
		}
		var err error
		if all[i], err = rowmerge.BuildHll(ints, 12, "HLL_4"); err != nil {
			panic(err)
		}
	}
	return all
}

func makeLists(keys []int64, sketches [][]byte, rng *rand.Rand) []arrow.Record {
	var records []arrow.Record
	for from := 0; from < len(keys); from += batchRows {
		b := array.NewRecordBuilder(memory.DefaultAllocator, listTable)
		list := b.Field(2).(*array.ListBuilder)
		for _, key := range keys[from:min(from+batchRows, len(keys))] {
			b.Field(0).(*array.Int64Builder).Append(key)
			b.Field(1).(*array.StringBuilder).Append(fmt.Sprintf("%08d", rng.IntN(100_000_000)))
			list.Append(true)
			for range 3 {
				list.ValueBuilder().(*array.Int64Builder).Append(rng.Int64N(1000))
			}
			b.Field(3).(*array.BinaryBuilder).Append(sketches[rng.IntN(len(sketches))])
		}
		records = append(records, b.NewRecord())
		b.Release()
	}
	return records
}

// BenchmarkLists reports process CPU time for an input row of functions whose values have no fixed width, and of the row merger on
// the first 65,536 rows or so for comparison.
func BenchmarkLists(b *testing.B) {
	for _, share := range []float64{0.1, 0.5} {
		rng := rand.New(rand.NewPCG(9, 9))
		pool := sketches(rng)
		var runs [][]arrow.Record
		rows := 0
		for _, keys := range makeKeys(8, share, listRows, rng) {
			runs, rows = append(runs, makeLists(keys, pool, rng)), rows+len(keys)
		}
		for _, job := range []struct{ column, function string }{
			{"text", "listagg"}, {"list", "collect"}, {"sketch", "hll_sketch"}, {"sketch", "last_value"}, {"text", "last_value"}, {"list", "last_value"},
		} {
			at := listTable.FieldIndices(job.column)[0]
			table := arrow.NewSchema([]arrow.Field{listTable.Field(0), listTable.Field(at)}, nil)
			var inputs [][]arrow.Record
			for _, run := range runs {
				inputs = append(inputs, mapRecords(run, func(rec arrow.Record) arrow.Record {
					return array.NewRecord(table, []arrow.Array{rec.Column(0), rec.Column(at)}, rec.NumRows())
				}))
			}
			options := map[string]string{"merge-engine": "aggregation", "fields." + job.column + ".aggregate-function": job.function}
			name := fmt.Sprintf("%s-%s/share=%v/k=8", job.function, job.column, share)
			b.Run(name+"/kernel", func(b *testing.B) {
				b.ReportAllocs()
				mergeWith(b, table, []string{"id"}, options, inputs, rows)
			})
			b.Run(name+"/rows", func(b *testing.B) { mergeByRow(b, table, options, inputs) })
		}
	}
}

// mergeByRow has the row merger merge the first rows of every run.
func mergeByRow(b *testing.B, table *arrow.Schema, options map[string]string, runs [][]arrow.Record) {
	p := rowmerge.Problem{Schema: table, PrimaryKey: []string{"id"}, Options: options}
	rows := int64(0)
	for _, run := range runs {
		rec := run[0].NewSlice(0, min(run[0].NumRows(), 1<<13))
		p.Runs = append(p.Runs, rowmerge.Run{Records: []arrow.Record{rec}})
		rows += rec.NumRows()
	}
	cpu := cpuTime()
	for b.Loop() {
		if _, err := p.Merge(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(cpuTime()-cpu)/float64(rows)/float64(b.N), "cpu-ns/row")
}
