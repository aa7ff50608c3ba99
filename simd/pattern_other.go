//go:build !amd64 || purego

package simd

// putPatternTier says that no tier has a faster loop.
func putPatternTier(*Pattern, []byte, []uint64, int) (done bool) { return false }
