package kernel

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/internal/invariants"
)

// startsOf returns the first words of runs of some sizes.
func startsOf(sizes []int) []int32 {
	starts := []int32{0}
	for _, n := range sizes {
		starts = append(starts, starts[len(starts)-1]+int32(n))
	}
	return starts
}

// leastMoved tries all orders of merges.
func leastMoved(sizes []int) int {
	if len(sizes) == 1 {
		return 0
	}
	least := -1
	for i := range sizes {
		for j := range i {
			rest := slices.Delete(slices.Delete(slices.Clone(sizes), i, i+1), j, j+1)
			both := sizes[i] + sizes[j]
			if moved := both + leastMoved(append(rest, both)); least < 0 || moved < least {
				least = moved
			}
		}
	}
	return least
}

// TestCascadeMovesLeast compares what the cascade says it will move with the best of all orders.
func TestCascadeMovesLeast(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checked builds merge in any order")
	}
	var c cascade
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		sizes := make([]int, 1+rng.IntN(6))
		for i := range sizes {
			sizes[i] = rng.IntN(1 + rng.IntN(1000))
		}
		c.plan(startsOf(sizes))
		if want := leastMoved(sizes); c.moved != want {
			t.Errorf("runs of %d words: %d are moved, want %d", sizes, c.moved, want)
		}
	}
}

// TestCascadeMerges merges words and pairs of runs of any sizes, none among them.
func TestCascadeMerges(t *testing.T) {
	var c cascade
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		sizes := make([]int, 1+rng.IntN(70))
		for i := range sizes {
			sizes[i] = rng.IntN(1 + rng.IntN(1+rng.IntN(1000)))
		}
		starts := startsOf(sizes)
		n := int(starts[len(sizes)])
		words, pairs := make([]uint64, n), make([]pair, n)
		for i := range words {
			words[i] = rng.Uint64N(1<<40)<<20 | uint64(i)
			pairs[i] = pair{hi: rng.Uint64N(1 << 8), lo: words[i]}
		}
		byPair := func(p, q pair) int { return cmp.Or(cmp.Compare(p.hi, q.hi), cmp.Compare(p.lo, q.lo)) }
		for r := range sizes {
			slices.Sort(words[starts[r]:starts[r+1]])
			slices.SortFunc(pairs[starts[r]:starts[r+1]], byPair)
		}
		c.plan(starts)
		merged, mergedPairs := make([]uint64, n), make([]pair, n)
		c.words(words, starts, merged, make([]uint64, n))
		c.pairs(pairs, starts, mergedPairs, make([]pair, n))
		slices.Sort(words)
		slices.SortFunc(pairs, byPair)
		if !slices.Equal(merged, words) {
			t.Fatalf("seed %d: words of runs of %d are not in order", seed, sizes)
		}
		if !slices.Equal(mergedPairs, pairs) {
			t.Fatalf("seed %d: pairs of runs of %d are not in order", seed, sizes)
		}
	}
}
