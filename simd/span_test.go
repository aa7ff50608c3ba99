package simd_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/braidmerge/braid/simd"
)

func testNormals[T int32 | int64](t *testing.T, sign uint64, least, most T) {
	everyTier(t, func(t *testing.T) {
		ins, outs := newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			rng := rand.New(rand.NewPCG(uint64(n), 18))
			src := fenced[T](ins, n)
			narrow := rng.IntN(32)
			for i := range src {
				if src[i] = T(rng.Uint64()) >> narrow; rng.IntN(100) == 0 {
					src[i] = []T{least, most}[rng.IntN(2)]
				}
			}
			first := rng.Uint64() & (2*sign - 1)
			got, want := simd.NewSpan(first), simd.NewSpan(first)
			dst := fenced[uint64](outs, n)
			simd.Normals(dst, src, sign, &got)
			for i, x := range dst {
				if normal := uint64(int64(src[i]) - int64(least)); x != normal {
					t.Fatalf("%d integers: %d becomes %d, want %d", n, src[i], x, normal)
				}
				want.Least, want.Most, want.Varying = min(want.Least, x), max(want.Most, x), want.Varying|(x^first)
			}
			if got != want || !outs.intact() {
				t.Fatalf("%d integers: %+v, want %+v", n, got, want)
			}
			added := simd.NewSpan(first)
			if added.Add(dst); added != want {
				t.Fatalf("%d integers: %+v when added, want %+v", n, added, want)
			}
		}
	})
}

func TestNormals(t *testing.T) {
	t.Run("int32", func(t *testing.T) { testNormals[int32](t, 1<<31, math.MinInt32, math.MaxInt32) })
	t.Run("int64", func(t *testing.T) { testNormals[int64](t, 1<<63, math.MinInt64, math.MaxInt64) })
}
