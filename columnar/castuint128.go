package columnar

import (
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// uint128 is the size of a decimal without its sign.
type uint128 struct{ hi, lo uint64 }

// maxPower is the greatest power of ten below 2^127, and the most digits of a decimal.
const maxPower = 38

// powers10 are the powers of ten.
var powers10 = func() (powers [maxPower + 1]uint128) {
	powers[0] = uint128{lo: 1}
	for i := range maxPower {
		powers[i+1] = powers[i].times(uint128{lo: 10})
	}
	return powers
}()

// power10 returns 10^n for n up to 18.
func power10(n int) int64 { return int64(powers10[n].lo) }

// parts returns the size and the sign of a decimal.
func parts(d decimal128.Num) (size uint128, negative bool) {
	size = uint128{hi: uint64(d.HighBits()), lo: d.LowBits()}
	if d.HighBits() >= 0 {
		return size, false
	}
	return size.negated(), true
}

// magnitude returns the size of an integer.
func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func (u uint128) negated() uint128 {
	lo, borrow := bits.Sub64(0, u.lo, 0)
	hi, _ := bits.Sub64(0, u.hi, borrow)
	return uint128{hi: hi, lo: lo}
}

// signed returns the decimal of a size and a sign.
func (u uint128) signed(negative bool) decimal128.Num {
	if negative {
		u = u.negated()
	}
	return decimal128.New(int64(u.hi), u.lo)
}

func (u uint128) less(v uint128) bool { return u.hi < v.hi || u.hi == v.hi && u.lo < v.lo }

// times multiplies; what is beyond 128 bits is lost.
func (u uint128) times(v uint128) uint128 {
	hi, lo := bits.Mul64(u.lo, v.lo)
	return uint128{hi: hi + u.lo*v.hi + u.hi*v.lo, lo: lo}
}

// over divides by a number that is not 0.
func (u uint128) over(d uint64) (quotient uint128, rest uint64) {
	quotient.hi, rest = u.hi/d, u.hi%d
	quotient.lo, rest = bits.Div64(rest, u.lo, d)
	return quotient, rest
}

// wordPower is the greatest power of ten in 64 bits.
const wordPower = 19

// rounded divides by 10^n, n from 1 to 38, and rounds half up. For the rounding only the last digits that are divided away
// count, the half of any 10^n being a whole multiple of the power before them.
func (u uint128) rounded(n int) uint128 {
	if n > wordPower {
		u, _ = u.over(powers10[wordPower].lo)
		n -= wordPower
	}
	d := powers10[n].lo
	q, rest := u.over(d)
	if rest >= d/2 {
		q = q.plusOne()
	}
	return q
}

func (u uint128) plusOne() uint128 {
	lo, carry := bits.Add64(u.lo, 1, 0)
	return uint128{hi: u.hi + carry, lo: lo}
}
