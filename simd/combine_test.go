package simd_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

func TestCombineKeys(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		outs := newFence(t, 1<<20)
		for _, n := range lengths() {
			rng := rand.New(rand.NewPCG(uint64(n), 17))
			start, idxBits, room := rng.IntN(50), 20, 43
			var list []simd.KeyBits
			for range rng.IntN(5) {
				b := simd.KeyBits{Least: rng.Uint64(), Shift: rng.Uint64N(20), Width: rng.Uint64N(uint64(room) + 1)}
				room -= int(b.Width)
				for range start + n {
					b.Integers = append(b.Integers, b.Least+rng.Uint64()>>(64-b.Width)<<b.Shift+rng.Uint64N(1<<b.Shift))
				}
				list = append(list, b)
			}
			out := fenced[uint64](outs, n)
			simd.CombineKeys(out, list, start, idxBits)
			for i, got := range out {
				want := uint64(0)
				for _, b := range list {
					want = want<<b.Width | (b.Integers[start+i]-b.Least)>>b.Shift
				}
				if want = want<<idxBits | uint64(start+i); got != want {
					t.Fatalf("%d rows of %d integers: word %d is %x, want %x", n, len(list), i, got, want)
				}
			}
			if !outs.intact() {
				t.Fatalf("%d rows: written before the slice", n)
			}
		}
	})
}

func TestFalls(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		ins := newFence(t, 1<<20)
		for _, n := range lengths() {
			for seed := range uint64(6) {
				rng := rand.New(rand.NewPCG(seed, uint64(n)))
				words := randomKeys(rng, n)
				for i := range words {
					words[i] >>= 1
				}
				slices.Sort(words)
				mask := uint64(0)
				if seed%2 > 0 {
					mask = 1<<20 - 1
				}
				for range seed / 2 { // words that fall, and words of one key
					if i := rng.IntN(n + 1); i > 0 && i < n {
						words[i] = words[i-1] + 1 - rng.Uint64N(3)
					}
				}
				want := n
				for i := n - 1; i > 0; i-- {
					if words[i-1]|mask >= words[i] {
						want = i
					}
				}
				if got := simd.Falls(fencedCopy(ins, words), mask); got != want {
					t.Fatalf("seed %d: of %d words number %d falls, want %d", seed, n, got, want)
				}
			}
		}
	})
}
