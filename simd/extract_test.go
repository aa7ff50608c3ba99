package simd_test

import (
	"math/rand/v2"
	"testing"

	"github.com/braidmerge/braid/simd"
)

func TestExtractBits(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		srcs, masked, outs := newFence(t, 1<<16), newFence(t, 1<<16), newFence(t, 1<<16)
		rng := rand.New(rand.NewPCG(6, 6))
		list := masks(rng)
		for n := range 40 {
			src, mask, out := fenced[uint64](srcs, n), fenced[uint64](masked, n), fenced[uint64](outs, n)
			for i := range n {
				src[i], mask[i] = rng.Uint64(), list[rng.IntN(len(list))]
			}
			simd.ExtractBits(out, src, mask)
			for i := range n {
				if want := packed(0, src[i], mask[i]); out[i] != want {
					t.Fatalf("the bits of %x under %x are %x, want %x", src[i], mask[i], out[i], want)
				}
			}
			if !outs.intact() {
				t.Fatalf("%d words: written before the slice", n)
			}
		}
	})
}
