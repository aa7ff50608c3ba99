package simd_test

import (
	"math/rand/v2"
	"testing"

	"github.com/braidmerge/braid/simd"
)

func TestOffsets(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		t.Run("32", testOffsets[int32])
		t.Run("64", testOffsets[int64])
	})
}

func testOffsets[O simd.Offset](t *testing.T) {
	offs, outs := newFence(t, 1<<20), newFence(t, 1<<20)
	falling := 0
	for _, n := range lengths() {
		for try := range uint64(4) {
			rng := rand.New(rand.NewPCG(uint64(n), try))
			off := []O{O(rng.IntN(100))}
			length, various := rng.IntN(30), rng.IntN(2) == 0
			for i := range n {
				if various {
					length = rng.IntN(30)
				}
				off = append(off, off[i]+O(length))
			}
			if wrong := rng.IntN(3 * len(off)); wrong < len(off) { // one offset that falls, or is below 0
				off[wrong] = []O{-1, off[wrong] - 40, -1 << 31, 1<<31 - 1}[rng.IntN(4)]
			}
			falls := off[0] < 0
			var least, most O
			for i := range n {
				length := off[i+1] - off[i]
				if i == 0 {
					least, most = length, length
				}
				least, most = min(least, length), max(most, length)
				falls = falls || off[i+1] < 0 || length < 0
			}
			if falls {
				falling++
			}
			add := rng.Uint32()
			out := fenced[uint32](outs, len(off))
			if got := simd.Rebase(out, fencedCopy(offs, off), add); got != falls || !outs.intact() {
				t.Fatalf("seed %d, %d: Rebase of %d says %v, want %v", n, try, len(off), got, falls)
			}
			for i, o := range off {
				if out[i] != uint32(o)+add {
					t.Fatalf("seed %d, %d: offset %d of %d is rebased to %d, want %d", n, try, i, len(off), out[i], uint32(o)+add)
				}
			}
			if n == 0 {
				continue
			}
			if l, m, f := simd.Lengths(fencedCopy(offs, off)); l != least || m != most || f != falls {
				t.Fatalf("seed %d, %d: Lengths of %d are %d, %d, %v, want %d, %d, %v", n, try, len(off), l, m, f, least, most, falls)
			}
		}
	}
	if falling < 100 {
		t.Errorf("offsets fall in %d problems only", falling)
	}
}

// TestOffsetsBeyond lets offsets a step apart get beyond 32 bits, one after the other the first that does.
func TestOffsetsBeyond(t *testing.T) {
	const step = 5
	everyTier(t, func(t *testing.T) {
		for n := 2; n < 40; n++ {
			for beyond := 1; beyond <= n; beyond++ {
				off := make([]int32, n)
				for i := range off {
					off[i] = int32(1<<31 + int64(i-beyond)*step)
				}
				want := beyond < n
				if got := simd.Rebase(make([]uint32, n), off, 0); got != want {
					t.Fatalf("Rebase of %d says %v, want %v with offset %d beyond", n, got, want, beyond)
				}
				if least, most, got := simd.Lengths(off); least != step || most != step || got != want {
					t.Fatalf("Lengths of %d are %d, %d, %v, want %v with offset %d beyond", n, least, most, got, want, beyond)
				}
			}
		}
	})
}
