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
