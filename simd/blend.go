package simd

import "math/bits"

// Blend sets out to the rows of values where mask has a bit, and to those of base elsewhere. values and mask have what out has,
// a word of the mask 64 rows; base, or values, may be out itself.
//
//	base     a b c d
//	values   A B C D
//	mask     0 1 1 0
//	out      a B C d
func Blend[T uint8 | uint16 | uint32 | uint64](out, base, values []T, mask []uint64) {
	checkMask(mask, len(out))
	base, values = base[:len(out)], values[:len(out)]
	done := 0
	switch out := any(out).(type) {
	case []uint32:
		done = blend32Tier(out, any(base).([]uint32), any(values).([]uint32), mask)
	case []uint64:
		done = blend64Tier(out, any(base).([]uint64), any(values).([]uint64), mask)
	}
	blendPortable(out[done*64:], base[done*64:], values[done*64:], mask[done:])
}

// few is how many rows of 64 are walked one by one.
const few = 10

func blendPortable[T uint8 | uint16 | uint32 | uint64](out, base, values []T, mask []uint64) {
	for w, m := range mask {
		lo, hi := w*64, min(w*64+64, len(out))
		o, x, y := out[lo:hi], base[lo:hi], values[lo:hi]
		switch {
		case len(o) < 64:
			for i := range o {
				o[i] = x[i] ^ (x[i]^y[i])&-T(m>>i&1)
			}
		case m == ^uint64(0):
			copy(o, y)
		case bits.OnesCount64(m) <= few && &o[0] != &y[0]:
			copy(o, x)
			for ; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				o[i] = y[i]
			}
		default:
			blend64((*[64]T)(o), (*[64]T)(x), (*[64]T)(y), m)
		}
	}
}

// blend64 blends the rows of a word, four to a step.
func blend64[T uint8 | uint16 | uint32 | uint64](out, base, values *[64]T, m uint64) {
	for i := 0; i <= 60; i += 4 {
		b0, b1, b2, b3 := -T(m&1), -T(m>>1&1), -T(m>>2&1), -T(m>>3&1)
		m >>= 4
		out[i] = base[i] ^ (base[i]^values[i])&b0
		out[i+1] = base[i+1] ^ (base[i+1]^values[i+1])&b1
		out[i+2] = base[i+2] ^ (base[i+2]^values[i+2])&b2
		out[i+3] = base[i+3] ^ (base[i+3]^values[i+3])&b3
	}
}
