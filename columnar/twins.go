package columnar

import (
	"encoding/binary"
	"unsafe"
)

// Twins are two staged rows that may be equal, and what the caller knows them by.
type Twins struct{ A, B, At uint32 }

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
	case v.Layout.Form == FormText32 && sameForm(pieces):
		return unequalTexts(pieces, owners, twins, differ, func(v *View) []int32 { return v.off32 })
	case v.Layout.Form == FormText64 && sameForm(pieces):
		return unequalTexts(pieces, owners, twins, differ, func(v *View) []int64 { return v.off64 })
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

func sameForm(pieces []Piece) bool {
	for i := range pieces {
		if pieces[i].View.Layout.Form != pieces[0].View.Layout.Form {
			return false
		}
	}
	return true
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

// twinTexts are two texts of one length, or of different ones if it is below 0.
type twinTexts struct {
	a, b unsafe.Pointer
	size int
}

// textPlace is where a piece has its texts.
type textPlace[O int32 | int64] struct {
	end   int // the staged row behind its last
	shift int // from a staged row to its offset
	off   []O
	data  []byte
}

// manyPieces is from how many pieces on a table of places is not worth making.
const manyPieces = 64

// unequalTexts first finds the texts of some twins and then compares them, so that the processor waits for many of them at a
// time.
func unequalTexts[O int32 | int64](pieces []Piece, owners Owners, twins []Twins, differ []uint32, offsets func(*View) []O) ([]Twins, []uint32) {
	if len(pieces) > manyPieces {
		return unequalRows(pieces, owners, twins, differ)
	}
	var places [manyPieces]textPlace[O]
	for i := range pieces {
		p := &pieces[i]
		if p.Rows() == 0 {
			places[i].end = p.Start
			continue
		}
		places[i] = textPlace[O]{end: p.Start + p.Rows(), shift: -p.Start, off: offsets(p.View)[p.From : p.To+1], data: p.View.data}
	}
	var block [64]twinTexts
	left := 0
	for from := 0; from < len(twins); from += len(block) {
		some := twins[from:min(from+len(block), len(twins))]
		for i, t := range some {
			a, n := textAt(&places, owners, t.A)
			b, m := textAt(&places, owners, t.B)
			if n != m {
				n = -1
			}
			block[i] = twinTexts{a, b, n}
		}
		for i, t := range some {
			if !block[i].same() {
				differ = append(differ, t.At)
				continue
			}
			if left < from+i {
				twins[left] = t
			}
			left++
		}
	}
	return twins[:left], differ
}

// textAt returns the place and the length of the text of a staged row.
func textAt[O int32 | int64](places *[manyPieces]textPlace[O], owners Owners, staged uint32) (text unsafe.Pointer, size int) {
	at := owners[staged>>3] & (manyPieces - 1)
	for int(staged) >= places[at].end {
		at = (at + 1) & (manyPieces - 1)
	}
	p := &places[at]
	o := p.off[int(staged)+p.shift:][:2]
	return unsafe.Pointer(unsafe.SliceData(p.data[o[0]:])), int(o[1] - o[0])
}

// same compares eight bytes at a time, some of them twice so that texts of up to 24 bytes take the same steps.
func (t *twinTexts) same() bool {
	n := t.size
	switch {
	case n < 8:
		return n >= 0 && unsafe.String((*byte)(t.a), n) == unsafe.String((*byte)(t.b), n)
	case n > 64:
		return unsafe.String((*byte)(t.a), n) == unsafe.String((*byte)(t.b), n)
	}
	second := min(8, n-8)
	differ := word8(t.a, 0) ^ word8(t.b, 0)
	differ |= word8(t.a, second) ^ word8(t.b, second)
	differ |= word8(t.a, n-8) ^ word8(t.b, n-8)
	for at := 16; at < n-8; at += 8 {
		differ |= word8(t.a, at) ^ word8(t.b, at)
	}
	return differ == 0
}

func word8(p unsafe.Pointer, at int) uint64 {
	return binary.NativeEndian.Uint64((*[8]byte)(unsafe.Add(p, at))[:])
}
