package simd_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

func TestGroupsOf(t *testing.T) {
	const idxBits = 20
	for _, n := range lengths()[:206] {
		for _, swapped := range []bool{false, true} {
			rng := rand.New(rand.NewPCG(uint64(n), 4))
			words, ends := make([]uint64, n+64), make([]uint64, (n+63)/64)
			of, want := make([]uint32, n+n/2), make([]uint32, n+n/2)
			for i := range of {
				of[i], want[i] = 77, 77
			}
			rows := rng.Perm(len(of))[:n]
			slices.Sort(rows) // staged rows ascend in the window as a whole, and so in every group
			group := uint64(0)
			for i, row := range rows {
				words[i], want[row] = group<<idxBits|uint64(row), uint32(group)
				if i == n-1 || rng.IntN(3) == 0 {
					ends[i/64] |= 1 << (i % 64)
					group++
				}
			}
			for i := n; i < len(words); i++ {
				words[i] = ^uint64(0)
			}
			pair := pairOf(words[:n], idxBits)
			if swapped = swapped && pair >= 0; swapped {
				words[pair], words[pair+1] = words[pair+1], words[pair]
			}
			if ascend := simd.GroupsOf(of, words, ends, n, idxBits); ascend == swapped || !slices.Equal(of, want) {
				t.Fatalf("%d words, two rows of a group exchanged: %v: ascend is %v, or the groups are wrong", n, swapped, ascend)
			}
		}
	}
}

// pairOf returns the first word that has the same key as the next, or -1.
func pairOf(words []uint64, idxBits int) int {
	for i := 1; i < len(words); i++ {
		if words[i-1]>>idxBits == words[i]>>idxBits {
			return i - 1
		}
	}
	return -1
}

func TestPackBits(t *testing.T) {
	for _, n := range lengths()[:206] {
		rng := rand.New(rand.NewPCG(uint64(n), 5))
		src, want, ones := make([]byte, n+7), make([]byte, (n+7)/8), 0
		for i := range src {
			src[i] = byte(rng.IntN(2))
			if i < n && src[i] == 1 {
				want[i/8] |= 1 << (i % 8)
				ones++
			}
		}
		got := make([]byte, len(want))
		if m := simd.PackBits(got, src, n); m != ones || !slices.Equal(got, want) {
			t.Fatalf("%d bytes, %d of them 1, are packed as %x with %d, want %x", n, ones, got, m, want)
		}
	}
}
