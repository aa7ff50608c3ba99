package simd

import (
	"math/bits"
	"unsafe"
)

// KeyWords says how the keys of a column of integers become words: the lowest bits are the staged row, and above them is by how much the key is
// more than the least, less so many of its own lowest bits.
type KeyWords struct {
	Least   uint64 // as an integer of 64 bits with the sign of the column
	Drop    int    // at most 63
	IdxBits int    // at least 1, at most 63
}

// PutWords writes the words of keys that are the staged rows from start on, and says whether a key is below the one before it, which for the
// first is before. words is as long as keys. Keys below the least count as above all others.
func PutWords[T Integer](words []uint64, keys []T, k KeyWords, start uint64, before T) (falls bool) {
	if len(keys) == 0 {
		return false
	}
	words = words[:len(keys)]
	falls = putWordsPortable(words[:1], keys[:1], k, start, before)
	done, fell := putWordsTier(words, unsafe.Pointer(unsafe.SliceData(keys)), int(unsafe.Sizeof(before)), ^T(0) < 0, k, start)
	return putWordsPortable(words[done:], keys[done:], k, start+uint64(done), keys[done-1]) || falls || fell
}

func putWordsPortable[T Integer](words []uint64, keys []T, k KeyWords, start uint64, before T) (falls bool) {
	words = words[:len(keys)]
	least, unit, drop := k.Least, uint64(1)<<(k.IdxBits&63), uint(k.Drop)&63
	last, fell := uint64(int64(before))-least, uint64(0)
	if drop > 0 {
		for i, key := range keys {
			x := uint64(int64(key)) - least
			words[i] = x>>drop*unit + start + uint64(i)
			_, borrow := bits.Sub64(x, last, 0)
			fell |= borrow
			last = x
		}
		return fell != 0
	}
	base := start - least*unit // wraps, and so does the sum below
	for i, key := range keys {
		x := uint64(int64(key))
		words[i] = x*unit + base + uint64(i)
		_, borrow := bits.Sub64(x-least, last, 0)
		fell |= borrow
		last = x - least
	}
	return fell != 0
}
