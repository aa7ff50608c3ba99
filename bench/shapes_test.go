package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

// BenchmarkManyRuns merges one run of five million rows with ten thousand runs of a hundred rows each.
func BenchmarkManyRuns(b *testing.B) {
	const base, runsOver, rowsOver = 5_000_000, 10_000, 100
	rng := rand.New(rand.NewPCG(7, 7))
	ids := make([]int64, base)
	for i := range ids {
		ids[i] = int64(2 * i)
	}
	runs := [][]arrow.Record{makeRun(ids, 0, rng)}
	for number := range runsOver {
		ids := make([]int64, rowsOver)
		for i := range ids {
			ids[i] = rng.Int64N(2 * base)
		}
		slices.Sort(ids)
		runs = append(runs, makeRun(ids, number+1, rng))
	}
	b.ReportAllocs()
	merge(b, "deduplicate", runs, base+runsOver*rowsOver)
}
