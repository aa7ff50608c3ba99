package columnar

import "github.com/braidmerge/braid/simd"

// Owners finds the pieces of staged rows: element i is the first piece that has one of the rows from 8 * i on.
type Owners []int32

// Unequal appends the places of ties to differ of which the two rows have values in a column that are not equal, and returns those that are
// left, in their order and in the memory of ties.At. The pieces are those of a key column.
func Unequal(pieces []Piece, owners Owners, ties *simd.Ties, differ []uint32) (left, differing []uint32) {
	left = ties.At[:0]
	for i, at := range ties.At {
		a, b := ties.Rows(i)
		p, row := owners.of(pieces, a)
		q, other := owners.of(pieces, b)
		if Compare(p.View, row, q.View, other) == 0 {
			left = append(left, at)
		} else {
			differ = append(differ, at)
		}
	}
	return left, differ
}

// of returns the piece of a staged row, and the row in its view.
func (o Owners) of(pieces []Piece, staged uint32) (*Piece, int) {
	at := int(o[staged>>3])
	for int(staged) >= pieces[at].Start+pieces[at].To-pieces[at].From {
		at++
	}
	p := &pieces[at]
	return p, int(staged) - p.Start + p.From
}

// EqualBytes says whether values of a column without NULLs are equal just when their bytes are, and can be located.
func EqualBytes(v *View) bool {
	if v.Layout.Form == FormFixed {
		return v.Order != OrderFloat32 && v.Order != OrderFloat64 && v.Layout.Width >= simd.MinBlockWidth && canLocate(v.Layout)
	}
	return v.Layout.IsText()
}

// Unequal is the function Unequal for a column without NULLs of EqualBytes, which has been located. So many first bytes of values are known to
// be the same where two rows are tied.
func (s *Staged) Unequal(ties *simd.Ties, known int, differ []uint32) (left, differing []uint32) {
	var unequal [256]uint8
	blocks, texts, width := simd.Blocks{}, simd.Texts{}, s.blockWidth()
	if width > 0 {
		blocks = s.blocksOf(width)
	} else {
		texts = s.texts()
	}
	left = ties.At[:0]
	for from := 0; from < len(ties.At); from += len(unequal) {
		some, n := *ties, 0
		some.At = ties.At[from:min(from+len(unequal), len(ties.At))]
		if width > 0 {
			n = blocks.Unequal(unequal[:], &some, known)
		} else {
			n = texts.Unequal(unequal[:], &some)
		}
		if n == 0 {
			left = append(left, some.At...)
			continue
		}
		for i, at := range some.At {
			if unequal[i] != 0 {
				differ = append(differ, at)
			} else {
				left = append(left, at)
			}
		}
	}
	return left, differ
}

// blockWidth returns the width of located values that lie in blocks, 0 for others.
func (s *Staged) blockWidth() int {
	if s.layout.Form == FormFixed {
		return s.layout.Width
	}
	return s.rowBlocks.text
}
