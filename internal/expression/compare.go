package expression

import (
	"bytes"
	"math"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// compare computes a comparison of two vectors of one type. The greater sides of >, >= and <= are those of < turned round.
func (s *step) compare(a, b *vector) {
	typ := s.args[0].typ
	switch s.op {
	case opEqual:
		s.equal(typ, a, b)
	case opUnequal:
		s.equal(typ, a, b)
		s.complement()
	case opLess:
		s.less(typ, a, b)
	case opGreater:
		s.less(typ, b, a)
	case opAtLeast:
		s.less(typ, a, b)
		s.complement()
	case opAtMost:
		s.less(typ, b, a)
		s.complement()
	}
}

// complement turns the result round where it is not NULL.
func (s *step) complement() {
	for i, w := range s.out.bits {
		s.out.bits[i] = validWord(&s.out, i) &^ w
	}
}

// equal sets the result to a = b.
func (s *step) equal(typ Type, a, b *vector) {
	s.begin(a, b)
	bits := s.out.bits
	switch typ.Kind {
	case KindBool:
		for i := range bits {
			bits[i] = validWord(&s.out, i) &^ (a.bits[i] ^ b.bits[i])
		}
	case KindInt, KindTime:
		if b.constant {
			simd.EqualTo(bits, a.ints, b.ints[0])
		} else {
			simd.EqualMask(bits, a.ints, b.ints)
		}
	case KindFloat:
		simd.EqualMask(bits, s.ordered(0, a.floats), s.ordered(1, b.floats))
	case KindDecimal:
		equalDecimals(bits, a.decimals, b.decimals)
	case KindText:
		equalTexts(bits, s.out.valid, a, b)
	}
	keep(bits, s.out.valid)
}

// less sets the result to a < b.
func (s *step) less(typ Type, a, b *vector) {
	s.begin(a, b)
	bits := s.out.bits
	switch typ.Kind {
	case KindBool:
		for i := range bits {
			bits[i] = b.bits[i] &^ a.bits[i]
		}
	case KindInt, KindTime:
		switch {
		case b.constant:
			simd.LessThan(bits, a.ints, b.ints[0])
		case a.constant:
			simd.GreaterThan(bits, b.ints, a.ints[0])
		default:
			simd.LessMask(bits, a.ints, b.ints)
		}
	case KindFloat:
		simd.LessMask(bits, s.ordered(0, a.floats), s.ordered(1, b.floats))
	case KindDecimal:
		lessDecimals(bits, a.decimals, b.decimals)
	case KindText:
		lessTexts(bits, s.out.valid, a, b)
	}
	keep(bits, s.out.valid)
}

// begin makes the result ready for a comparison of a and b.
func (s *step) begin(a, b *vector) {
	s.out.rows = a.rows
	s.out.bits = masked(s.out.bits, a.rows)
	clear(s.out.bits)
	s.out.valid, s.valid = both(s.valid, a, b)
}

// ordered writes floats as integers of the same order: -0.0 is 0.0, NaN is above all and equal to itself.
func (s *step) ordered(side int, floats []float64) []int64 {
	keys := grown(s.keys[side], len(floats))
	for i, x := range floats {
		u := int64(math.Float64bits(x + 0)) // -0.0 + 0 is 0.0
		u ^= (u >> 63) & math.MaxInt64
		if x != x {
			u = math.MaxInt64
		}
		keys[i] = u
	}
	s.keys[side] = keys
	return keys
}

// lessDecimals sets the bits of the rows with a < b.
func lessDecimals(bits []uint64, a, b []decimal128.Num) {
	for i, x := range a {
		if x.Less(b[i]) {
			validity.Set(bits, i)
		}
	}
}

// equalTexts sets the bits of the valid rows with a = b.
func equalTexts(bits, valid []uint64, a, b *vector) {
	for row := range a.rows {
		if (valid == nil || validity.Get(valid, row)) && bytes.Equal(a.texts.at(row), b.texts.at(row)) {
			validity.Set(bits, row)
		}
	}
}

// lessTexts sets the bits of the valid rows with a < b, byte by byte.
func lessTexts(bits, valid []uint64, a, b *vector) {
	for row := range a.rows {
		if (valid == nil || validity.Get(valid, row)) && bytes.Compare(a.texts.at(row), b.texts.at(row)) < 0 {
			validity.Set(bits, row)
		}
	}
}
