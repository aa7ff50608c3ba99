//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// mergesFours says whether the tier in use has machine code for steps of four words.
func mergesFours() bool { return cputier.HasAVX2() }

// mergeFoursTier takes n steps in every chain, n > 0, each of which reads four words of either input and writes four. It returns false for
// tiers without machine code.
func mergeFoursTier(out, a, b []uint64, f *fours, n int) (done bool) {
	switch {
	case cputier.HasAVX512():
		mergeFoursAVX512(&out[0], &a[0], &b[0], &f.chains, &f.held, n)
	case cputier.HasAVX2():
		mergeFoursAVX2(&out[0], &a[0], &b[0], &f.chains, &f.held, n)
	default:
		return false
	}
	return true
}

// mergeFoursAVX2 takes the steps of mergeFoursTier.
//
//go:noescape
func mergeFoursAVX2(out, a, b *uint64, c *chains, held *[4][4]uint64, n int)

// mergeFoursAVX512 is mergeFoursAVX2 by instructions for the lesser and the greater of two words.
//
//go:noescape
func mergeFoursAVX512(out, a, b *uint64, c *chains, held *[4][4]uint64, n int)
