//go:build !amd64 || purego

package simd

// mergeFewTier says that no tier has a loop for that.
func mergeFewTier(out, a, b []uint64, c *chains, n int) (done bool) { return false }

// mergeStretchesTier says that no tier has a loop for that.
func mergeStretchesTier(out, a, b []uint64, c *chains, n int) (done bool) { return false }
