package simd

import "unsafe"

// mergedAtOnce is how many rows MergeColumns brings into order before it turns them round.
const mergedAtOnce = 512

// MergeColumns brings the bytes of staged rows into the order of the words, as up to eight columns of bits: bit i of columns[j] is bit j
// of the byte of word i. n is the number of words; words must have at least 64 more, which may hold any valid staged row. Unused bits of
// the last elements are 0.
//
//	staged bytes   01  11  10     words   2  0  1
//	in order       10  01  11
//	columns[0]      0   1   1
//	columns[1]      1   0   1
func MergeColumns(columns [][]uint64, src []byte, words []uint64, n, idxBits int) {
	if n == 0 {
		return
	}
	_ = words[n+63]
	var rows [mergedAtOnce]byte
	for at := 0; at < n; at += mergedAtOnce {
		part := rows[:min(mergedAtOnce, (n-at+63)&^63)]
		mergeBytesPortable(part, src, words[at:], idxBits)
		turnRows(columns, part, at>>6)
	}
	if n&63 != 0 {
		for _, c := range columns {
			c[n>>6] &= 1<<(n&63) - 1
		}
	}
}

// turnRows turns rows round, 64 at a time, into the elements of the columns from `to` on.
func turnRows(columns [][]uint64, rows []byte, to int) {
	var turned [8]uint64
	for ; len(rows) > 0; rows = rows[64:] {
		TurnBytes(&turned, (*[64]byte)(rows))
		for j, c := range columns {
			c[to] = turned[j&7]
		}
		to++
	}
}

// mergeBytesPortable brings as many bytes into the order of the words as dst has, a multiple of eight.
func mergeBytesPortable(dst, src []byte, words []uint64, idxBits int) {
	p := unsafe.Pointer(unsafe.SliceData(src))
	idxMask := uint64(1)<<idxBits - 1
	for i := 0; i+8 <= len(dst); i += 8 {
		w, d := (*[8]uint64)(words[i:]), (*[8]byte)(dst[i:])
		d[0], d[1] = load[byte](p, uintptr(w[0]&idxMask)), load[byte](p, uintptr(w[1]&idxMask))
		d[2], d[3] = load[byte](p, uintptr(w[2]&idxMask)), load[byte](p, uintptr(w[3]&idxMask))
		d[4], d[5] = load[byte](p, uintptr(w[4]&idxMask)), load[byte](p, uintptr(w[5]&idxMask))
		d[6], d[7] = load[byte](p, uintptr(w[6]&idxMask)), load[byte](p, uintptr(w[7]&idxMask))
	}
}
