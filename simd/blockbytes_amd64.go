//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// takeWideTier is Blocks.Take where the processor moves 32 bytes at once. It returns false where it does not.
func takeWideTier(b *Blocks, dst []byte, sel []uint32) (done bool) {
	if !cputier.HasAVX2() {
		return false
	}
	to, of, last := unsafe.SliceData(dst), (**byte)(unsafe.Pointer(&b.Of[0])), b.Width-b.part()
	switch b.part() {
	case 4:
		takeWide4(to, of, &sel[0], len(sel), b.Width, last)
	case 8:
		takeWide8(to, of, &sel[0], len(sel), b.Width, last)
	case 16:
		takeWide16(to, of, &sel[0], len(sel), b.Width, last)
	case 32:
		takeWide32(to, of, &sel[0], len(sel), b.Width, last)
	}
	return true
}

// unequalWideTier is Blocks.Unequal where the processor compares 32 bytes at once, for values that are the same before byte first. It returns
// false where it does not.
func unequalWideTier(b *Blocks, unequal []uint8, ties *Ties, first int) (count int, done bool) {
	if !cputier.HasAVX2() {
		return 0, false
	}
	of, last, n := (**byte)(unsafe.Pointer(&b.Of[0])), b.Width-b.part(), len(ties.At)
	switch b.part() {
	case 4:
		count = unequalWide4(&unequal[0], of, &ties.Words[0], &ties.At[0], n, ties.IdxMask, b.Width, first, last)
	case 8:
		count = unequalWide8(&unequal[0], of, &ties.Words[0], &ties.At[0], n, ties.IdxMask, b.Width, first, last)
	case 16:
		count = unequalWide16(&unequal[0], of, &ties.Words[0], &ties.At[0], n, ties.IdxMask, b.Width, first, last)
	case 32:
		count = unequalWide32(&unequal[0], of, &ties.Words[0], &ties.At[0], n, ties.IdxMask, b.Width, first, last)
	}
	return count, true
}

// takeWide4 takes n values of width bytes, n > 0: four bytes from the beginning of each and four from byte last on.
//
//go:noescape
func takeWide4(dst *byte, blocks **byte, sel *uint32, n, width, last int)

// takeWide8 is takeWide4 for eight bytes.
//
//go:noescape
func takeWide8(dst *byte, blocks **byte, sel *uint32, n, width, last int)

// takeWide16 is takeWide4 for 16 bytes.
//
//go:noescape
func takeWide16(dst *byte, blocks **byte, sel *uint32, n, width, last int)

// takeWide32 is takeWide4 for 32 bytes.
//
//go:noescape
func takeWide32(dst *byte, blocks **byte, sel *uint32, n, width, last int)

// unequalWide4 is unequalParts for n ties, n > 0, of values of width bytes: four bytes of each from first on, and four from last on.
//
//go:noescape
func unequalWide4(unequal *uint8, blocks **byte, words *uint64, at *uint32, n int, idxMask uint64, width, first, last int) (count int)

// unequalWide8 is unequalWide4 for eight bytes.
//
//go:noescape
func unequalWide8(unequal *uint8, blocks **byte, words *uint64, at *uint32, n int, idxMask uint64, width, first, last int) (count int)

// unequalWide16 is unequalWide4 for 16 bytes.
//
//go:noescape
func unequalWide16(unequal *uint8, blocks **byte, words *uint64, at *uint32, n int, idxMask uint64, width, first, last int) (count int)

// unequalWide32 is unequalWide4 for 32 bytes.
//
//go:noescape
func unequalWide32(unequal *uint8, blocks **byte, words *uint64, at *uint32, n int, idxMask uint64, width, first, last int) (count int)
