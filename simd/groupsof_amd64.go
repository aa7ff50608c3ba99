//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// groupsOfTier numbers the rows of the first elements of mask, where the processor does and of has room for all rows of an element. It
// returns how many elements are done, how many rows they have, and how many groups end in them.
func groupsOfTier(of []uint32, mask, ends []uint64) (done, n, groups int) {
	if len(mask) == 0 || len(of) < 64 || !cputier.HasAVX2() {
		return 0, 0, 0
	}
	return groupsOfAVX2(&of[0], &mask[0], &ends[0], len(mask), len(of)-64)
}

// groupsOfAVX2 is groupsOfPortable for up to steps elements of mask, steps > 0. It stops once it has numbered more than most rows, writes
// as far as of[most+63], and anything behind the last row.
//
//go:noescape
func groupsOfAVX2(of *uint32, mask, ends *uint64, steps, most int) (done, n, groups int)
