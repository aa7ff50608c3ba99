//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// mergeTier is mergePortable in machine code, for tiers that have any. It returns false for those that do not.
func mergeTier(out, a, b []uint64, c *chains, n int) (done bool) {
	if !cputier.HasAVX2() {
		return false
	}
	mergeChains(&out[0], &a[0], &b[0], c, n)
	return true
}

// mergeChains is mergePortable for n steps, n > 0.
//
//go:noescape
func mergeChains(out, a, b *uint64, c *chains, n int)
