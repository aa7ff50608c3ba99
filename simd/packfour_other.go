//go:build !amd64 || purego

package simd

// packFourTier says that no tier has a faster loop.
func packFourTier(*Four, []uint64, []byte, []int32, bool) (done bool) { return false }
