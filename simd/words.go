package simd

import (
	"math/bits"
	"unsafe"
)

// GroupEnds sets bit i of ends where word i is the last of its key, and returns how many there are. n is the number of
// words; words must have at least 64 more, the first of which is of a later key than the last word.
func GroupEnds(ends, words []uint64, n, idxBits int) int {
	if n == 0 {
		return 0
	}
	_ = ends[(n-1)>>6]
	_ = words[n+63]
	groups, done := groupEndsTier(ends, words, n, idxBits)
	return groups + groupEndsPortable(ends[done/64:], words[done:], n-done, idxBits)
}

// groupEndsPortable takes 64 rows a step.
func groupEndsPortable(ends, words []uint64, n, idxBits int) int {
	idxMask := uint64(1)<<(idxBits&63) - 1
	groups := 0
	for q := 0; q < n; q += 64 {
		m := endsOf((*[64]uint64)(words[q:]), words[min(q+64, len(words)-1)], idxMask)
		if rest := n - q; rest < 64 {
			m &= 1<<rest - 1
		}
		groups += bits.OnesCount64(m)
		ends[q>>6] = m
	}
	return groups
}

// endsOf finds the ends among 64 words, before next, from high to low: OR, CMP, ADC a row. A word with its low bits set is below its
// successor just when the keys differ.
func endsOf(words *[64]uint64, next, idxMask uint64) (ends uint64) {
	for i := 62; i >= 0; i -= 2 {
		x, y := words[i], words[i+1]
		ends = bitBefore(ends, y|idxMask, next)
		ends = bitBefore(ends, x|idxMask, y)
		next = x
	}
	return ends
}

func bitBefore(m, x, next uint64) uint64 {
	_, less := bits.Sub64(x, next, 0)
	m, _ = bits.Add64(m, m, less)
	return m
}

// SelectEnds writes the staged row of the last word of every key and returns how many there are, in one pass without a
// branch. words is as for GroupEnds; sel needs room for n + 1 rows.
func SelectEnds(sel []uint32, words []uint64, n, idxBits int) int {
	if n == 0 {
		return 0
	}
	_ = sel[n]
	_ = words[n]
	done, m := selectEndsTier(sel, words, n, idxBits)
	return m + selectEndsPortable(sel[m:], words[done:], n-done, idxBits)
}

func selectEndsPortable(sel []uint32, words []uint64, n, idxBits int) int {
	idxMask := uint64(1)<<idxBits - 1
	pw, ps := unsafe.Pointer(unsafe.SliceData(words)), unsafe.Pointer(unsafe.SliceData(sel))
	x, m := words[0], uint64(0)
	for i := uintptr(1); i <= uintptr(n); i++ {
		next := load[uint64](pw, i)
		store(ps, uintptr(m), uint32(x&idxMask))
		_, less := bits.Sub64(x|idxMask, next, 0)
		m, _ = bits.Add64(m, 0, less)
		x = next
	}
	return int(m)
}

// SelectEndsKeys is SelectEnds that also writes the key of each: the key bits of its word. keys needs as much room
// as sel.
func SelectEndsKeys(sel []uint32, keys, words []uint64, n, idxBits int) int {
	if n == 0 {
		return 0
	}
	_, _ = sel[n], keys[n]
	_ = words[n]
	done, m := selectEndsKeysTier(sel, keys, words, n, idxBits)
	return m + selectEndsKeysPortable(sel[m:], keys[m:], words[done:], n-done, idxBits)
}

func selectEndsKeysPortable(sel []uint32, keys, words []uint64, n, idxBits int) int {
	idxMask, shift := uint64(1)<<idxBits-1, uint(idxBits)&63
	pw, ps, pk := unsafe.Pointer(unsafe.SliceData(words)), unsafe.Pointer(unsafe.SliceData(sel)), unsafe.Pointer(unsafe.SliceData(keys))
	x, m := words[0], uint64(0)
	for i := uintptr(1); i <= uintptr(n); i++ {
		next := load[uint64](pw, i)
		store(ps, uintptr(m), uint32(x&idxMask))
		store(pk, uintptr(m), x>>shift)
		_, less := bits.Sub64(x|idxMask, next, 0)
		m, _ = bits.Add64(m, 0, less)
		x = next
	}
	return int(m)
}

// Select writes the staged rows of the words, as many as sel has room for.
func Select(sel []uint32, words []uint64, idxBits int) {
	idxMask := uint32(1)<<idxBits - 1
	n := len(sel)
	_ = words[:n]
	i := 0
	for ; i+4 <= n; i += 4 {
		w, s := (*[4]uint64)(words[i:]), (*[4]uint32)(sel[i:])
		s[0], s[1], s[2], s[3] = uint32(w[0])&idxMask, uint32(w[1])&idxMask, uint32(w[2])&idxMask, uint32(w[3])&idxMask
	}
	for ; i < n; i++ {
		sel[i] = uint32(words[i]) & idxMask
	}
}

// MergeNumbers brings the numbers of staged rows into the order of the words, as many as dst has room for.
func MergeNumbers(dst, src []uint32, words []uint64, idxBits int) {
	if len(dst) == 0 {
		return
	}
	_ = words[len(dst)-1]
	idxMask := uint64(1)<<idxBits - 1
	for i, w := range words[:len(dst)] {
		dst[i] = src[w&idxMask]
	}
}

// SelectBits writes the staged rows of the words whose bit is set in pick and returns how many there are. sel needs room
// for all of them.
func SelectBits(sel []uint32, pick, words []uint64, idxBits int) int {
	done, m := selectBitsTier(sel, pick, words, idxBits)
	return m + selectBitsPortable(sel[m:], pick[done:], words[done<<6:], idxBits)
}

func selectBitsPortable(sel []uint32, pick, words []uint64, idxBits int) int {
	idxMask := uint32(1)<<idxBits - 1
	m := 0
	for q, p := range pick {
		at := q << 6
		for ; p != 0; p &= p - 1 {
			sel[m] = uint32(words[at+bits.TrailingZeros64(p)]) & idxMask
			m++
		}
	}
	return m
}

// Reselect makes sel the selection of pick from base, the selection of rows. Both masks have one bit in every key with a
// result, that of pick never after that of rows, so only where they differ is a row changed, unless the tier in use
// selects all of them as fast.
func Reselect(sel, base []uint32, pick, rows, words []uint64, idxBits int) {
	if done, m := selectBitsTier(sel, pick, words, idxBits); done > 0 {
		selectBitsPortable(sel[m:], pick[done:], words[done<<6:], idxBits)
		return
	}
	reselectPortable(sel, base, pick, rows, words, idxBits)
}

func reselectPortable(sel, base []uint32, pick, rows, words []uint64, idxBits int) {
	copy(sel, base)
	idxMask := uint32(1)<<idxBits - 1
	before := 0 // results whose row is in an earlier element of rows
	for q, r := range rows {
		for p := pick[q] &^ r; p != 0; p &= p - 1 {
			i := bits.TrailingZeros64(p)
			sel[before+bits.OnesCount64(r&(1<<(i&63)-1))] = uint32(words[q<<6+i]) & idxMask
		}
		before += bits.OnesCount64(r)
	}
}
