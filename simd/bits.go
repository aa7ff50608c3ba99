package simd

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// UnpackBits writes bits [from, from+n) of an Arrow bitmap as one byte a bit, 0 or 1. It writes whole groups of eight bytes,
// so dst needs up to 7 bytes of slack after the n.
func UnpackBits(dst, bitmap []byte, from, n int) {
	if n == 0 {
		return
	}
	_ = dst[(n+7)&^7-1]
	_ = bitmap[(from+n-1)>>3]
	done := unpackTier(dst, bitmap, from, n)
	unpackBitsPortable(dst[done:], bitmap, from+done, n-done)
}

// unpackBitsPortable takes 64 bits a step while there are nine bytes to be read, then eight.
func unpackBitsPortable(dst, bitmap []byte, from, n int) {
	src, shift := bitmap[from>>3:], uint(from&7)
	for ; n >= 64 && len(src) > 8; n -= 64 {
		x, d := bits64(src, shift), (*[8]uint64)(unsafe.Pointer(&dst[0]))
		d[0], d[1], d[2], d[3] = spread[uint8(x)], spread[uint8(x>>8)], spread[uint8(x>>16)], spread[uint8(x>>24)]
		d[4], d[5], d[6], d[7] = spread[uint8(x>>32)], spread[uint8(x>>40)], spread[uint8(x>>48)], spread[uint8(x>>56)]
		dst, src = dst[64:], src[8:]
	}
	for i := 0; i < n; i += 8 {
		*(*uint64)(unsafe.Pointer(&dst[i])) = spread[eightBits(src[i>>3:], shift)]
	}
}

// bits64 reads 64 bits of nine bytes, from bit shift on.
func bits64(src []byte, shift uint) uint64 {
	return binary.LittleEndian.Uint64(src)>>(shift&63) | uint64(src[8])<<56<<(8-shift)
}

// eightBits reads eight bits from bit shift on, or those that there are.
func eightBits(src []byte, shift uint) uint8 {
	x := uint16(src[0])
	if shift != 0 && len(src) > 1 {
		x |= uint16(src[1]) << 8
	}
	return uint8(x >> shift)
}

// spread has eight bytes, 0 or 1, for the bits of a byte:
//
//	x                       hgfedcba
//	x * 0x0101...01         hgfedcba in every byte
//	   & 0x8040...01        a in byte 0, b<<1 in byte 1, ... h<<7 in byte 7
//	   + 0x7f7f...7f >> 7   1 in every byte that is not 0
var spread = func() (table [256]uint64) {
	for i := range table {
		x := uint64(i) * 0x0101010101010101 & 0x8040201008040201
		table[i] = (x + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101
	}
	return table
}()

// OrBits is UnpackBits for bit `column`, below 8, of the bytes, whose other bits stay as they are, as do the bytes behind the n. The bit
// becomes 1 where it is 1 in the bitmap, and stays what it is elsewhere.
func OrBits(dst, bitmap []byte, from, n, column int) {
	if n == 0 {
		return
	}
	_ = dst[(n+7)&^7-1]
	_ = bitmap[(from+n-1)>>3]
	done := orBitsTier(dst, bitmap, from, n, column)
	orBitsPortable(dst[done:], bitmap, from+done, n-done, column)
}

func orBitsPortable(dst, bitmap []byte, from, n, column int) {
	src, shift := bitmap[from>>3:], uint(from&7)
	column &= 7
	for ; n >= 64 && len(src) > 8; n -= 64 {
		x, d := bits64(src, shift), (*[8]uint64)(unsafe.Pointer(&dst[0]))
		d[0] |= spread[uint8(x)] << column
		d[1] |= spread[uint8(x>>8)] << column
		d[2] |= spread[uint8(x>>16)] << column
		d[3] |= spread[uint8(x>>24)] << column
		d[4] |= spread[uint8(x>>32)] << column
		d[5] |= spread[uint8(x>>40)] << column
		d[6] |= spread[uint8(x>>48)] << column
		d[7] |= spread[uint8(x>>56)] << column
		dst, src = dst[64:], src[8:]
	}
	for i := 0; i < n; i += 8 {
		eight := eightBits(src[i>>3:], shift)
		if left := n - i; left < 8 {
			eight &= 1<<left - 1
		}
		*(*uint64)(unsafe.Pointer(&dst[i])) |= spread[eight] << column
	}
}

// TakeBits packs the bytes (0 or 1) of the selected rows into an Arrow bitmap and returns how many are 1. Unused bits of the
// last byte are 0.
func TakeBits(dst, src []byte, sel []uint32) int {
	if len(sel) == 0 {
		return 0
	}
	_ = dst[(len(sel)+7)>>3-1]
	checkSelection(sel, len(src))
	return takeBitsPortable(dst, src, sel)
}

func takeBitsPortable(dst, src []byte, sel []uint32) int {
	p := unsafe.Pointer(unsafe.SliceData(src))
	ones, i := 0, 0
	for ; i+8 <= len(sel); i += 8 {
		s := (*[8]uint32)(unsafe.Pointer(&sel[i]))
		v := load[byte](p, uintptr(s[0])) | load[byte](p, uintptr(s[1]))<<1 |
			load[byte](p, uintptr(s[2]))<<2 | load[byte](p, uintptr(s[3]))<<3 |
			load[byte](p, uintptr(s[4]))<<4 | load[byte](p, uintptr(s[5]))<<5 |
			load[byte](p, uintptr(s[6]))<<6 | load[byte](p, uintptr(s[7]))<<7
		ones += bits.OnesCount8(v)
		dst[i>>3] = v
	}
	if i < len(sel) {
		var v byte
		for q, s := range sel[i:] {
			v |= src[s] << q
		}
		ones += bits.OnesCount8(v)
		dst[i>>3] = v
	}
	return ones
}

// MergeBits brings the bytes (0 or 1) of staged rows into the order of the words, one bit a word, 64 to an element of dst.
// n is the number of words; words must have at least 64 more, which may hold any valid staged row.
func MergeBits(dst []uint64, src []byte, words []uint64, n, idxBits int) {
	if n == 0 {
		return
	}
	_ = dst[(n-1)>>6]
	_ = words[n+63]
	mergeBitsPortable(dst, src, words, n, idxBits)
}

func mergeBitsPortable(dst []uint64, src []byte, words []uint64, n, idxBits int) {
	p := unsafe.Pointer(unsafe.SliceData(src))
	idxMask := uint64(1)<<idxBits - 1
	bit := func(w uint64) uint64 { return uint64(load[byte](p, uintptr(w&idxMask))) }
	for q := 0; q < n; q += 64 {
		var m uint64
		for i := q + 56; i >= q; i -= 8 {
			w := (*[8]uint64)(words[i:])
			m = m<<8 | bit(w[0]) | bit(w[1])<<1 | bit(w[2])<<2 | bit(w[3])<<3 |
				bit(w[4])<<4 | bit(w[5])<<5 | bit(w[6])<<6 | bit(w[7])<<7
		}
		dst[q>>6] = m
	}
	if n&63 != 0 {
		dst[n>>6] &= 1<<(n&63) - 1
	}
}
