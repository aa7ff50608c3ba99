package aggfuncs

import (
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// uint128 is a magnitude: the unscaled value of a decimal without its sign.
type uint128 struct{ hi, lo uint64 }

// uint256 is a product of two magnitudes, the lowest part first.
type uint256 [4]uint64

// powers are the powers of ten that 128 bits hold. powers[p] is the least magnitude that has more than p digits.
var powers = func() (powers [39]uint128) {
	powers[0] = uint128{lo: 1}
	for i := 1; i < len(powers); i++ {
		p := powers[i-1].times(uint128{lo: 10})
		powers[i] = uint128{p[1], p[0]}
	}
	return powers
}()

// magnitude takes a decimal apart.
func magnitude(d decimal128.Num) (m uint128, negative bool) {
	m = uint128{uint64(d.HighBits()), d.LowBits()}
	if d.HighBits() < 0 {
		return m.negated(), true
	}
	return m, false
}

// decimal puts a magnitude of less than 128 bits and a sign together.
func (m uint128) decimal(negative bool) decimal128.Num {
	if negative {
		m = m.negated()
	}
	return decimal128.New(int64(m.hi), m.lo)
}

func (m uint128) negated() uint128 { return uint128{}.minus(m) }

func (m uint128) isZero() bool { return m.hi|m.lo == 0 }

func (m uint128) less(o uint128) bool { return m.hi < o.hi || m.hi == o.hi && m.lo < o.lo }

// minus subtracts; below 0 it wraps round.
func (m uint128) minus(o uint128) uint128 {
	lo, borrow := bits.Sub64(m.lo, o.lo, 0)
	hi, _ := bits.Sub64(m.hi, o.hi, borrow)
	return uint128{hi, lo}
}

// times multiplies.
func (m uint128) times(o uint128) uint256 {
	p := uint256{}
	p.addProduct(0, m.lo, o.lo)
	p.addProduct(1, m.lo, o.hi)
	p.addProduct(1, m.hi, o.lo)
	p.addProduct(2, m.hi, o.hi)
	return p
}

// addProduct adds a product from part at on; the sum fits.
func (n *uint256) addProduct(at int, a, b uint64) {
	hi, lo := bits.Mul64(a, b)
	var carry uint64
	n[at], carry = bits.Add64(n[at], lo, 0)
	n[at+1], carry = bits.Add64(n[at+1], hi, carry)
	for i := at + 2; carry != 0; i++ {
		n[i], carry = bits.Add64(n[i], 0, carry)
	}
}

func (m uint128) wide() uint256 { return uint256{m.lo, m.hi} }

// narrow gives a number that has not more than 128 bits.
func (n uint256) narrow() (m uint128, ok bool) { return uint128{n[1], n[0]}, n[2]|n[3] == 0 }

// divide divides by a number that is not 0, digit by digit in base 2^64. Each digit is guessed from the leading parts and
// is at most two too large.
func (n uint256) divide(d uint128) (q uint256, rest uint128) {
	if d.hi == 0 {
		for i := 3; i >= 0; i-- {
			q[i], rest.lo = bits.Div64(rest.lo, n[i], d.lo)
		}
		return q, rest
	}
	shift := uint(bits.LeadingZeros64(d.hi))
	top, low := d.hi<<shift|d.lo>>(64-shift), d.lo<<shift
	u := [5]uint64{n[0] << shift}
	for i := 1; i < 4; i++ {
		u[i] = n[i]<<shift | n[i-1]>>(64-shift)
	}
	u[4] = n[3] >> (64 - shift)
	for i := 2; i >= 0; i-- {
		q[i] = guess(u[i+2], u[i+1], top)
		for subtractProduct(u[i:i+3:i+3], q[i], top, low); u[i+2] != 0; q[i]-- {
			var carry uint64
			u[i], carry = bits.Add64(u[i], low, 0)
			u[i+1], carry = bits.Add64(u[i+1], top, carry)
			u[i+2] += carry
		}
	}
	return q, uint128{u[1]>>shift | u[2]<<(64-shift), u[0]>>shift | u[1]<<(64-shift)}
}

// guess divides hi and lo by top, which is not below hi.
func guess(hi, lo, top uint64) uint64 {
	if hi >= top {
		return ^uint64(0)
	}
	q, _ := bits.Div64(hi, lo, top)
	return q
}

// subtractProduct takes digit times the divisor off three parts. Where it was too much, the highest part is then not 0.
func subtractProduct(u []uint64, digit, top, low uint64) {
	h0, l0 := bits.Mul64(digit, low)
	h1, l1 := bits.Mul64(digit, top)
	l1, carry := bits.Add64(l1, h0, 0)
	var borrow uint64
	u[0], borrow = bits.Sub64(u[0], l0, 0)
	u[1], borrow = bits.Sub64(u[1], l1, borrow)
	u[2], _ = bits.Sub64(u[2], h1+carry, borrow)
}

// plus adds a magnitude; the sum fits.
func (n uint256) plus(m uint128) uint256 {
	n.addProduct(0, m.lo, 1)
	n.addProduct(1, m.hi, 1)
	return n
}

// multiplyDecimal multiplies two decimals of scale places, rounding a half away from zero. ok is false if the product has
// more than precision digits.
func multiplyDecimal(a, b decimal128.Num, precision, scale int32) (p decimal128.Num, ok bool) {
	x, xn := magnitude(a)
	y, yn := magnitude(b)
	n := x.times(y)
	if scale > 0 {
		half, _ := powers[scale-1].times(uint128{lo: 5}).narrow()
		n, _ = n.plus(half).divide(powers[scale])
	}
	return fits(n, xn != yn, precision)
}

// fits gives a magnitude and a sign as a decimal. ok is false if it has more than precision digits.
func fits(n uint256, negative bool, precision int32) (d decimal128.Num, ok bool) {
	m, ok := n.narrow()
	if !ok || !m.less(powers[precision]) {
		return d, false
	}
	return m.decimal(negative), true
}

// hasEnd says whether the decimal expansion of x / y is finite: whether all of y but its factors 2 and 5 divides x.
func hasEnd(x, y uint128) bool {
	for _, prime := range []uint64{2, 5} {
		for {
			q, rest := y.wide().divide(uint128{lo: prime})
			if !rest.isZero() {
				break
			}
			y, _ = q.narrow()
		}
	}
	_, rest := x.wide().divide(y)
	return rest.isZero()
}

// divideDecimal divides two decimals of scale places, rounding a half away from zero. b is not 0. ok is false if the quotient
// has more than precision digits.
func divideDecimal(a, b decimal128.Num, precision, scale int32) (q decimal128.Num, ok bool) {
	x, xn := magnitude(a)
	y, yn := magnitude(b)
	n, rest := x.times(powers[scale]).divide(y)
	if !rest.less(y.minus(rest)) {
		n = n.plus(uint128{lo: 1})
	}
	return fits(n, xn != yn, precision)
}
