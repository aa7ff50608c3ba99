//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// warmTier is Warm for tiers that have machine code. It says whether the lines are asked for.
func warmTier(b []byte) (asked bool) {
	if !cputier.HasAVX2() {
		return false
	}
	warmLines(&b[0], (len(b)+warmLine-1)/warmLine)
	return true
}

// warmLine is how many bytes a line of the caches has.
const warmLine = 64

// warmLines asks for n lines, n > 0, from the one of p on.
//
//go:noescape
func warmLines(p *byte, n int)
