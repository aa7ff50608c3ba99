package fuzz_test

import (
	"context"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
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

// TestLargeProblems compares the kernel with the oracle on the large problems, each under one or two engines.
func TestLargeProblems(t *testing.T) {
	sample := testscale.Sample(t)
	for i, spec := range largeProblems {
		for e, engine := range []string{"deduplicate", "first-row", "partial-update"} {
			if (3*i+e)%(2*sample) != 0 {
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

// TestMemoryLimit wants of every limit the whole answer or an error, and the answer of every limit above one that was enough.
func TestMemoryLimit(t *testing.T) {
	spec := rungen.Spec{Seed: 1, Rows: testscale.Few(t, 40_000, 10_000), Runs: 8, Shape: rungen.Interleaved, Keys: []rungen.Column{{}},
		Values: []rungen.Column{{Nulls: rungen.HalfNulls}, {Type: "utf8"}}, Kinds: rungen.Adds}
	w := way{Layout: rungen.Layout{Batch: "1024"}, Copy: true, System: true}
	enough, short := 0, 0
	for w.Limit = 1 << 14; w.Limit <= 1<<26; w.Limit *= 2 {
		var got answer
		q := question{spec, w}
		wrong := q.ask(func(ctx context.Context, p posed) (array.RecordReader, error) {
			got = p.collect(mergeByKernel)
			return mergeByKernel(ctx, p)
		})
		switch {
		case wrong != "":
			t.Errorf("%s\nBRAID_QUESTION='%s'", wrong, q)
		case got.err == nil:
			enough++
		case enough > 0:
			t.Errorf("%d bytes are too few, though half of them were enough: %v", w.Limit, got.err)
		default:
			short++
		}
	}
	if enough == 0 || short == 0 {
		t.Errorf("%d limits are enough and %d are not", enough, short)
	}
}
