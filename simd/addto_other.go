//go:build !amd64 || purego

package simd

// addToTier says that no tier has a faster loop: none of the rows are done.
func addToTier(out, in []int64, of []uint32) (done int, over bool) { return 0, false }
