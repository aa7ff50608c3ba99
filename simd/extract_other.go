//go:build !amd64 || purego

package simd

// extractTier says that no tier has a faster loop.
func extractTier([]uint64, []uint64, []uint64) (done bool) { return false }
