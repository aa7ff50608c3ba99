package columnar

import (
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// StageNormals writes the values of the pieces, of any order but text and decimal, at their staged rows, as unsigned
// integers of the same order. NULL is 0, so a column with NULLs needs its validity as a key before it.
func StageNormals(dst []uint64, pieces []Piece) {
	for i := range pieces {
		p := &pieces[i]
		out := dst[p.Start : p.Start+p.Rows()]
		switch p.View.Order {
		case OrderInt8:
			normals(out, Fixed[int8](p.View)[p.From:], 1<<7, 1<<8-1)
		case OrderInt16:
			normals(out, Fixed[int16](p.View)[p.From:], 1<<15, 1<<16-1)
		case OrderInt32:
			normals(out, Fixed[int32](p.View)[p.From:], 1<<31, 1<<32-1)
		case OrderInt64:
			normals(out, Fixed[int64](p.View)[p.From:], signBit, 1<<64-1)
		case OrderUint8:
			normals(out, Fixed[uint8](p.View)[p.From:], 0, 1<<8-1)
		case OrderUint16:
			normals(out, Fixed[uint16](p.View)[p.From:], 0, 1<<16-1)
		case OrderUint32:
			normals(out, Fixed[uint32](p.View)[p.From:], 0, 1<<32-1)
		case OrderUint64:
			copy(out, Fixed[uint64](p.View)[p.From:])
		default:
			for row := range out {
				out[row] = p.View.normal(p.From + row)
			}
		}
		zeroNulls(out, p)
	}
}

// normals shifts signed numbers up, so that the least is 0: sign is the sign bit of their type, mask all its bits.
func normals[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](out []uint64, in []T, sign, mask uint64) {
	in = in[:len(out)]
	for i, x := range in {
		out[i] = (uint64(x) ^ sign) & mask
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
