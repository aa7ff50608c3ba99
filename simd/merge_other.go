//go:build !amd64 || purego

package simd

// mergeTier says that no tier has a faster loop.
func mergeTier(out, a, b []uint64, c *chains, n int) (done bool) { return false }
