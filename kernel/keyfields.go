package kernel

import (
	"math/bits"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
)

// keyFields makes the key bits of words from key columns of any type. Every column becomes one or more unsigned integers of
// the same order; a window needs of each only the bits that vary in it. They stand one after another, the first column
// highest, until there is no more room. Columns of few values are ranked where that makes room:
//
//	date (minutes)      origin                destination
//	14 bits             24 of 24 bits         9 of 24 bits: cut off, so the words are not exact
type keyFields struct {
	list   []*keyField // scratch, kept from window to window
	used   int
	placed []*keyField          // those that have bits, the highest first
	room   int                  // bits that are left
	open   bool                 // what has been placed is exact, so the next integer may follow
	cut    *keyField            // the integer there was not room enough for, nil if there is none
	more   bool                 // integers that are equal are not all of a key
	exact  int                  // so many first columns are equal where the words are
	texts  []columnar.TextShape // by key column
	ranks  ranks
	w      *window // at hand
}

// keyField is one integer of a key: its bits are (normal - least) >> shift.
type keyField struct {
	normals []uint64 // by staged row
	least   uint64
	shift   int
	bits    int
	rest    int // windows for which it is not ranked
}

// make stages the key columns as integers, for words with so many key bits, and returns the form of the words.
func (k *keyFields) make(w *window, in *inputs, room int) wordForm {
	idxBits := bits.Len(uint(w.room))
	if invariants.Sometimes(20) {
		room = min(room, 3) // hardly any word is exact
	}
	k.w = w
	k.used, k.placed, k.room, k.open = 0, k.placed[:0], room, true
	k.cut, k.more, k.exact = nil, false, 0
	for i := range in.keys {
		if k.room == 0 {
			k.open = false
		}
		if !k.open {
			k.more = true
			break
		}
		if k.column(w, i, w.column(i).Pieces); k.open {
			k.exact++
		}
	}
	return wordForm{idxBits: idxBits, keyBits: room - k.room, exact: k.open}
}

// whole keeps one integer column whole, for words that were made of it without its fields.
func (k *keyFields) whole(w *window, pieces []columnar.Piece) {
	k.used = 0
	k.cut, k.more, k.exact = k.next(w), false, 0
	columnar.StageNormals(k.cut.normals, pieces)
}

// column places the integers of the key column at a place.
func (k *keyFields) column(w *window, at int, pieces []columnar.Piece) {
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
		for len(k.texts) <= at {
			k.texts = append(k.texts, columnar.TextShape{})
		}
		text := &k.texts[at]
		columnar.StageText(f.normals, pieces, k.room, text)
		k.give(f, text.Bits, text.Exact)
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
	f.least, f.shift, f.bits = 0, 0, 0
	k.used++
	if len(f.normals) < w.room {
		f.normals = make([]uint64, w.room+w.room/4)
	}
	return f
}

// place measures an integer over the rows of the window and gives it its bits. whole says that it is all there is of its
// value; without that, or without room, nothing may follow it.
func (k *keyFields) place(f *keyField, pieces []columnar.Piece, whole bool) {
	least, most, varying := f.measure(pieces)
	f.least, f.shift = least, bits.TrailingZeros64(varying)&63
	if unit := f.unit(pieces); unit > 1 && f.divide(pieces, unit, (most-least)>>f.shift) {
		most, least = (most-least)>>f.shift/unit, 0
		f.least, f.shift = 0, 0
	}
	k.give(f, bits.Len64((most-least)>>f.shift), whole)
}

// measure returns the least and the greatest of the integers, and the bits that vary.
func (f *keyField) measure(pieces []columnar.Piece) (least, most, varying uint64) {
	first := f.normals[pieces[0].Start]
	least, most = first, first
	least2, most2 := first, first // of every second one, so that two are compared at a time
	for i := range pieces {
		p := &pieces[i]
		normals := f.normals[p.Start : p.Start+p.Rows()]
		for ; len(normals) >= 2; normals = normals[2:] {
			x, y := normals[0], normals[1]
			least, most = min(least, x), max(most, x)
			least2, most2 = min(least2, y), max(most2, y)
			varying |= (x ^ first) | (y ^ first)
		}
		for _, x := range normals {
			least, most = min(least, x), max(most, x)
			varying |= x ^ first
		}
	}
	return min(least, least2), max(most, most2), varying
}

