//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// takeBlocksTier takes as many values of a width as tiers with machine code take, and returns how many these are.
func takeBlocksTier(dst unsafe.Pointer, blocks []unsafe.Pointer, sel []uint32, width uintptr) (done int) {
	scattered := 0
	if !cputier.HasAVX2() || len(sel) < 4 {
		return 0
	}
	if areScattered(sel, len(blocks)*BlockRows) {
		scattered = (len(sel) - scatteredAhead) &^ 3
	}
	n := (len(sel) - scattered) &^ 3
	rest, first := (*byte)(unsafe.Add(dst, uintptr(scattered)*width)), (**byte)(unsafe.Pointer(&blocks[0]))
	switch width {
	case 4:
		if scattered > 0 {
			takeScattered4((*byte)(dst), first, &sel[0], scattered)
		}
		takeBlocks4(rest, first, &sel[scattered], n)
	case 8:
		if scattered > 0 {
			takeScattered8((*byte)(dst), first, &sel[0], scattered)
		}
		takeBlocks8(rest, first, &sel[scattered], n)
	case 16:
		if scattered > 0 {
			takeScattered16((*byte)(dst), first, &sel[0], scattered)
		}
		takeBlocks16(rest, first, &sel[scattered], n)
	default:
		return 0
	}
	return scattered + n
}

// scatteredAhead is how many rows of the selection the loops for scattered rows look ahead.
const scatteredAhead = 64

// areScattered says whether a selection of rows is of few of them, here and there.
func areScattered(sel []uint32, rows int) bool {
	return len(sel) > 2*scatteredAhead && 3*len(sel) <= rows && MeanStretch(sel) < 4
}

// blockStreams is BlockStreams; the loops that ask for what lies ahead read more runs at a time.
func blockStreams() int {
	if cputier.HasAVX2() {
		return 32
	}
	return plainStreams
}

// takeBlocks4 takes n values of four bytes, n > 0 and a multiple of four, and asks for what lies ahead.
//
//go:noescape
func takeBlocks4(dst *byte, blocks **byte, sel *uint32, n int)

// takeBlocks8 is takeBlocks4 for values of eight bytes.
//
//go:noescape
func takeBlocks8(dst *byte, blocks **byte, sel *uint32, n int)

// takeBlocks16 is takeBlocks4 for values of 16 bytes.
//
//go:noescape
func takeBlocks16(dst *byte, blocks **byte, sel *uint32, n int)

// takeScattered4 is takeBlocks4 that looks at the scatteredAhead rows behind the n, too, and asks for the memory of these.
//
//go:noescape
func takeScattered4(dst *byte, blocks **byte, sel *uint32, n int)

// takeScattered8 is takeScattered4 for values of eight bytes.
//
//go:noescape
func takeScattered8(dst *byte, blocks **byte, sel *uint32, n int)

// takeScattered16 is takeScattered4 for values of 16 bytes.
//
//go:noescape
func takeScattered16(dst *byte, blocks **byte, sel *uint32, n int)
