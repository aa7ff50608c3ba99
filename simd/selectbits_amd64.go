//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// selectBitsTier selects by the first elements of pick, where the processor does and sel has room for all rows of an element. It returns
// how many elements are done, and how many rows they have selected.
func selectBitsTier(sel []uint32, pick, words []uint64, idxBits int) (done, m int) {
	steps := min(len(pick), len(words)>>6)
	if steps == 0 || len(sel) < 64 || !cputier.HasAVX2() {
		return 0, 0
	}
	return selectBitsAVX2(&sel[0], &pick[0], &words[0], steps, 1<<idxBits-1, len(sel)-64)
}

// selectBitsAVX2 is selectBitsPortable for up to steps elements of pick, steps > 0. It stops once it has selected more than most rows,
// writes as far as sel[most+63], and anything behind the last selected row.
//
//go:noescape
func selectBitsAVX2(sel *uint32, pick, words *uint64, steps int, idxMask uint64, most int) (done, m int)
