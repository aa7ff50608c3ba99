package simd_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

// TestStretches compares the stretches of selections with those they are made from, of a row each to thousands.
func TestStretches(t *testing.T) {
	var got []simd.Stretch
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 6))
		longest := []uint32{1, 8, 20, 40, 100, 10_000}[rng.IntN(6)]
		var sel []uint32
		var want []simd.Stretch
		for n, next := rng.IntN(20_000), uint32(0); len(sel) < n; {
			if rng.IntN(2) == 0 {
				next += rng.Uint32N(50)
			} else {
				next = rng.Uint32N(1 << 30)
			}
			rows := 1 + rng.Uint32N(longest)
			if last := len(want) - 1; last >= 0 && want[last].Row+want[last].Rows == next {
				want[last].Rows += rows
			} else {
				want = append(want, simd.Stretch{Row: next, Rows: rows})
			}
			for range rows {
				sel = append(sel, next)
				next++
			}
		}
		if got = simd.Stretches(got, sel); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d stretches of %d rows, want %d", seed, len(got), len(sel), len(want))
		}
		if mean := simd.MeanStretch(sel); len(sel) > 10_000 && longest < 1000 {
			if real := len(sel) / len(want); mean < real/2 || mean > 2*real {
				t.Fatalf("seed %d: stretches of %d rows on average, want about %d", seed, mean, real)
			}
		}
	}
}
