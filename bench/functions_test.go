package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
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
