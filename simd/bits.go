package simd

import (
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

// unpackBitsPortable spreads eight bits over eight bytes with a multiplication:
//
//	x                       hgfedcba
//	x * 0x0101...01         hgfedcba in every byte
//	   & 0x8040...01        a in byte 0, b<<1 in byte 1, ... h<<7 in byte 7
//	   + 0x7f7f...7f >> 7   1 in every byte that is not 0
func unpackBitsPortable(dst, bitmap []byte, from, n int) {
	shift := uint(from & 7)
	src := bitmap[from>>3:]
	for i := 0; i < n; i += 8 {
		at := i >> 3
		x := uint16(src[at])
		if shift != 0 && at+1 < len(src) {
			x |= uint16(src[at+1]) << 8
		}
		*(*uint64)(unsafe.Pointer(&dst[i])) = spread(uint8(x >> shift))
	}
}

// spread makes eight bits eight bytes.
func spread(eight uint8) uint64 {
	x := uint64(eight) * 0x0101010101010101 & 0x8040201008040201
	return (x + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101
}

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
	shift := uint(from & 7)
	src := bitmap[from>>3:]
	for i := 0; i < n; i += 8 {
		at := i >> 3
		x := uint16(src[at])
		if shift != 0 && at+1 < len(src) {
			x |= uint16(src[at+1]) << 8
		}
		eight := uint8(x >> shift)
		if left := n - i; left < 8 {
			eight &= 1<<left - 1
		}
		*(*uint64)(unsafe.Pointer(&dst[i])) |= spread(eight) << (column & 7)
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
