//go:build (amd64 || arm64) && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// hasVectors says whether the loops may run that are written for all vector tiers, once with AVX2 and once with NEON.
func hasVectors() bool { return cputier.HasAVX2() || cputier.HasNEON() }
