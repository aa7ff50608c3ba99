package kernel

import (
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// blender writes a column of which some rows are set: 64 rows at a time, all as they were, all new, or one by one without a
// branch.
type blender struct {
	valid, other []uint64
}

// blends says whether values of a layout are blended, rather than staged and taken.
func blends(l columnar.Layout) bool {
	return l.Form == columnar.FormFixed && (l.Width == 1 || l.Width == 2 || l.Width == 4 || l.Width == 8 || l.Width == 16)
}

// begin makes the mask of the rows of a column that are not NULL.
func (b *blender) begin(base *columnar.View) {
	b.valid = zeroed(b.valid, base.Rows)
	base.ValidMask(b.valid)
}

// blend writes into out the values of from, or of values where mask is set. from may be out itself.
func (b *blender) blend(out, from []byte, values *columnar.View, mask []uint64) {
	switch values.Layout.Width {
	case 1:
		blendWords(out, from, columnar.Fixed[uint8](values), mask)
	case 2:
		cast := arrow.Uint16Traits.CastFromBytes
		blendWords(cast(out), cast(from), columnar.Fixed[uint16](values), mask)
	case 4:
		cast := arrow.Uint32Traits.CastFromBytes
		blendWords(cast(out), cast(from), columnar.Fixed[uint32](values), mask)
	case 8:
		cast := arrow.Uint64Traits.CastFromBytes
		blendWords(cast(out), cast(from), columnar.Fixed[uint64](values), mask)
	default:
		cast := arrow.Uint64Traits.CastFromBytes
		blendPairs(cast(out), cast(from), columnar.Fixed[uint64](values), mask)
	}
	b.other = zeroed(b.other, values.Rows)
	values.ValidMask(b.other)
	for i, m := range mask {
		b.valid[i] = b.valid[i]&^m | b.other[i]&m
	}
}

// finish makes the column, and takes over the buffer.
func (b *blender) finish(t arrow.DataType, rows int, out *memory.Buffer, mem memory.Allocator) arrow.ArrayData {
	defer out.Release()
	buffers := []*memory.Buffer{nil, out}
	nulls := rows - validity.Count(b.valid)
	if nulls > 0 {
		buffers[0] = columnar.NewBuffer(mem, (rows+7)/8)
		copy(buffers[0].Bytes(), arrow.Uint64Traits.CastToBytes(b.valid))
		defer buffers[0].Release()
	}
	return array.NewData(t, rows, buffers, nil, nulls, 0)
}

// few is how many rows of 64 are walked one by one.
const few = 10

// blendWords sets out to values where mask is set, and to base elsewhere. Stretches of words that are all one or the other are
// copied at once.
func blendWords[T uint8 | uint16 | uint32 | uint64](out, base, values []T, mask []uint64) {
	for w := 0; w < len(mask); {
		m, next := mask[w], w+1
		if m == 0 || m == ^uint64(0) {
			for next < len(mask) && mask[next] == m {
				next++
			}
		}
		lo, hi := w*64, min(next*64, len(out))
		w = next
		o, from, to := out[lo:hi], base[lo:hi], values[lo:hi]
		switch n := bits.OnesCount64(m); {
		case m == ^uint64(0):
			copy(o, to)
		case n <= few:
			copy(o, from)
			for ; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				o[i] = to[i]
			}
		case len(o) == 64:
			blend64((*[64]T)(o), (*[64]T)(from), (*[64]T)(to), m)
		default:
			from, to = from[:len(o)], to[:len(o)]
			for i := range o {
				o[i] = from[i] ^ (from[i]^to[i])&-T(m>>i&1)
			}
		}
	}
}

// blend64 is blendWords for one word of a mask.
func blend64[T uint8 | uint16 | uint32 | uint64](out, base, values *[64]T, m uint64) {
	for i := 0; i <= 60; i += 4 {
		b0, b1, b2, b3 := -T(m&1), -T(m>>1&1), -T(m>>2&1), -T(m>>3&1)
		m >>= 4
		out[i] = base[i] ^ (base[i]^values[i])&b0
		out[i+1] = base[i+1] ^ (base[i+1]^values[i+1])&b1
		out[i+2] = base[i+2] ^ (base[i+2]^values[i+2])&b2
		out[i+3] = base[i+3] ^ (base[i+3]^values[i+3])&b3
	}
}

// blendPairs is blendWords for values of two words each.
func blendPairs(out, base, values []uint64, mask []uint64) {
	for w, m := range mask {
		lo := w * 128
		hi := min(lo+128, len(out))
		o, from, to := out[lo:hi], base[lo:hi], values[lo:hi]
		from, to = from[:len(o)], to[:len(o)]
		for i := range o {
			bit := -(m >> (i >> 1 & 63) & 1)
			o[i] = from[i] ^ (from[i]^to[i])&bit
		}
	}
}
