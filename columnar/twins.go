package columnar

import "github.com/braidmerge/braid/simd"

// Twins are two staged rows that may be equal, and what the caller knows them by.
type Twins = simd.Twin

// Owners finds the pieces of staged rows: element i is the first piece that has one of the rows from 8 * i on.
type Owners []int32

// Unequal appends At of the twins to differ whose values in a column are not equal, and returns the twins that are left, in
// their order. The pieces are those of a key column.
func Unequal(pieces []Piece, owners Owners, twins []Twins, differ []uint32) ([]Twins, []uint32) {
	for i := range pieces {
		if pieces[i].View.Nulls > 0 {
			return unequalRows(pieces, owners, twins, differ)
		}
	}
	v := pieces[0].View
	switch {
	case v.Order == OrderFloat32 || v.Order == OrderFloat64 || v.Layout.Form != FormFixed:
		return unequalRows(pieces, owners, twins, differ)
	case v.Layout.Width == 4:
		return unequalFixed[uint32](pieces, owners, twins, differ)
	case v.Layout.Width == 8:
		return unequalFixed[uint64](pieces, owners, twins, differ)
	case v.Layout.Width == 16:
		return unequalFixed[[2]uint64](pieces, owners, twins, differ)
	}
	return unequalRows(pieces, owners, twins, differ)
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

func unequalRows(pieces []Piece, owners Owners, twins []Twins, differ []uint32) ([]Twins, []uint32) {
	left := twins[:0]
	for _, t := range twins {
		p, i := owners.of(pieces, t.A)
		q, j := owners.of(pieces, t.B)
		if Compare(p.View, i, q.View, j) == 0 {
			left = append(left, t)
		} else {
			differ = append(differ, t.At)
		}
	}
	return left, differ
}

// unequalFixed is for values of a fixed width that are equal if all their bytes are.
func unequalFixed[T comparable](pieces []Piece, owners Owners, twins []Twins, differ []uint32) ([]Twins, []uint32) {
	left := twins[:0]
	for _, t := range twins {
		p, i := owners.of(pieces, t.A)
		q, j := owners.of(pieces, t.B)
		if Fixed[T](p.View)[i] == Fixed[T](q.View)[j] {
			left = append(left, t)
		} else {
			differ = append(differ, t.At)
		}
	}
	return left, differ
}
