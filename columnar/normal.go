package columnar

import (
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"github.com/braidmerge/braid/simd"
)

// StageNormals writes the values of the pieces, of any order but text and decimal, at their staged rows, as unsigned
// integers of the same order, and returns their span. NULL is 0, so a column with NULLs needs its validity as a key before it.
func StageNormals(dst []uint64, pieces []Piece) (span simd.Span) {
	begun := false
	for i := range pieces {
		p := &pieces[i]
		if p.Rows() == 0 {
			continue
		}
		out := dst[p.Start : p.Start+p.Rows()]
		if !begun {
			p.normals(out[:1], new(simd.Span))
			span, begun = simd.NewSpan(out[0]), true
		}
		p.normals(out, &span)
	}
	return span
}

// Measure returns the span of integers at the staged rows of the pieces.
func Measure(integers []uint64, pieces []Piece) (span simd.Span) {
	begun := false
	for i := range pieces {
		p := &pieces[i]
		if some := integers[p.Start : p.Start+p.Rows()]; len(some) > 0 {
			if !begun {
				span, begun = simd.NewSpan(some[0]), true
			}
			span.Add(some)
		}
	}
	return span
}

// normals is StageNormals for the first rows of a piece, as many as out has room for. It takes them into account in the span.
func (p *Piece) normals(out []uint64, span *simd.Span) {
	v := p.View
	sign, _ := Sign(v.Order)
	switch {
	case v.Order == OrderInt32 && v.Nulls == 0:
		simd.Normals(out, Fixed[int32](v)[p.From:p.From+len(out)], sign, span)
		return
	case v.Order == OrderInt64 && v.Nulls == 0:
		simd.Normals(out, Fixed[int64](v)[p.From:p.From+len(out)], sign, span)
		return
	}
	switch v.Order {
	case OrderInt8:
		shifted(out, Fixed[int8](v)[p.From:], sign)
	case OrderInt16:
		shifted(out, Fixed[int16](v)[p.From:], sign)
	case OrderInt32:
		shifted(out, Fixed[int32](v)[p.From:], sign)
	case OrderInt64:
		shifted(out, Fixed[int64](v)[p.From:], sign)
	case OrderUint8:
		shifted(out, Fixed[uint8](v)[p.From:], sign)
	case OrderUint16:
		shifted(out, Fixed[uint16](v)[p.From:], sign)
	case OrderUint32:
		shifted(out, Fixed[uint32](v)[p.From:], sign)
	case OrderUint64:
		shifted(out, Fixed[uint64](v)[p.From:], sign)
	default:
		for row := range out {
			out[row] = v.normal(p.From + row)
		}
	}
	zeroNulls(out, p)
	span.Add(out)
}

// shifted adds the sign bit of their type to signed numbers, so that the least is 0.
func shifted[T Integer](out []uint64, in []T, sign uint64) {
	in = in[:len(out)]
	for i, x := range in {
		out[i] = uint64(x) + sign
	}
}

func zeroNulls(out []uint64, p *Piece) {
	if p.View.Nulls == 0 {
		return
	}
	for row := range out {
		if p.View.IsNull(p.From + row) {
			out[row] = 0
		}
	}
}

// StageDecimals is StageNormals for decimals, as two integers: the upper half decides before the lower.
func StageDecimals(upper, lower []uint64, pieces []Piece) {
	for i := range pieces {
		p := &pieces[i]
		values := Fixed[decimal128.Num](p.View)[p.From:p.To]
		hi, lo := upper[p.Start:p.Start+p.Rows()], lower[p.Start:p.Start+p.Rows()]
		for row, x := range values {
			hi[row], lo[row] = signed(x.HighBits()), x.LowBits()
		}
		zeroNulls(hi, p)
		zeroNulls(lo, p)
	}
}

// StageNullness writes 1 for a value and 0 for NULL at the staged rows of the pieces.
func StageNullness(dst []uint64, pieces []Piece) {
	for i := range pieces {
		p := &pieces[i]
		for row := range p.Rows() {
			dst[p.Start+row] = 1
			if p.View.IsNull(p.From + row) {
				dst[p.Start+row] = 0
			}
		}
	}
}
