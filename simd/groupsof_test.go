package simd_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

func TestGroupsOf(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		ofs, masks, endsFence := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for _, oneIn := range []int{1, 2, 30} {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(oneIn)))
				mask, ends := make([]uint64, (n+63)/64), make([]uint64, (n+63)/64)
				var want []uint32
				group := uint32(0)
				for row := range n {
					if rng.IntN(oneIn) == 0 {
						mask[row/64] |= 1 << (row % 64)
						want = append(want, group)
					}
					if row == n-1 || rng.IntN(3) == 0 {
						ends[row/64] |= 1 << (row % 64)
						group++
					}
				}
				of := fenced[uint32](ofs, len(want))
				got := simd.GroupsOf(of, fencedCopy(masks, mask), fencedCopy(endsFence, ends))
				if got != len(want) || !slices.Equal(of, want) || !ofs.intact() {
					t.Fatalf("%d rows, one in %d: %d groups, want %d, or they are others", n, oneIn, got, len(want))
				}
			}
		}
	})
}
