package simd

import "encoding/binary"

// TurnBytes turns 64 rows of 8 columns of bits round: bit j of row i becomes bit i of column j.
//
//	rows      r0  1 0 1 ...     columns   c0  1 1 0 ...
//	          r1  1 0 0                   c1  0 0 0
//	          r2  0 0 1                   c2  1 0 1
func TurnBytes(columns *[8]uint64, rows *[64]byte) {
	if !turnTier(columns, rows) {
		turnPortable(columns, rows)
	}
}

// turnPortable turns squares of 8 by 8 bits, whose columns are bytes of the columns of all rows.
func turnPortable(columns *[8]uint64, rows *[64]byte) {
	var out [8][8]byte
	for k := range 8 {
		x := turn8(binary.LittleEndian.Uint64(rows[8*k:]))
		out[0][k], out[1][k], out[2][k], out[3][k] = byte(x), byte(x>>8), byte(x>>16), byte(x>>24)
		out[4][k], out[5][k], out[6][k], out[7][k] = byte(x>>32), byte(x>>40), byte(x>>48), byte(x>>56)
	}
	for j := range columns {
		columns[j] = binary.LittleEndian.Uint64(out[j][:])
	}
}

// turn8 turns a square of 8 by 8 bits: bit j of byte i becomes bit i of byte j.
func turn8(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// turnApart is TurnBytes for rows that lie otherwise: row 8*k + i is byte 8*i + k, so that word i has every eighth row, from row i on. Bit j of
// all bytes of word i becomes bit i of all bytes of word j, which are the bits of rows 8*k + i. Squares of four by four bits are exchanged first,
// then of two by two, then single bits.
func turnApart(columns *[8]uint64, rows *[64]byte) {
	x0, x1, x2, x3 := rowWord(rows, 0), rowWord(rows, 1), rowWord(rows, 2), rowWord(rows, 3)
	x4, x5, x6, x7 := rowWord(rows, 4), rowWord(rows, 5), rowWord(rows, 6), rowWord(rows, 7)
	const nibbles, pairs, single = 0x0f0f0f0f0f0f0f0f, 0x3333333333333333, 0x5555555555555555
	x0, x4 = exchange(x0, x4, 4, nibbles)
	x1, x5 = exchange(x1, x5, 4, nibbles)
	x2, x6 = exchange(x2, x6, 4, nibbles)
	x3, x7 = exchange(x3, x7, 4, nibbles)
	x0, x2 = exchange(x0, x2, 2, pairs)
	x1, x3 = exchange(x1, x3, 2, pairs)
	x4, x6 = exchange(x4, x6, 2, pairs)
	x5, x7 = exchange(x5, x7, 2, pairs)
	x0, x1 = exchange(x0, x1, 1, single)
	x2, x3 = exchange(x2, x3, 1, single)
	x4, x5 = exchange(x4, x5, 1, single)
	x6, x7 = exchange(x6, x7, 1, single)
	*columns = [8]uint64{x0, x1, x2, x3, x4, x5, x6, x7}
}

func rowWord(rows *[64]byte, i int) uint64 { return binary.LittleEndian.Uint64(rows[8*i : 8*i+8]) }

// exchange exchanges the bits of x that lie places above those of the mask with the bits of y that lie under it.
func exchange(x, y uint64, places uint, mask uint64) (uint64, uint64) {
	t := (x>>(places&63) ^ y) & mask
	return x ^ t<<(places&63), y ^ t
}
