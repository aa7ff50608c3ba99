package simd

import (
	"math/bits"
	"unsafe"
)

// GroupsOf writes the group of every staged row: those of the words are numbered from 0, and ends has the bit of the last word of each,
// as for GroupEnds. Staged rows without a word keep what they have. It says whether the staged rows of every group ascend.
func GroupsOf(of []uint32, words, ends []uint64, n, idxBits int) (ascend bool) {
	if n == 0 {
		return true
	}
	_ = words[n]
	_ = ends[(n-1)>>6]
	p, idxMask := unsafe.Pointer(unsafe.SliceData(of)), uint64(1)<<idxBits-1
	group, falls := uint32(0), uint64(0)
	for q := 0; q < n; q += 64 {
		e := ends[q>>6]
		rows := words[q:min(q+64, n)]
		next := words[q+1 : q+1+len(rows)]
		for i, w := range rows {
			_, less := bits.Sub64(next[i], w, 0)
			falls |= less
			store(p, uintptr(w&idxMask), group)
			group += uint32(e & 1)
			e >>= 1
		}
	}
	return falls == 0
}
