//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// mergeFewTier takes n steps of fewStride in every chain. It returns false for tiers that have no loop for that.
func mergeFewTier(out, a, b []uint64, c *chains, n int) (done bool) {
	if !cputier.HasAVX2() {
		return false
	}
	mergeFewAVX2(&out[0], &a[0], &b[0], c, n)
	return true
}

// mergeStretchesTier takes n steps of stretchStride in every chain, which move it on if they are two or more. It returns false for tiers that have
// no loop for that.
func mergeStretchesTier(out, a, b []uint64, c *chains, n int) (done bool) {
	if !cputier.HasAVX2() {
		return false
	}
	mergeStretchesAVX2(&out[0], &a[0], &b[0], c, n, len(a))
	return true
}

// mergeFewAVX2 takes n steps in every chain, n > 0.
//
//go:noescape
func mergeFewAVX2(out, a, b *uint64, c *chains, n int)

// mergeStretchesAVX2 takes n steps in every chain, n > 0, and leaves a word of a, which has lenA, and one of b.
//
//go:noescape
func mergeStretchesAVX2(out, a, b *uint64, c *chains, n, lenA int)