// give gives an integer its bits. whole is as for place.
func (k *keyFields) give(f *keyField, width int, whole bool) {
	f.bits = width
	k.more = k.more || !whole
	if f.bits > k.room {
		k.makeRoom(f)
	}
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

// makeRoom ranks integers until there is room for another one, if it cannot be ranked itself.
func (k *keyFields) makeRoom(f *keyField) {
	for _, p := range k.placed {
		if before := p.bits; f.bits > k.room && k.ranks.rank(k.w, p) {
			k.room += before - p.bits
		}
	}
	if f.bits > k.room {
		k.ranks.rank(k.w, f)
	}
}

// unitRows is how many integers are looked at for a common divisor.
const unitRows = 64

// unit returns the greatest odd divisor of some of the bits above shift: that of seconds in a column of milliseconds.
func (f *keyField) unit(pieces []columnar.Piece) uint64 {
	unit := uint64(0)
	looked := 0
	for i := range pieces {
		p := &pieces[i]
		stride := max(1, p.Rows()*len(pieces)/unitRows)
		for row := 0; row < p.Rows() && unit != 1; row += stride {
			unit = odd(commonDivisor(unit, (f.normals[p.Start+row]-f.least)>>f.shift))
			looked++
		}
		if unit == 1 || looked > 2*unitRows {
			break
		}
	}
	return unit
}

// divide replaces the integers by their bits above shift, of which most are the greatest, divided by an odd unit. If one is no
// multiple of it, it leaves them as they are.
func (f *keyField) divide(pieces []columnar.Piece, unit, most uint64) (done bool) {
	inverse := unit // multiplied by it, a multiple is divided, and all else comes out above the greatest quotient
	for range 5 {
		inverse *= 2 - unit*inverse
	}
	least, shift, greatest := f.least, uint(f.shift)&63, uint64(0)
	for i := range pieces {
		p := &pieces[i]
		normals := f.normals[p.Start : p.Start+p.Rows()]
		for row, x := range normals {
			q := (x - least) >> shift * inverse
			greatest = max(greatest, q)
			normals[row] = q
		}
	}
	if greatest <= most/unit {
		return true
	}
	for i := range pieces {
		p := &pieces[i]
		normals := f.normals[p.Start : p.Start+p.Rows()]
		for row, q := range normals {
			normals[row] = q*unit<<shift + least
		}
	}
	return false
}

// commonDivisor returns the greatest number that divides both, one of them if the other is 0.
func commonDivisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// odd divides by two as long as it can.
func odd(x uint64) uint64 { return x >> (bits.TrailingZeros64(x) & 63) }

// combineRows is how many words are made at a time: few enough to stay in the nearest cache from one integer to the next.
const combineRows = 1024

// combine makes the words of all rows, run by run.
func (k *keyFields) combine(w *window, words []uint64) {
	for i := range w.pieces {
		p := &w.pieces[i]
		for start, end := p.start, p.start+p.to-p.from; start < end; {
			n := min(combineRows, end-start)
			k.combineRows(words[:n], start, uint(w.form.idxBits)&63)
			words = words[n:]
			start += n
		}
	}
}

// combineRows makes the words of the staged rows from start on.
func (k *keyFields) combineRows(out []uint64, start int, idxBits uint) {
	last := len(k.placed) - 1
	for j, f := range k.placed {
		switch {
		case j == last && j == 0:
			f.words(out, start, idxBits)
		case j == last:
			f.close(out, start, idxBits)
		case j == 0:
			f.open(out, start)
		default:
			f.append(out, start)
		}
	}
	if last < 0 {
		for row := range out {
			out[row] = uint64(start + row)
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

// open puts the field's bits of the rows from start on into out, append shifts them in behind those of fields before, close
// does so and makes words, and words makes them of the only field.

func (f *keyField) open(out []uint64, start int) {
	normals := f.normals[start : start+len(out)]
	least, shift := f.least, uint(f.shift)&63
	for i, x := range normals {
		out[i] = (x - least) >> shift
	}
}

func (f *keyField) append(out []uint64, start int) {
	normals := f.normals[start : start+len(out)]
	least, shift, width := f.least, uint(f.shift)&63, uint(f.bits)&63
	for i, x := range normals {
		out[i] = out[i]<<width | (x-least)>>shift
	}
}

func (f *keyField) close(out []uint64, start int, idxBits uint) {
	normals := f.normals[start : start+len(out)]
	least, shift, width := f.least, uint(f.shift)&63, uint(f.bits)&63
	for i, x := range normals {
		out[i] = (out[i]<<width|(x-least)>>shift)<<(idxBits&63) | uint64(start+i)
	}
}

func (f *keyField) words(out []uint64, start int, idxBits uint) {
	normals := f.normals[start : start+len(out)]
	least, shift := f.least, uint(f.shift)&63
	for i, x := range normals {
		out[i] = (x-least)>>shift<<(idxBits&63) | uint64(start+i)
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
