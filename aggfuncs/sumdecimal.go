package aggfuncs

import (
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// decimalSum adds decimals of one type. A sum that has more digits than the type is NULL, and the next value starts anew. By
// default, though, a type of up to 18 digits keeps every sum that 64 bits hold.
type decimalSum struct {
	t         arrow.DataType
	options   Options
	precision int32
	keep64    bool
	masks     rowMasks
	values    []decimal128.Num
}

func newDecimalSum(t arrow.DataType, o Options) Rule {
	d, _ := isDecimal(t)
	return Rule{Function: &decimalSum{t: t, options: o, precision: d.Precision, keep64: d.Precision <= 18 && !o.Strict}}
}

// Fold is Function.Fold. Late rows change nothing while no sum is NULL.
func (s *decimalSum) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	buffer, out := newValues[decimal128.Num](g, mem)
	column := columnar.Fixed[decimal128.Num](in)
	live := s.masks.countLive(g, in, s.options.IgnoreRetract)
	if !g.restarts() && (g.Retract == nil || s.options.IgnoreRetract) {
		if live != nil {
			s.values = grown(s.values, g.Rows)
			fill(s.values, column, live, decimal128.Num{})
		} else {
			s.values = column
		}
		if s.groups(out, s.values, g.Ends) {
			return finish[decimal128.Num](outcome{s.t, buffer, s.masks.hits(g, live)}, g, mem), nil
		}
	}
	s.exact(g, s.masks.stepsOf(g, in, s.options.IgnoreRetract), column, out)
	return finish[decimal128.Num](outcome{s.t, buffer, s.masks.has}, g, mem), nil
}

// groups adds the values of every group, group after group, and says whether all sums are kept.
func (s *decimalSum) groups(out, in []decimal128.Num, ends []uint64) bool {
	most := powers[s.precision].minus(uint128{lo: 1})
	double, _ := most.times(uint128{lo: 2}).narrow()
	var hi, lo, over, wide, left uint64
	group := 0
	for row, x := range in {
		xhi := uint64(x.HighBits())
		sumLo, carry := bits.Add64(lo, x.LowBits(), 0)
		sumHi, _ := bits.Add64(hi, xhi, carry)
		over |= (sumHi ^ hi) & (sumHi ^ xhi)
		wide |= sumHi ^ uint64(int64(sumLo)>>63)
		// From -most to most means from 0 to 2*most after most is added.
		shiftedLo, c := bits.Add64(sumLo, most.lo, 0)
		shiftedHi, _ := bits.Add64(sumHi, most.hi, c)
		_, borrow := bits.Sub64(double.lo, shiftedLo, 0)
		_, borrow = bits.Sub64(double.hi, shiftedHi, borrow)
		left |= borrow
		out[group] = decimal128.New(int64(sumHi), sumLo)
		end := ends[row>>6] >> (row & 63) & 1
		group += int(end)
		hi, lo = sumHi&(end-1), sumLo&(end-1)
	}
	if s.keep64 {
		return wide == 0
	}
	return int64(over) >= 0 && left == 0
}

// exact adds row by row.
func (s *decimalSum) exact(g *Groups, steps []step, in, out []decimal128.Num) {
	has := s.masks.noHits(g)
	var acc decimal128.Num
	group, full := 0, false
	for row, x := range in {
		st := steps[row]
		if st&stepReset != 0 {
			full = false
		}
		if st&stepSet != 0 {
			acc, full = x, st&stepNull == 0
		}
		switch {
		case st&(stepSkip|stepNull) != 0:
		case st&stepRetract != 0 && !full:
			acc, full = x.Negate(), true
		case !full:
			acc, full = x, true
		default:
			acc, full = s.add(acc, x, st&stepRetract != 0)
		}
		if st&stepEnd != 0 {
			out[group] = acc
			if full {
				has[row>>6] |= 1 << (row & 63)
			}
			group++
			full = false
		}
	}
}

// add adds, or subtracts, two decimals. ok is false for NULL.
func (s *decimalSum) add(a, b decimal128.Num, minus bool) (sum decimal128.Num, ok bool) {
	bhi, blo, borrow := uint64(b.HighBits()), b.LowBits(), uint64(0)
	if minus { // a - b is a + ^b + 1
		bhi, blo, borrow = ^bhi, ^blo, 1
	}
	ahi := uint64(a.HighBits())
	lo, carry := bits.Add64(a.LowBits(), blo, borrow)
	hi, _ := bits.Add64(ahi, bhi, carry)
	if int64((hi^ahi)&(hi^bhi)) < 0 {
		return sum, false
	}
	sum = decimal128.New(int64(hi), lo)
	if s.keep64 && int64(hi) == int64(lo)>>63 {
		return sum, true
	}
	m, _ := magnitude(sum)
	return sum, m.less(powers[s.precision])
}
