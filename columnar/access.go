package columnar

import (
	"encoding/binary"

	"github.com/braidmerge/braid/validity"
)

// NumChildren returns how many children a nested view has: one for lists that have rows, one a field for structs.
func (v *View) NumChildren() int { return len(v.children) }

// Child returns a child: the items of a list, which Items ranges over, or a field of a struct, whose rows are those of the
// struct. It is good as long as the view is.
func (v *View) Child(i int) *View { return &v.children[i] }

// Items returns the rows [first, last) of the child that rows [from, to) of a list have.
func (v *View) Items(from, to int) (first, last int) { return v.items(from, to) }

// ValidMask writes a mask of the rows that are not NULL. dst has validity.Words(v.Rows) words, or is empty with no rows.
func (v *View) ValidMask(dst []uint64) {
	switch {
	case v.Layout.Form == FormNull:
		clear(dst)
	case v.valid == nil:
		validity.Fill(dst, v.Rows)
	default:
		copyBits(dst, v.valid, v.validAt, v.Rows)
	}
}

// BoolMask writes a mask of the rows of a FormBits view whose value is true. What it says of NULLs means nothing. dst is as
// for ValidMask.
func (v *View) BoolMask(dst []uint64) { copyBits(dst, v.bits, v.bitsAt, v.Rows) }

// copyBits writes bits [from, from+n) of an Arrow bitmap, 64 to a word; those past the last are 0.
func copyBits(dst []uint64, bitmap []byte, from, n int) {
	shift := from & 7
	src := bitmap[from>>3:]
	for w := 0; n > 0; w++ {
		x := word(src) >> shift
		if shift > 0 && len(src) > 8 {
			x |= uint64(src[8]) << (64 - shift)
		}
		if n < 64 {
			x &= 1<<n - 1
		}
		dst[w] = x
		n -= 64
		src = src[min(8, len(src)):]
	}
}

// word reads eight bytes, or what there is of them.
func word(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	x := uint64(0)
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	return x
}
