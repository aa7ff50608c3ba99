package expression

import (
	"math/big"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// powers are those of ten that a decimal can hold.
var powers = func() (p [maxDigits + 1]decimal128.Num) {
	for i := range p {
		p[i] = decimal128.GetScaleMultiplier(i)
	}
	return p
}()

// fits says whether an integer has at most 38 digits.
func fits(n *big.Int) bool {
	return n.CmpAbs(powers[maxDigits].BigInt()) < 0
}

// fits38 says whether a number has at most 38 digits.
func fits38(n decimal128.Num) bool {
	return n.Less(powers[maxDigits]) && powers[maxDigits].Negate().Less(n)
}

// small returns a number that fits 64 bits.
func small(n decimal128.Num) (v int64, ok bool) {
	v = int64(n.LowBits())
	return v, n.HighBits() == v>>63
}

// decimals computes the arithmetic of decimals.
func (s *step) decimals(active []uint64) error {
	a := &s.args[0].out
	out := grown(s.out.decimals, a.rows)
	s.out.decimals = out
	if s.op == opNegate {
		s.out.valid = a.valid
		for i, x := range a.decimals {
			out[i] = x.Negate()
		}
		return nil
	}
	b := &s.args[1].out
	s.out.valid, s.valid = both(s.valid, a, b)
	if s.op == opDivide {
		return s.quotients(a, b, active)
	}
	fails := false
	switch s.op {
	case opAdd:
		for i, x := range a.decimals {
			sum, ok := addDecimals(x, b.decimals[i])
			out[i] = sum
			fails = fails || !ok
		}
	case opSubtract:
		for i, x := range a.decimals {
			difference, ok := subtractDecimals(x, b.decimals[i])
			out[i] = difference
			fails = fails || !ok
		}
	default:
		for i, x := range a.decimals {
			product, ok := multiplyDecimals(x, b.decimals[i])
			out[i] = product
			fails = fails || !ok
		}
	}
	if !fails {
		return nil
	}
	return s.overflow(active, func(row int) bool { return !s.fitsDecimal(a.decimals[row], b.decimals[row]) })
}

// fitsDecimal says whether the operation has a result for two numbers.
func (s *step) fitsDecimal(x, y decimal128.Num) (ok bool) {
	switch s.op {
	case opAdd:
		_, ok = addDecimals(x, y)
	case opSubtract:
		_, ok = subtractDecimals(x, y)
	default:
		_, ok = multiplyDecimals(x, y)
	}
	return ok
}

// quotients divides decimals to the digits of the result, rounding half away from zero.
func (s *step) quotients(a, b *vector, active []uint64) error {
	up := int(s.typ.Scale - s.args[0].typ.Scale + s.args[1].typ.Scale)
	fails := false
	for i, x := range a.decimals {
		q, ok := divideDecimals(x, b.decimals[i], up)
		s.out.decimals[i] = q
		fails = fails || !ok
	}
	if !fails {
		return nil
	}
	if err := s.zero(active, func(row int) bool { return b.decimals[row].Sign() == 0 }); err != nil {
		return err
	}
	return s.overflow(active, func(row int) bool {
		_, ok := divideDecimals(a.decimals[row], b.decimals[row], up)
		return !ok
	})
}

func addDecimals(x, y decimal128.Num) (sum decimal128.Num, ok bool) {
	sum = x.Add(y)
	wrapped := (x.HighBits()^sum.HighBits())&(y.HighBits()^sum.HighBits()) < 0
	return sum, !wrapped && fits38(sum)
}

func subtractDecimals(x, y decimal128.Num) (difference decimal128.Num, ok bool) {
	difference = x.Sub(y)
	wrapped := (x.HighBits()^y.HighBits())&(x.HighBits()^difference.HighBits()) < 0
	return difference, !wrapped && fits38(difference)
}

func multiplyDecimals(x, y decimal128.Num) (product decimal128.Num, ok bool) {
	a, fitsA := small(x)
	b, fitsB := small(y)
	if fitsA && fitsB {
		hi, lo := bits.Mul64(uint64(a), uint64(b))
		return decimal128.New(int64(hi)-(a>>63)&b-(b>>63)&a, lo), true
	}
	return narrow(new(big.Int).Mul(x.BigInt(), y.BigInt()))
}

// narrow makes a decimal of an integer, if it fits.
func narrow(n *big.Int) (decimal128.Num, bool) {
	if !fits(n) {
		return decimal128.Num{}, false
	}
	return decimal128.FromBigInt(n), true
}

// divideDecimals divides x, moved up by so many digits, by y.
func divideDecimals(x, y decimal128.Num, up int) (quotient decimal128.Num, ok bool) {
	if y.Sign() == 0 {
		return decimal128.Num{}, false
	}
	moved := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(up)), nil)
	return roundedQuotient(moved.Mul(moved, x.BigInt()), y.BigInt())
}

// roundedQuotient rounds half away from zero.
func roundedQuotient(x, y *big.Int) (decimal128.Num, bool) {
	q, rest := new(big.Int).QuoRem(x, y, new(big.Int))
	if rest.Lsh(rest, 1).CmpAbs(y) >= 0 {
		q.Add(q, big.NewInt(int64(x.Sign()*y.Sign())))
	}
	return narrow(q)
}

// rescale moves the digits of a number by so many places, up or down; down rounds half away from zero.
func rescale(x decimal128.Num, places int32) (decimal128.Num, bool) {
	switch {
	case places >= 0:
		return multiplyDecimals(x, powers[places])
	case -places > maxDigits:
		return decimal128.Num{}, true
	}
	return roundedQuotient(x.BigInt(), powers[-places].BigInt())
}

// largest is the decimal that is above all that have 38 digits.
var largest = decimal128.GetMaxValue(maxDigits).Add(decimal128.FromU64(1))

// clamped is rescale to a number that is only compared: one that does not fit is above, or below, all others.
func clamped(x decimal128.Num, places int32) decimal128.Num {
	y, ok := rescale(x, places)
	switch {
	case ok:
		return y
	case x.Sign() < 0:
		return largest.Negate()
	}
	return largest
}

// exactFloat is the float nearest to a decimal.
func exactFloat(x decimal128.Num, scale int32) float64 {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	f, _ := new(big.Rat).SetFrac(x.BigInt(), power).Float64()
	return f
}
