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
	merge, turn := mergeBytesPortable, TurnBytes
	if !turnsInOrder() {
		merge, turn = mergeBytesApart, turnApart
	}
	for at := 0; at < n; at += mergedAtOnce {
		part := rows[:min(mergedAtOnce, (n-at+63)&^63)]
		merge(part, src, words[at:], idxBits)
		turnRows(columns, part, at>>6, turn)
	}
	if n&63 != 0 {
		for _, c := range columns {
			c[n>>6] &= 1<<(n&63) - 1
		}
	}
}

// turnRows turns rows round, 64 at a time, into the elements of the columns from `to` on.
func turnRows(columns [][]uint64, rows []byte, to int, turn func(*[8]uint64, *[64]byte)) {
	var turned [8]uint64
	for ; len(rows) > 0; rows = rows[64:] {
		turn(&turned, (*[64]byte)(rows))
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

// mergeBytesApart is mergeBytesPortable for a multiple of 64 bytes, of which it puts every eighth of 64 side by side: row 8*k + i is byte
// 8*i + k, as turnApart reads it.
func mergeBytesApart(dst, src []byte, words []uint64, idxBits int) {
	p := unsafe.Pointer(unsafe.SliceData(src))
	idxMask := uint64(1)<<idxBits - 1
	for at := 0; at+64 <= len(dst); at += 64 {
		w, d := (*[64]uint64)(words[at:]), (*[64]byte)(dst[at:])
		for k := range 8 {
			d[k], d[8+k] = load[byte](p, uintptr(w[8*k]&idxMask)), load[byte](p, uintptr(w[8*k+1]&idxMask))
			d[16+k], d[24+k] = load[byte](p, uintptr(w[8*k+2]&idxMask)), load[byte](p, uintptr(w[8*k+3]&idxMask))
			d[32+k], d[40+k] = load[byte](p, uintptr(w[8*k+4]&idxMask)), load[byte](p, uintptr(w[8*k+5]&idxMask))
			d[48+k], d[56+k] = load[byte](p, uintptr(w[8*k+6]&idxMask)), load[byte](p, uintptr(w[8*k+7]&idxMask))
		}
	}
}
