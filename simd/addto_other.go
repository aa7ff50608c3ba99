//go:build !amd64 || purego

package simd

import "unsafe"

// addToTier says that no tier has a faster loop: none of the rows are done.
func addToTier(out []int64, blocks []unsafe.Pointer, rows, of []uint32) (done int, over bool) {
	return 0, false
}

// minToTier is addToTier for the lesser value.
func minToTier(out []int64, blocks []unsafe.Pointer, rows, of []uint32) (done int) { return 0 }

// maxToTier is addToTier for the greater value.
func maxToTier(out []int64, blocks []unsafe.Pointer, rows, of []uint32) (done int) { return 0 }
