package kernel

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
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

// blend writes into out the values of from, or of values where mask is set. from, or values, may be out itself.
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

// longStretch is how many words of a mask, all 0 or all 1, are worth a copy of their own.
const longStretch = 8

// blendWords sets out to values where mask is set, and to base elsewhere. Long stretches of rows that are all one or the other are
// copied at once.
func blendWords[T uint8 | uint16 | uint32 | uint64](out, base, values []T, mask []uint64) {
	for w := 0; w < len(mask); {
		next := w + alike(mask[w:])
		long := next-w >= longStretch
		for !long && next < len(mask) {
			n := alike(mask[next:])
			if n >= longStretch {
				break
			}
			next += n
		}
		lo, hi := w*64, min(next*64, len(out))
		switch {
		case !long:
			simd.Blend(out[lo:hi], base[lo:hi], values[lo:hi], mask[w:next])
		case mask[w] == 0:
			move(out[lo:hi], base[lo:hi])
		default:
			move(out[lo:hi], values[lo:hi])
		}
		w = next
	}
}

// alike returns how many words from the first on have either no row or every row: one if the first has some.
func alike(mask []uint64) int {
	n := 1
	if mask[0] == 0 || mask[0] == ^uint64(0) {
		for n < len(mask) && mask[n] == mask[0] {
			n++
		}
	}
	return n
}

// move copies rows unless they are where they are to be.
func move[T any](out, from []T) {
	if &out[0] != &from[0] {
		copy(out, from)
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
