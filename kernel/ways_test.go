package kernel_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/braidmerge/braid/kernel"
)

// TestWaysOfWindows merges runs of various sizes and looks how their windows were put in order: by depth, not by the number of runs.
func TestWaysOfWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	runs := func(number, rows int, keys int64, huge ...int) (runs [][]int64) {
		for r := range number {
			n := rows
			if r < len(huge) {
				n = huge[r]
			}
			var ids []int64
			for range n {
				ids = append(ids, rng.Int64N(keys))
			}
			runs = append(runs, sorted(ids))
		}
		return runs
	}
	cascaded := func(s kernel.Stats) int64 { return s.Cascaded }
	counted := func(s kernel.Stats) int64 { return s.Counted }
	for _, test := range []struct {
		name string
		runs [][]int64
		way  func(kernel.Stats) int64
	}{
		{"one run and a few rows", runs(2, 10, 1<<40, 50_000), cascaded},
		{"eight runs of a size", runs(8, 5000, 1<<40), cascaded},
		{"forty runs of a size", runs(40, 2000, 1<<40), func(s kernel.Stats) int64 { return s.Sorted }},
		{"four runs and sixty tiny ones", runs(64, 30, 1<<40, 40_000, 9000, 5000, 2000), cascaded},
		{"sixteen runs of few keys", runs(16, 2500, 2000), counted},
		{"a huge run of few keys and tiny ones", runs(8, 30, 2000, 50_000), cascaded},
		{"forty runs of as many keys as rows", runs(40, 2000, 80_000), counted},
		{"three hundred runs", runs(300, 200, 1<<40, 20_000), func(s kernel.Stats) int64 { return s.Sorted }},
	} {
		t.Run(test.name, func(t *testing.T) {
			mem := checked(t)
			plan := compile(t, shaped, nil, "id")
			var inputs []kernel.Run
			for number, run := range test.runs {
				inputs = append(inputs, shapedRun(t, mem, number, run, 1<<16, "x"))
			}
			reader, err := plan.Merge(context.Background(), inputs, kernel.WithAllocator(mem))
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Release()
			ids, last := lastRuns(test.runs)
			at := 0
			for reader.Next() {
				at += checkShaped(t, reader.Record(), ids[at:], last)
			}
			if err := reader.Err(); err != nil || at != len(ids) {
				t.Fatalf("%d results of %d, %v", at, len(ids), err)
			}
			s := reader.Stats()
			if s.Cascaded+s.Sorted+s.Counted != s.Windows {
				t.Errorf("windows do not add up: %+v", s)
			}
			if n := test.way(s); !checkedBuild && (n < s.Windows-2 || n == 0) { // the first and the last may be unlike the others
				t.Errorf("%d of %d windows are ordered as they should: %+v", n, s.Windows, s)
			}
		})
	}
}
