package kernel

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOrders brings the words of random windows into order in every way there is, and wants them ascending: words are
// distinct, so that there is one such order.
func TestOrders(t *testing.T) {
	var r radix
	var c cascade
	chosen := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		runs := 1 + rng.IntN(100)
		starts := make([]int32, runs+1)
		for i := range runs {
			starts[i+1] = starts[i] + int32(rng.IntN(1+rng.IntN(400)))
		}
		if huge := rng.IntN(runs); seed%3 == 0 { // one run is far longer than the others
			for i := huge + 1; i <= runs; i++ {
				starts[i] += 10_000
			}
		}
		rows := int(starts[runs])
		form := wordForm{idxBits: bits.Len(uint(rows)), keyBits: 1 + rng.IntN(20), exact: true}
		words := benchWords(rng, starts, form)
		want := slices.Sorted(slices.Values(words))
		dst, scratch := make([]uint64, rows), make([]uint64, rows)
		check := func(way string) {
			if !slices.Equal(dst, want) {
				t.Fatalf("seed %d: %s of %d words of %d runs is not in order", seed, way, rows, runs)
			}
			clear(dst)
		}
		c.plan(starts)
		c.words(words, starts, dst, scratch)
		check("cascade")
		r.sort(words, scratch, dst, form)
		check("radix")
		if keys := int(want[rows-1]>>form.idxBits) + 1; keys <= 2*rows {
			direct(words, scratch, dst, keys, form)
			check("direct")
			if got := dense(words, starts, form, c.moved); got > 0 {
				chosen++
				if got != keys {
					t.Fatalf("seed %d: keys reach over %d, want %d", seed, got, keys)
				}
			}
		}
		form.exact = false
		if dense(words, starts, form, c.moved) > 0 {
			t.Fatalf("seed %d: words that leave out bits of keys are ordered by counting", seed)
		}
	}
	if chosen < 30 {
		t.Errorf("dense keys are found in %d windows only", chosen)
	}
}
