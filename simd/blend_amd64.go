//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

func blend32Tier(out, base, values []uint32, mask []uint64) (words int) {
	if words = len(out) / 64; words == 0 || !cputier.HasAVX2() {
		return 0
	}
	blend32AVX2(&out[0], &base[0], &values[0], &mask[0], words)
	return words
}

func blend64Tier(out, base, values []uint64, mask []uint64) (words int) {
	if words = len(out) / 64; words == 0 || !cputier.HasAVX2() {
		return 0
	}
	blend64AVX2(&out[0], &base[0], &values[0], &mask[0], words)
	return words
}

// blend32AVX2 is blendPortable for values of 32 bits and n words of the mask, n > 0.
//
//go:noescape
func blend32AVX2(out, base, values *uint32, mask *uint64, n int)

// blend64AVX2 is blend32AVX2 for values of 64 bits.
//
//go:noescape
func blend64AVX2(out, base, values, mask *uint64, n int)
