package simd

import (
	"math/bits"
	"unsafe"
)

// MergeWords merges the ascending words a and b into out, which must be as long as both together. The three may be parts
// of one allocation, but out must not overlap the others. All words must be distinct.
func MergeWords(out, a, b []uint64) {
	_ = out[:len(a)+len(b)]
	mergeWordsPortable(a, b, out[:len(a)+len(b)])
}

// coRank splits the first d words of the merge of a and b: how many come from each.
func coRank(a, b []uint64, d int) (int, int) {
	lo, hi := max(0, d-len(b)), min(d, len(a))
	for lo < hi {
		m := (lo + hi) >> 1
		if a[m] <= b[d-1-m] {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, d - lo
}

// mergeTail merges with one chain what the four chains leave over.
func mergeTail(a, b, o []uint64) {
	i, j, k := 0, 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		_, fromB := bits.Sub64(y, x, 0)
		o[k] = min(x, y)
		k++
		j += int(fromB)
		i += int(1 - fromB)
	}
	k += copy(o[k:], a[i:])
	copy(o[k:], b[j:])
}

// mergeWordsPortable merges in four interleaved branch-free chains, one for each quarter of the output. A chain keeps one
// index only, j into b: its index into a is k - j, where k counts the words that each chain has put out, and j grows by the
// borrow of the comparison. Indices are relative to the starts of a, b and o, so that no pointer leaves its slice:
//
//	o   |  chain 0  |  chain 1  |  chain 2  |  chain 3  |
//	    0           q          2q          3q
func mergeWordsPortable(a, b, o []uint64) {
	q := len(o) / 4
	a1, b1 := coRank(a, b, q)
	a2, b2 := coRank(a, b, 2*q)
	a3, b3 := coRank(a, b, 3*q)
	pa, pb, po := unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(b)), unsafe.Pointer(unsafe.SliceData(o))
	j0, j1, j2, j3 := uintptr(0), uintptr(b1), uintptr(b2), uintptr(b3)
	k, uq := uintptr(0), uintptr(q)
	for {
		// No chain can run out of either input before the one that is nearest to an end.
		safe := min(a1-int(k-j0), b1-int(j0), a2-int(k+uq-j1), b2-int(j1),
			a3-int(k+2*uq-j2), b3-int(j2), len(a)-int(k+3*uq-j3), len(b)-int(j3))
		if safe <= 0 {
			break
		}
		for end := k + uintptr(safe); k < end; k++ {
			j0 = mergeStep(pa, pb, po, k, j0)
			j1 = mergeStep(pa, pb, po, k+uq, j1)
			j2 = mergeStep(pa, pb, po, k+2*uq, j2)
			j3 = mergeStep(pa, pb, po, k+3*uq, j3)
		}
	}
	n := int(k)
	mergeTail(a[k-j0:a1], b[j0:b1], o[n:q])
	mergeTail(a[k+uq-j1:a2], b[j1:b2], o[q+n:2*q])
	mergeTail(a[k+2*uq-j2:a3], b[j2:b3], o[2*q+n:3*q])
	mergeTail(a[k+3*uq-j3:], b[j3:], o[3*q+n:])
}

func mergeStep(pa, pb, po unsafe.Pointer, k, j uintptr) uintptr {
	x, y := load[uint64](pa, k-j), load[uint64](pb, j)
	_, fromB := bits.Sub64(y, x, 0)
	store(po, k, min(x, y))
	next, _ := bits.Add64(uint64(j), 0, fromB) // the compiler keeps the borrow in the flag: CMP, ADC
	return uintptr(next)
}

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

// groupEndsPortable takes 64 rows a step, from high to low: OR, CMP, ADC a row. A word with its low bits set is below its
// successor just when the keys differ.
func groupEndsPortable(ends, words []uint64, n, idxBits int) int {
	idxMask := uint64(1)<<idxBits - 1
	groups := 0
	for q := 0; q < n; q += 64 {
		var m uint64
		next := words[min(q+64, len(words)-1)]
		for i := q + 56; i >= q; i -= 8 {
			w := (*[8]uint64)(words[i:])
			m = bitBefore(m, w[7]|idxMask, next)
			m = bitBefore(m, w[6]|idxMask, w[7])
			m = bitBefore(m, w[5]|idxMask, w[6])
			m = bitBefore(m, w[4]|idxMask, w[5])
			m = bitBefore(m, w[3]|idxMask, w[4])
			m = bitBefore(m, w[2]|idxMask, w[3])
			m = bitBefore(m, w[1]|idxMask, w[2])
			m = bitBefore(m, w[0]|idxMask, w[1])
			next = w[0]
		}
		if rest := n - q; rest < 64 {
			m &= 1<<rest - 1
		}
		groups += bits.OnesCount64(m)
		ends[q>>6] = m
	}
	return groups
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
	return selectEndsPortable(sel, words, n, idxBits)
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

// SelectEndsKeys is SelectEnds that also writes the key of each: the key bits of its word plus least. keys needs as much room
// as sel.
func SelectEndsKeys(sel []uint32, keys, words []uint64, n, idxBits int, least uint64) int {
	if n == 0 {
		return 0
	}
	_, _ = sel[n], keys[n]
	_ = words[n]
	return selectEndsKeysPortable(sel, keys, words, n, idxBits, least)
}

func selectEndsKeysPortable(sel []uint32, keys, words []uint64, n, idxBits int, least uint64) int {
	idxMask, shift := uint64(1)<<idxBits-1, uint(idxBits)&63
	pw, ps, pk := unsafe.Pointer(unsafe.SliceData(words)), unsafe.Pointer(unsafe.SliceData(sel)), unsafe.Pointer(unsafe.SliceData(keys))
	x, m := words[0], uint64(0)
	for i := uintptr(1); i <= uintptr(n); i++ {
		next := load[uint64](pw, i)
		store(ps, uintptr(m), uint32(x&idxMask))
		store(pk, uintptr(m), x>>shift+least)
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
// result, that of pick never after that of rows, so only where they differ is a row changed.
func Reselect(sel, base []uint32, pick, rows, words []uint64, idxBits int) {
	copy(sel, base)
	idxMask := uint32(1)<<idxBits - 1
	before := 0 // results whose row is in an earlier element of rows
	for q, r := range rows {
		for p := pick[q] &^ r; p != 0; p &= p - 1 {
			i := bits.TrailingZeros64(p)
			sel[before+bits.OnesCount64(r&(1<<i-1))] = uint32(words[q<<6+i]) & idxMask
		}
		before += bits.OnesCount64(r)
	}
}
