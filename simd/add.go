package simd

// Sums and differences wrap around where they do not fit 64 bits, and the loops say whether any did: over is negative then, and
// not before. out and b have at least as many rows as a. out may be a or b itself.

// AddInts sets out to a + b.
func AddInts(out, a, b []int64) (overflows bool) {
	out, b = out[:len(a)], b[:len(a)]
	done, over := addTier(out, a, b)
	return addPortable(out[done:], a[done:], b[done:]) || over
}

// AddConstant sets out to a + b.
func AddConstant(out, a []int64, b int64) (overflows bool) {
	out = out[:len(a)]
	done, over := addConstantTier(out, a, b)
	return addConstantPortable(out[done:], a[done:], b) || over
}

// SubtractInts sets out to a - b.
func SubtractInts(out, a, b []int64) (overflows bool) {
	out, b = out[:len(a)], b[:len(a)]
	done, over := subtractTier(out, a, b)
	return subtractPortable(out[done:], a[done:], b[done:]) || over
}

func addPortable(out, a, b []int64) bool {
	a, b = a[:len(out)], b[:len(out)]
	over := int64(0)
	for i := range out {
		sum := a[i] + b[i]
		over |= (a[i] ^ sum) & (b[i] ^ sum)
		out[i] = sum
	}
	return over < 0
}

func addConstantPortable(out, a []int64, b int64) bool {
	a = a[:len(out)]
	over := int64(0)
	if b < 0 {
		for i, x := range a {
			sum := x + b
			over |= x &^ sum // from below 0 to above
			out[i] = sum
		}
		return over < 0
	}
	for i, x := range a {
		sum := x + b
		over |= sum &^ x // from above 0 to below
		out[i] = sum
	}
	return over < 0
}

func subtractPortable(out, a, b []int64) bool {
	a, b = a[:len(out)], b[:len(out)]
	over := int64(0)
	for i := range out {
		difference := a[i] - b[i]
		over |= (a[i] ^ b[i]) & (a[i] ^ difference)
		out[i] = difference
	}
	return over < 0
}
