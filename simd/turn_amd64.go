//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

func turnTier(columns *[8]uint64, rows *[64]byte) (done bool) {
	if !cputier.HasAVX2() {
		return false
	}
	turnAVX2(columns, rows)
	return true
}

// turnAVX2 is turnPortable.
//
//go:noescape
func turnAVX2(columns *[8]uint64, rows *[64]byte)
