package aggfuncs

import (
	"errors"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
)

// signed, unsigned and float are the element types of numeric columns.
type (
	signed interface {
		~int8 | ~int16 | ~int32 | ~int64
	}
	unsigned interface {
		~uint8 | ~uint16 | ~uint32 | ~uint64
	}
	integer interface{ signed | unsigned }
	float   interface{ ~float32 | ~float64 }
)

var errNotNumeric = errors.New("it works on integers, floats and decimals only")

// add adds, and says whether the sum fits.
func add[T integer](a, b T) (T, bool) {
	s := a + b
	return s, (b < 0) == (s < a)
}

// subtract subtracts, and says whether the difference fits.
func subtract[T integer](a, b T) (T, bool) {
	d := a - b
	return d, (b < 0) == (d > a)
}

// multiply multiplies, and says whether the product fits.
func multiply[T integer](a, b T) (T, bool) {
	x, y := uint64(a), uint64(b) // with the sign in all higher bits, if there is one
	hi, lo := bits.Mul64(x, y)
	p := T(lo)
	if ^T(0) > 0 {
		return p, hi == 0 && uint64(p) == lo
	}
	hi -= uint64(int64(x)>>63)&y + uint64(int64(y)>>63)&x
	return p, hi == uint64(int64(lo)>>63) && uint64(p) == lo
}

// divide divides towards zero, and says whether the quotient fits. b is not 0.
func divide[T integer](a, b T) (T, bool) {
	if b == ^T(0) && b < 0 {
		return -a, a == 0 || a != -a
	}
	return a / b, true
}

// fill copies the values of live rows and writes identity over the others. A nil mask means that all are live. dst may be
// src.
func fill[T any](dst, src []T, live []uint64, identity T) {
	copy(dst, src)
	for w, m := range live {
		for dead := ^m; dead != 0; dead &= dead - 1 {
			row := w<<6 + bits.TrailingZeros64(dead)
			if row >= len(dst) {
				return
			}
			dst[row] = identity
		}
	}
}

// grown returns scratch memory of n elements.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// isDecimal says whether a type is DECIMAL, and which.
func isDecimal(t arrow.DataType) (*arrow.Decimal128Type, bool) {
	d, ok := storage(t).(*arrow.Decimal128Type)
	return d, ok
}
