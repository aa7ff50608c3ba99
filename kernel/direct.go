package kernel

import (
	"unsafe"

	"github.com/braidmerge/braid/simd"
)

// directDepth is up to how many merges a word the cascade is as fast as direct, or faster.
func directDepth() int {
	if simd.MergesFours() {
		return 3
	}
	return 2
}

// dense returns how many keys the words of a window reach over, if they are so few that direct is the fastest order; else 0. That
// is one key for two rows where the cascade, which would move so many words, is fast, too, and two keys for one row where it is not.
func dense(words []uint64, starts []int32, form wordForm, moved int) int {
	rows := len(words)
	limit := uint64(rows) * 2
	switch {
	case moved <= directDepth()*rows || !form.exact:
		return 0
	case moved <= cascadeDepth*rows:
		limit /= 4
	}
	most := uint64(0)
	for r, end := range starts[1:] {
		if end > starts[r] {
			most = max(most, words[end-1]>>form.idxBits)
		}
	}
	if most >= limit {
		return 0
	}
	return int(most) + 1
}

// direct orders the words of a window by counting the rows of every key, of which there are so many, at most two for a row: that gives each
// word its place. scratch and dst are as long as words.
func direct(words, scratch, dst []uint64, keys int, form wordForm) {
	next := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(scratch))), 2*len(scratch))[:keys]
	clear(next)
	countKeys(next, words, uint(form.idxBits))
	exclusiveSum(next)
	placeKeys(next, words, dst, uint(form.idxBits))
}

// countKeys counts the words of every key.
func countKeys(count []uint32, words []uint64, idxBits uint) {
	for _, w := range words {
		count[w>>(idxBits&63)]++
	}
}

// placeKeys puts every word behind those of its key that came before it, which are those of older runs and rows.
func placeKeys(next []uint32, words, out []uint64, idxBits uint) {
	p := unsafe.Pointer(unsafe.SliceData(out))
	for _, w := range words {
		n := &next[w>>(idxBits&63)]
		*(*uint64)(unsafe.Add(p, uintptr(*n)*8)) = w
		*n++
	}
}
