package simd

import (
	"math/bits"
	"sync"
)

// ExtractBits brings the bits of every word of src that are under the set bits of the word of mask together at the low end. out and
// src have at least the words of mask.
//
//	mask   0110 1001
//	src    0100 1100     the bits under mask, from the low end: 0 1 0 1
//	out    0000 1010
func ExtractBits(out, src, mask []uint64) {
	out, src = out[:len(mask)], src[:len(mask)]
	if len(mask) == 0 || extractTier(out, src, mask) {
		return
	}
	extractPortable(out, src, mask)
}

// extractPortable takes eight bits a step.
func extractPortable(out, src, mask []uint64) {
	out, src = out[:len(mask)], src[:len(mask)]
	extracted := extractedBits()
	for i, m := range mask {
		x := src[i]
		if m == ^uint64(0) {
			out[i] = x
			continue
		}
		packed := uint64(extracted[uint8(m>>56)][uint8(x>>56)])
		packed = packed<<onesOf[uint8(m>>48)] | uint64(extracted[uint8(m>>48)][uint8(x>>48)])
		packed = packed<<onesOf[uint8(m>>40)] | uint64(extracted[uint8(m>>40)][uint8(x>>40)])
		packed = packed<<onesOf[uint8(m>>32)] | uint64(extracted[uint8(m>>32)][uint8(x>>32)])
		packed = packed<<onesOf[uint8(m>>24)] | uint64(extracted[uint8(m>>24)][uint8(x>>24)])
		packed = packed<<onesOf[uint8(m>>16)] | uint64(extracted[uint8(m>>16)][uint8(x>>16)])
		packed = packed<<onesOf[uint8(m>>8)] | uint64(extracted[uint8(m>>8)][uint8(x>>8)])
		out[i] = packed<<onesOf[uint8(m)] | uint64(extracted[uint8(m)][uint8(x)])
	}
}

// extractedBits has the bits of a byte that are under those of another, together at the low end: those of x under mask at mask and x.
var extractedBits = sync.OnceValue(func() *[256][256]uint8 {
	table := new([256][256]uint8)
	for mask := 1; mask < 256; mask++ {
		high := bits.Len8(uint8(mask)) - 1 // the highest bit goes above the others
		below, place := &table[mask^1<<high], bits.OnesCount8(uint8(mask))-1
		for x := range 256 {
			table[mask][x] = below[x] | uint8(x>>high&1<<place)
		}
	}
	return table
})

// onesOf has the number of bits of every byte.
var onesOf = func() (table [256]uint8) {
	for i := range table {
		table[i] = uint8(bits.OnesCount8(uint8(i)))
	}
	return table
}()
