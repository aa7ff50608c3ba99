package expression

import (
	"math"
	"math/bits"

	"github.com/braidmerge/braid/simd"
)

// integers computes the arithmetic of 64-bit integers. The loops note whether any row fails; which one does is looked for only
// then.
func (s *step) integers(active []uint64) error {
	a := &s.args[0].out
	out := grown(s.out.ints, a.rows)
	s.out.ints = out
	if s.op == opNegate {
		s.out.valid = a.valid
		if negateInts(out, a.ints) {
			return s.overflow(active, func(row int) bool { return a.ints[row] == math.MinInt64 })
		}
		return nil
	}
	b := &s.args[1].out
	s.out.valid, s.valid = both(s.valid, a, b)
	switch s.op {
	case opAdd:
		if s.args[1].op == opConstant {
			if c := s.args[1].value.ints[0]; simd.AddConstant(out, a.ints, c) {
				return s.overflow(active, func(row int) bool { return (a.ints[row]^out[row])&(c^out[row]) < 0 })
			}
			return nil
		}
		if simd.AddInts(out, a.ints, b.ints) {
			return s.overflow(active, func(row int) bool { return (a.ints[row]^out[row])&(b.ints[row]^out[row]) < 0 })
		}
	case opSubtract:
		if simd.SubtractInts(out, a.ints, b.ints) {
			return s.overflow(active, func(row int) bool { return (a.ints[row]^b.ints[row])&(a.ints[row]^out[row]) < 0 })
		}
	case opMultiply:
		if multiplyInts(out, a.ints, b.ints) {
			return s.overflow(active, func(row int) bool {
				_, fits := product(a.ints[row], b.ints[row])
				return !fits
			})
		}
	case opDivide:
		if divideInts(out, a.ints, b.ints) {
			if err := s.zero(active, func(row int) bool { return b.ints[row] == 0 }); err != nil {
				return err
			}
			return s.overflow(active, func(row int) bool { return a.ints[row] == math.MinInt64 && b.ints[row] == -1 })
		}
	}
	return nil
}

// overflow blames the first row that counts and is bad, if there is one.
func (s *step) overflow(active []uint64, bad func(row int) bool) error {
	row := firstRow(s.out.rows, active, s.out.valid, bad)
	if row < 0 {
		return nil
	}
	return fault(row, ErrOverflow, "%s does not fit %s", s.shown(row), s.typ)
}

// zero is overflow for a division by zero.
func (s *step) zero(active []uint64, bad func(row int) bool) error {
	row := firstRow(s.out.rows, active, s.out.valid, bad)
	if row < 0 {
		return nil
	}
	return fault(row, ErrDivideByZero, "%s", s.shown(row))
}

func negateInts(out, a []int64) (fails bool) {
	over := int64(0)
	for i, x := range a[:len(out)] {
		out[i] = -x
		over |= x & -x // negative for the least integer only
	}
	return over < 0
}

// product multiplies and says whether the result fits.
func product(a, b int64) (p int64, fits bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	signed := int64(hi) - (a>>63)&b - (b>>63)&a
	return int64(lo), signed == int64(lo)>>63
}

func multiplyInts(out, a, b []int64) (fails bool) {
	a, b = a[:len(out)], b[:len(out)]
	over := uint64(0)
	for i := range out {
		hi, lo := bits.Mul64(uint64(a[i]), uint64(b[i]))
		signed := int64(hi) - (a[i]>>63)&b[i] - (b[i]>>63)&a[i]
		over |= uint64(signed ^ int64(lo)>>63)
		out[i] = int64(lo)
	}
	return over != 0
}

// divideInts cuts quotients off at the point.
func divideInts(out, a, b []int64) (fails bool) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		if b[i] == 0 || b[i] == -1 && a[i] == math.MinInt64 {
			fails = true
			out[i] = 0
			continue
		}
		out[i] = a[i] / b[i]
	}
	return fails
}
