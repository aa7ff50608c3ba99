//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

func extractTier(out, src, mask []uint64) (done bool) {
	if !cputier.HasFastPDEP() {
		return false
	}
	extractBMI2(&out[0], &src[0], &mask[0], len(mask))
	return true
}

// extractBMI2 is extract for n words, n > 0.
//
//go:noescape
func extractBMI2(out, src, mask *uint64, n int)
