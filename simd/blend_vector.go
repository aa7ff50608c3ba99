//go:build (amd64 || arm64) && !purego

package simd

func blend32Tier(out, base, values []uint32, mask []uint64) (words int) {
	if words = len(out) / 64; words == 0 || !hasVectors() {
		return 0
	}
	blend32Vector(&out[0], &base[0], &values[0], &mask[0], words)
	return words
}

func blend64Tier(out, base, values []uint64, mask []uint64) (words int) {
	if words = len(out) / 64; words == 0 || !hasVectors() {
		return 0
	}
	blend64Vector(&out[0], &base[0], &values[0], &mask[0], words)
	return words
}

// blend32Vector is blendPortable for values of 32 bits and n words of the mask, n > 0.
//
//go:noescape
func blend32Vector(out, base, values *uint32, mask *uint64, n int)

// blend64Vector is blend32Vector for values of 64 bits.
//
//go:noescape
func blend64Vector(out, base, values, mask *uint64, n int)
