package rowhash

import "encoding/binary"

// Null is the hash of a NULL.
const Null uint64 = 0x6e756c6c6e756c6c

// Integer hashes an integer, a boolean as 0 or 1, a date or a time by its number.
func Integer(x int64) uint64 { return mix(uint64(x) ^ 0x9e3779b97f4a7c15) }

// Wide hashes the unscaled value of a decimal.
func Wide(low uint64, high int64) uint64 { return mix(mix(low) + uint64(high) + 0x9e3779b97f4a7c15) }

// Bytes hashes text or bytes.
func Bytes(b []byte) uint64 {
	h := uint64(len(b)) * 0xff51afd7ed558ccd
	for len(b) >= 8 {
		h = mix(h ^ binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var last [8]byte
	copy(last[:], b)
	return mix(h ^ binary.LittleEndian.Uint64(last[:]))
}

// Join makes one hash of several in order: the items of a list, or the cells of a key.
func Join(seed uint64, next uint64) uint64 { return mix(seed*3 + next) }

// Bound is what a row adds to the sum of a column: the hash of its cell mixed with that of its key.
func Bound(cell, key uint64) uint64 { return mix(cell ^ key*0x9fb21c651e98df25) }

// mix spreads the bits of a number over all of it.
func mix(x uint64) uint64 {
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	return x ^ x>>32
}
