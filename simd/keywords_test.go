package simd_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

func TestPutWords(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		t.Run("int64", testPutWords[int64])
		t.Run("uint64", testPutWords[uint64])
		t.Run("int32", testPutWords[int32])
		t.Run("uint32", testPutWords[uint32])
		t.Run("int16", testPutWords[int16])
	})
}

func testPutWords[T simd.Integer](t *testing.T) {
	keysFence, wordsFence := newFence(t, 1<<20), newFence(t, 2<<20)
	for _, n := range lengths()[:206] {
		rng := rand.New(rand.NewPCG(uint64(n), 8))
		sorted := make([]T, n+1)
		for i := range sorted {
			sorted[i] = T(rng.Uint64()) >> rng.IntN(8)
		}
		slices.Sort(sorted)
		k := simd.KeyWords{Least: uint64(int64(sorted[0])), Drop: rng.IntN(2) * rng.IntN(20), IdxBits: 1 + rng.IntN(20)}
		for range 4 {
			keys := fencedCopy(keysFence, sorted[1:])
			before, falls := sorted[0], false
			if n > 0 && rng.IntN(2) == 0 { // one key is below the one before it
				at := rng.IntN(n)
				if lower := append([]T{before}, keys...)[at]; lower > sorted[0] {
					keys[at] = sorted[0] + T(rng.Uint64N(uint64(int64(lower))-k.Least))
					falls = true
				}
			}
			want, start := make([]uint64, n), rng.Uint64N(1000)
			for i, key := range keys {
				want[i] = (uint64(int64(key))-k.Least)>>k.Drop<<k.IdxBits + start + uint64(i)
			}
			words := fenced[uint64](wordsFence, n)
			if got := simd.PutWords(words, keys, k, start, before); got != falls || !slices.Equal(words, want) {
				t.Fatalf("%d keys: falls is %v, want %v, or the words are others", n, got, falls)
			}
			if !wordsFence.intact() {
				t.Fatalf("%d keys: words are written before the first", n)
			}
		}
	}
}
