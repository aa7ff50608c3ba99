package aggfuncs

import (
	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/columnar"
)

// Equality compares values of a type by their structure: NULL equals NULL, numbers are equal by value, every NaN is equal to every
// NaN but -0.0 is not equal to 0.0, texts are equal byte by byte, lists and rows part by part, maps as sets of entries.
type Equality struct{ of *equality }

// NewEquality returns the equality of values of a type, which columnar has a layout for.
func NewEquality(t arrow.DataType) Equality { return Equality{newEquality(t, false)} }

// Same appends to dst, for every i below n in order, i if rows i and n+i of v are equal. The offsets of v must have been checked.
func (e Equality) Same(dst []uint32, v *columnar.View, n int) []uint32 {
	if e.of.kind == equalBytes && v.Nulls == 0 && v.Layout.Form == columnar.FormFixed {
		switch v.Layout.Width {
		case 1:
			return sameFixed(dst, columnar.Fixed[uint8](v), n)
		case 2:
			return sameFixed(dst, columnar.Fixed[uint16](v), n)
		case 4:
			return sameFixed(dst, columnar.Fixed[uint32](v), n)
		case 8:
			return sameFixed(dst, columnar.Fixed[uint64](v), n)
		}
	}
	for i := range n {
		if e.of.equal(v, i, n+i) {
			dst = append(dst, uint32(i))
		}
	}
	return dst
}

// sameFixed is Same for values without a NULL that are equal bit by bit.
func sameFixed[T uint8 | uint16 | uint32 | uint64](dst []uint32, values []T, n int) []uint32 {
	first, second := values[:n], values[n:2*n]
	for i, x := range first {
		if x == second[i] {
			dst = append(dst, uint32(i))
		}
	}
	return dst
}
