package main

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// BenchmarkNulls merges the table of BenchmarkMerge by partial-update, with one of its five 8-byte columns half NULL and with all of
// them, in alternation and with pooled output. "one" and "five" are CPU time for an input row, "ratio" is that of their medians.
func BenchmarkNulls(b *testing.B) {
	for _, share := range []float64{0, 0.1, 0.5, 0.87} {
		for _, k := range []int{8, 64} {
			b.Run(fmt.Sprintf("share=%v/k=%d", share, k), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(9, 9))
				var one, five [][]arrow.Record
				rows := 0
				for number, keys := range makeKeys(k, share, totalRows, rng) {
					run := makeRun(keys, number, rng)
					one, five = append(one, run), append(five, halfNull(run, rng))
					rows += len(keys)
				}
				options := map[string]string{"merge-engine": "partial-update"}
				pool := kernel.WithAllocator(kernel.NewPool(pooled))
				medians, stats := alternate(b, rows, merging(b, schema, []string{"id"}, options, one, pool),
					merging(b, schema, []string{"id"}, options, five, pool))
				b.ReportMetric(medians[0], "one")
				b.ReportMetric(medians[1], "five")
				b.ReportMetric(medians[1]/medians[0], "ratio")
				report(b, &stats[1], rows)
			})
		}
	}
}

// halfNull makes every second value of the 8-byte columns NULL, at random. What a column is has bitmaps of its own.
func halfNull(run []arrow.Record, rng *rand.Rand) []arrow.Record {
	var out []arrow.Record
	for _, rec := range run {
		cols := append([]arrow.Array(nil), rec.Columns()...)
		for c := 1; c < 6; c++ {
			bitmap := make([]byte, (rec.NumRows()+7)/8)
			for i := range bitmap {
				bitmap[i] = byte(rng.Uint32())
			}
			buffers := []*memory.Buffer{memory.NewBufferBytes(bitmap), cols[c].Data().Buffers()[1]}
			cols[c] = array.MakeFromData(array.NewData(cols[c].DataType(), cols[c].Len(), buffers, nil, array.UnknownNullCount, 0))
		}
		out = append(out, array.NewRecord(rec.Schema(), cols, rec.NumRows()))
	}
	return out
}
