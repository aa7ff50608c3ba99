//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// normals64Tier is Normals for the first integers, four at a time, where the processor does. It returns how many are done.
func normals64Tier(dst []uint64, src []int64, sign uint64, s *Span) (done int) {
	steps := len(src) / 4
	if steps == 0 || !cputier.HasAVX2() {
		return 0
	}
	var lanes [3][4]uint64
	normals64AVX2(&dst[0], &src[0], steps, sign, s.First-sign, &lanes)
	s.addLanes(&lanes, sign)
	return 4 * steps
}

// normals32Tier is normals64Tier for integers of half the size.
func normals32Tier(dst []uint64, src []int32, sign uint64, s *Span) (done int) {
	steps := len(src) / 4
	if steps == 0 || !cputier.HasAVX2() {
		return 0
	}
	var lanes [3][4]uint64
	normals32AVX2(&dst[0], &src[0], steps, sign, s.First-sign, &lanes)
	s.addLanes(&lanes, sign)
	return 4 * steps
}

// addLanes takes the least integers, the greatest and the bits that vary into account, of every fourth one. Sign is still to be added.
func (s *Span) addLanes(lanes *[3][4]uint64, sign uint64) {
	for i := range 4 {
		s.Least, s.Most = min(s.Least, lanes[0][i]+sign), max(s.Most, lanes[1][i]+sign)
		s.Varying |= lanes[2][i] & (2*sign - 1) // without the copies of the sign in front of it
	}
}

// normals64AVX2 writes 4 * steps integers, steps > 0, with sign added. Into lanes it writes the least, the greatest and the bits in which
// one is not first, before sign is added, of the integers and first.
//
//go:noescape
func normals64AVX2(dst *uint64, src *int64, steps int, sign, first uint64, lanes *[3][4]uint64)

// normals32AVX2 is normals64AVX2 for integers of half the size.
//
//go:noescape
func normals32AVX2(dst *uint64, src *int32, steps int, sign, first uint64, lanes *[3][4]uint64)
