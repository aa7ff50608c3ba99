package simd_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

// randomTies are ties of any rows, and those rows: some words in a row are tied, others are not listed.
func randomTies(rng *rand.Rand, rows int) (ties *simd.Ties, pairs [][2]uint32) {
	ties = &simd.Ties{Words: []uint64{rng.Uint64()<<20 | rng.Uint64N(uint64(rows))}, IdxMask: 1<<20 - 1}
	for i := range rng.IntN(600) {
		row := rng.IntN(rows)
		ties.Words = append(ties.Words, rng.Uint64()<<20|uint64(row))
		if rng.IntN(2) == 0 {
			ties.At = append(ties.At, uint32(i+1))
			pairs = append(pairs, [2]uint32{uint32(ties.Words[i] & ties.IdxMask), uint32(row)})
		}
	}
	return ties, pairs
}

func TestFindTies(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		ins, outs := newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for seed := range uint64(4) {
				rng := rand.New(rand.NewPCG(seed, uint64(n)))
				words, key := make([]uint64, n), rng.Uint64N(1<<40)
				var want []uint32
				for i := range words {
					if i > 0 && rng.Uint64N(4) < seed {
						want = append(want, uint32(i))
					} else {
						key += 1 + rng.Uint64N(1<<20)
					}
					words[i] = key<<20 | rng.Uint64N(1<<20)
				}
				list := fenced[uint32](outs, n)
				got := simd.FindTies(list, fencedCopy(ins, words), 1<<20-1)
				if !slices.Equal(list[:got], want) || !outs.intact() {
					t.Fatalf("seed %d: %d ties of %d words, want %d", seed, got, n, len(want))
				}
			}
		}
	})
}
