//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// toRows returns how many of the first rows the tier in use takes by machine code, and where the blocks are.
func toRows(rows []uint32, blocks []unsafe.Pointer) (n int, first **byte) {
	n = len(rows) &^ 3
	if n == 0 || !cputier.HasAVX2() {
		return 0, nil
	}
	return n, (**byte)(unsafe.Pointer(&blocks[0]))
}

// addToTier adds the first values where the tier in use has machine code. It returns how many rows are done, and whether a sum did not
// fit, which ends it.
func addToTier(out []int64, blocks []unsafe.Pointer, rows, of []uint32) (done int, over bool) {
	n, first := toRows(rows, blocks)
	if n == 0 {
		return 0, false
	}
	return n, addToFlags(&out[0], first, &rows[0], &of[0], n)
}

// minToTier is addToTier for the lesser value.
func minToTier(out []int64, blocks []unsafe.Pointer, rows, of []uint32) (done int) {
	n, first := toRows(rows, blocks)
	if n > 0 {
		minToCMOV(&out[0], first, &rows[0], &of[0], n)
	}
	return n
}

// maxToTier is addToTier for the greater value.
func maxToTier(out []int64, blocks []unsafe.Pointer, rows, of []uint32) (done int) {
	n, first := toRows(rows, blocks)
	if n > 0 {
		maxToCMOV(&out[0], first, &rows[0], &of[0], n)
	}
	return n
}

// addToFlags is addToPortable for n rows, n > 0 and a multiple of four, that stops at the first sum that does not fit.
//
//go:noescape
func addToFlags(out *int64, blocks **byte, rows, of *uint32, n int) (over bool)

// minToCMOV is minToPortable for n rows, n > 0 and a multiple of four.
//
//go:noescape
func minToCMOV(out *int64, blocks **byte, rows, of *uint32, n int)

// maxToCMOV is maxToPortable for n rows, n > 0 and a multiple of four.
//
//go:noescape
func maxToCMOV(out *int64, blocks **byte, rows, of *uint32, n int)
