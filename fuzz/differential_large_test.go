package fuzz_test

import (
	"testing"

	"github.com/braidmerge/braid/internal/rungen"
)

// largeProblems are those that take many rows to be what they are.
var largeProblems = []rungen.Spec{
	{Rows: 150_000, Runs: 3, Shape: rungen.Interleaved, Universe: 1, Repeats: true},
	{Rows: 120_000, Runs: 5, Shape: rungen.Hot, Repeats: true, Numbers: rungen.Overlap},
	{Rows: 80_000, Runs: 700, Shape: rungen.Dealt, Repeats: true, Numbers: rungen.Rising},
	{Rows: 80_000, Runs: 300, Shape: rungen.Duplicates, Layout: rungen.Layout{Batch: "1000"}},
	{Rows: 80_000, Runs: 64, Shape: rungen.Interleaved, Share: rungen.Skewed, Numbers: rungen.Shaken},
	{Rows: 20_000, Runs: 8, Shape: rungen.Interleaved, Layout: rungen.Layout{Batch: "1", Arrays: rungen.Padded}},
	{Rows: 150_000, Runs: 4, Shape: rungen.Stretches, Layout: rungen.Layout{Batch: "1024", Arrays: rungen.Shared}},
	{Rows: 80_000, Runs: 6, Shape: rungen.Disjoint, Share: rungen.Gaps},
	{Rows: 80_000, Runs: 6, Shape: rungen.Touching, Layout: rungen.Layout{Batch: "mixed"}},
	{Rows: 80_000, Runs: 4, Shape: rungen.Same, Numbers: rungen.Falling},
}

// largeKeys are the keys each large problem is put with in turn.
var largeKeys = []rungen.Column{
	{Style: rungen.Dense}, {Style: rungen.Spread}, {Style: rungen.Clusters},
	{Type: "utf8", Style: rungen.Late}, {Type: "utf8", Style: rungen.Hex}, {Type: "utf8", Style: rungen.Chain},
	{Type: "utf8", Style: rungen.Zeros}, {Type: "utf8", Style: rungen.Prefix},
}

// TestLargeProblems compares the kernel with the oracle on each large problem under every engine.
func TestLargeProblems(t *testing.T) {
	sample := number(t, "BRAID_SAMPLE", 1)
	for i, spec := range largeProblems {
		for e, engine := range []string{"deduplicate", "first-row", "partial-update"} {
			if (3*i+e)%min(sample, 7) != 0 {
				continue
			}
			spec.Seed = uint64(100*i + e)
			spec.Keys = []rungen.Column{largeKeys[(3*i+e)%len(largeKeys)]}
			spec.Values = []rungen.Column{{Nulls: rungen.HalfNulls}, {Type: "utf8", Nulls: rungen.Blocks}, {Type: "bool", Nulls: rungen.ByRun}}
			spec.Kinds = []rungen.Kinds{rungen.Some, rungen.Adds, rungen.Adds}[e]
			spec.Options = map[string]string{"merge-engine": engine}
			q := question{spec, way{Layout: spec.Layout, System: true, Deletes: true}}
			if wrong := q.askOracle(mergeByKernel); wrong != "" {
				t.Errorf("%s\nBRAID_QUESTION='%s'", wrong, q)
			}
		}
	}
}
