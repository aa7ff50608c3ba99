package kernel

import "unsafe"

// directRuns is up to how many runs the cascade is as fast as direct, or faster.
const directRuns = 4

// dense returns how many keys the words of a window reach over, if they are so few that direct is the fastest order; else 0. That
// is one key for two rows where there are few runs, and two keys for one row where there are many.
func dense(words []uint64, starts []int32, form wordForm) int {
	runs, limit := len(starts)-1, uint64(len(words))*2
	switch {
	case runs <= directRuns || !form.exact:
		return 0
	case runs <= cascadeRuns:
		limit /= 4
	}
	most := uint64(0)
	for _, end := range starts[1:] {
		most = max(most, words[end-1]>>form.idxBits)
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
