//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// takeBlocksTier takes as many values of a width as tiers with machine code take, and returns how many these are.
func takeBlocksTier(dst unsafe.Pointer, blocks []unsafe.Pointer, sel []uint32, width uintptr, share Share) (done int) {
	most, some, few := takeLoops(width)
	if !cputier.HasAVX2() || len(sel) < 4 || most == nil {
		return 0
	}
	first, others := (**byte)(unsafe.Pointer(&blocks[0])), most
	if share != ShareMost {
		others = some
	}
	if share == ShareFew && len(sel) >= 2*fewAhead {
		done = (len(sel) - fewAhead) &^ 3
		few((*byte)(dst), first, &sel[0], done)
	}
	rest := (len(sel) - done) &^ 3
	others((*byte)(unsafe.Add(dst, uintptr(done)*width)), first, &sel[done], rest)
	return done + rest
}

// fewAhead is how many rows of the selection takeFew looks ahead.
const fewAhead = 64

// takeLoop takes n values, n > 0 and a multiple of four.
type takeLoop func(dst *byte, blocks **byte, sel *uint32, n int)

// takeLoops returns the loops for values of a width: for selections of most rows, of some, and of few that lie here and there. The last
// looks at the fewAhead rows of the selection behind the n, too.
func takeLoops(width uintptr) (most, some, few takeLoop) {
	switch width {
	case 4:
		return takeMost4, takeSome4, takeFew4
	case 8:
		return takeMost8, takeSome8, takeFew8
	case 16:
		return takeMost16, takeSome16, takeFew16
	}
	return nil, nil, nil
}

// blockStreams is BlockStreams; the loops that ask for what lies ahead read more runs at a time.
func blockStreams() int {
	if cputier.HasAVX2() {
		return 32
	}
	return plainStreams
}

func takeMost4(dst *byte, blocks **byte, sel *uint32, n int)
func takeMost8(dst *byte, blocks **byte, sel *uint32, n int)
func takeMost16(dst *byte, blocks **byte, sel *uint32, n int)

func takeSome4(dst *byte, blocks **byte, sel *uint32, n int)
func takeSome8(dst *byte, blocks **byte, sel *uint32, n int)
func takeSome16(dst *byte, blocks **byte, sel *uint32, n int)

func takeFew4(dst *byte, blocks **byte, sel *uint32, n int)
func takeFew8(dst *byte, blocks **byte, sel *uint32, n int)
func takeFew16(dst *byte, blocks **byte, sel *uint32, n int)
