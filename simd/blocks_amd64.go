//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// takeBlocksTier takes as many values of a width as tiers with machine code take, and returns how many these are.
func takeBlocksTier(dst unsafe.Pointer, blocks []unsafe.Pointer, sel []uint32, width uintptr) (done int) {
	done = len(sel) &^ 3
	if !cputier.HasAVX2() || done == 0 {
		return 0
	}
	switch width {
	case 4:
		takeBlocks4((*byte)(dst), (**byte)(unsafe.Pointer(&blocks[0])), &sel[0], done)
	case 8:
		takeBlocks8((*byte)(dst), (**byte)(unsafe.Pointer(&blocks[0])), &sel[0], done)
	case 16:
		takeBlocks16((*byte)(dst), (**byte)(unsafe.Pointer(&blocks[0])), &sel[0], done)
	default:
		return 0
	}
	return done
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
