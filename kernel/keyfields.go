package kernel

import (
	"math/bits"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
)

// keyFields makes the key bits of words from key columns of any type. Every column becomes one or more unsigned integers of
// the same order; a window needs of each only the bits that vary in it. They stand one after another, the first column
// highest, until there is no more room:
//
//	date (minutes)      origin                destination
//	14 bits             24 of 24 bits         9 of 24 bits: cut off, so the words are not exact
type keyFields struct {
	list     []*keyField // scratch, kept from window to window
	used     int
	placed   []*keyField        // those that have bits, the highest first
	room     int                // bits that are left
	open     bool               // what has been placed is exact, so the next integer may follow
	cut      *keyField          // the integer there was not room enough for, nil if there is none
	more     bool               // integers that are equal are not all of a key
	segments []columnar.Segment // scratch
}

// keyField is one integer of a key: its bits are (normal - least) >> shift.
type keyField struct {
	normals []uint64 // by staged row
	least   uint64
	shift   int
	bits    int
}

// make stages the key columns as integers, for words with so many key bits, and returns the form of the words.
func (k *keyFields) make(w *window, in *inputs, room int) wordForm {
	idxBits := bits.Len(uint(w.room))
	if invariants.Sometimes(20) {
		room = min(room, 3) // hardly any word is exact
	}
	k.used, k.placed, k.room, k.open = 0, k.placed[:0], room, true
	k.cut, k.more = nil, false
	for i := range in.keys {
		if k.room == 0 {
			k.open = false
		}
		if !k.open {
			k.more = true
			break
		}
		k.column(w, w.column(i).Pieces)
	}
	return wordForm{idxBits: idxBits, keyBits: room - k.room, exact: k.open}
}

// whole keeps one integer column whole, for words that were made of it without its fields.
func (k *keyFields) whole(w *window, pieces []columnar.Piece) {
	k.used = 0
	k.cut, k.more = k.next(w), false
	columnar.StageNormals(k.cut.normals, pieces)
}

// column places the integers of one column.
func (k *keyFields) column(w *window, pieces []columnar.Piece) {
	if !noNulls(pieces) {
		f := k.next(w)
		columnar.StageNullness(f.normals, pieces)
		k.place(f, pieces, true)
		if !k.open {
			k.more = true
			return
		}
	}
	switch pieces[0].View.Order {
	case columnar.OrderText:
		f := k.next(w)
		shape := columnar.ShapeOf(pieces, k.segments[:0])
		k.segments = shape.Segments
		k.place(f, pieces, columnar.StageText(f.normals, pieces, shape))
	case columnar.OrderDecimal128:
		upper, lower := k.next(w), k.next(w)
		columnar.StageDecimals(upper.normals, lower.normals, pieces)
		if k.place(upper, pieces, true); k.open {
			k.place(lower, pieces, true)
		} else {
			k.more = true
		}
	default:
		f := k.next(w)
		columnar.StageNormals(f.normals, pieces)
		k.place(f, pieces, true)
	}
}

// next returns scratch for another integer.
func (k *keyFields) next(w *window) *keyField {
	if k.used == len(k.list) {
		k.list = append(k.list, &keyField{})
	}
	f := k.list[k.used]
	k.used++
	if len(f.normals) < w.room {
		f.normals = make([]uint64, w.room+w.room/4)
	}
	return f
}

// place measures an integer over the rows of the window and gives it its bits. whole says that it is all there is of its
// value; without that, or without room, nothing may follow it.
func (k *keyFields) place(f *keyField, pieces []columnar.Piece, whole bool) {
	least, most, varying := ^uint64(0), uint64(0), uint64(0)
	first := f.normals[pieces[0].Start]
	for i := range pieces {
		p := &pieces[i]
		for _, x := range f.normals[p.Start : p.Start+p.Rows()] {
			least, most = min(least, x), max(most, x)
			varying |= x ^ first
		}
	}
	f.least, f.shift = least, bits.TrailingZeros64(varying)&63
	f.bits = bits.Len64((most - least) >> f.shift)
	k.more = k.more || !whole
	if f.bits > k.room {
		f.shift += f.bits - k.room
		f.bits = k.room
		whole = false
		k.cut = f
	}
	k.room -= f.bits
	k.open = whole
	if f.bits > 0 {
		k.placed = append(k.placed, f)
	}
}

// combine makes the words of all rows, run by run.
func (k *keyFields) combine(w *window, words []uint64) {
	idxBits := uint(w.form.idxBits) & 63
	for i := range w.pieces {
		p := &w.pieces[i]
		out := words[:p.to-p.from]
		words = words[len(out):]
		clear(out)
		for _, f := range k.placed {
			f.append(out, p.start)
		}
		for row, x := range out {
			out[row] = x<<idxBits | uint64(p.start+row)
		}
	}
}

// combinePairs makes words of two words each.
func (k *keyFields) combinePairs(w *window, pairs []pair) {
	for i := range w.pieces {
		p := &w.pieces[i]
		out := pairs[:p.to-p.from]
		pairs = pairs[len(out):]
		clear(out)
		for _, f := range k.placed {
			f.appendPairs(out, p.start)
		}
		for row := range out {
			out[row].shift(w.form.idxBits)
			out[row].lo |= uint64(p.start + row)
		}
	}
}

// appendPairs shifts the field's bits of the rows from start on into out.
func (f *keyField) appendPairs(out []pair, start int) {
	normals := f.normals[start : start+len(out)]
	for i, x := range normals {
		out[i].shift(f.bits)
		out[i].lo |= (x - f.least) >> uint(f.shift&63)
	}
}

// append shifts the field's bits of the rows from start on into out.
func (f *keyField) append(out []uint64, start int) {
	normals := f.normals[start : start+len(out)]
	least, shift, width := f.least, uint(f.shift)&63, uint(f.bits)&63
	for i, x := range normals {
		out[i] = out[i]<<width | (x-least)>>shift
	}
}

func noNulls(pieces []columnar.Piece) bool {
	for i := range pieces {
		if pieces[i].View.Nulls > 0 {
			return false
		}
	}
	return true
}
