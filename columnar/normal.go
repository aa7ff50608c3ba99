package columnar

import (
	"bytes"
	"encoding/binary"

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

// TextShape is what the texts of some pieces have in common.
type TextShape struct {
	Prefix int // how many first bytes are the same in all
	Min    int // bytes of the shortest
	Max    int // bytes of the longest
}

// ShapeOf measures the texts of pieces. NULLs do not count.
func ShapeOf(pieces []Piece) TextShape {
	var common []byte
	shape := TextShape{Min: -1}
	for i := range pieces {
		p := &pieces[i]
		for row := p.From; row < p.To; row++ {
			if p.View.Nulls > 0 && p.View.IsNull(row) {
				continue
			}
			text := p.View.Text(row)
			if shape.Min < 0 {
				common, shape.Min, shape.Max = text, len(text), len(text)
				continue
			}
			shape.Min, shape.Max = min(shape.Min, len(text)), max(shape.Max, len(text))
			if !bytes.HasPrefix(text, common) {
				common = common[:commonPrefix(common, text)]
			}
		}
	}
	shape.Min, shape.Prefix = max(shape.Min, 0), len(common)
	return shape
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// StageText writes an integer for every text of the pieces at its staged row, of the same order as the texts as far as it
// goes: the first bytes after the common prefix. It says whether it goes all the way, so that equal integers mean equal
// texts. NULL is 0.
//
//	all rests of one length up to 8        the 8 bytes of the rest                       exact
//	all rests of at most 7 bytes           7 bytes, zero padded, then the rest's length   exact
//	longer                                 the first 8 bytes of the rest, zero padded     not exact
func StageText(dst []uint64, pieces []Piece, shape TextShape) (exact bool) {
	rest := shape.Max - shape.Prefix
	withLength := rest <= 7 && shape.Min != shape.Max
	for i := range pieces {
		p := &pieces[i]
		for row := p.From; row < p.To; row++ {
			x := uint64(0)
			if p.View.Nulls == 0 || !p.View.IsNull(row) {
				text := p.View.Text(row)[shape.Prefix:]
				x = first8(text)
				if withLength {
					x |= uint64(len(text))
				}
			}
			dst[p.Start+row-p.From] = x
		}
	}
	return withLength || rest <= 8 && shape.Min == shape.Max
}

// first8 reads eight bytes, the first in the highest byte; where the text has fewer, zeros follow.
func first8(text []byte) uint64 {
	if len(text) >= 8 {
		return binary.BigEndian.Uint64(text)
	}
	x := uint64(0)
	for i, b := range text {
		x |= uint64(b) << (56 - 8*i)
	}
	return x
}
