package kernel

import (
	"math/bits"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
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
	own    []int                // by key column of those that are exact, the integer that is all of it, -1 if there are several
	parts  []columnar.KeyPart
	bits   []simd.KeyBits // scratch
	ranks  ranks
	w      *window // at hand
}

// keyField is one integer of a key: its bits are (normal - least) >> shift.
type keyField struct {
	normals []uint64 // by staged row
	least   uint64
	shift   int
	bits    int
	most    uint64 // of a number that is not ranked, the greatest (normal - least) >> shift
	divisor uint64 // of some of them
	rest    int    // windows for which it is not ranked

	at           int      // the lowest of its bits among the key bits of words
	factor, base uint64   // the column has normal * factor + base
	ranked       bool     // normals are ranks,
	values       []uint64 // and these what the column has for them
}

// make stages the key columns as integers, for words with so many key bits, and returns the form of the words.
func (k *keyFields) make(w *window, in *inputs, room int) wordForm {
	idxBits := bits.Len(uint(w.room))
	if invariants.Sometimes(20) {
		room = min(room, 3) // hardly any word is exact
	}
	k.w = w
	k.used, k.placed, k.room, k.open = 0, k.placed[:0], room, true
	k.cut, k.more, k.exact, k.own = nil, false, 0, k.own[:0]
	for i := range in.keys {
		if !k.open {
			k.more = true
			break
		}
		first := k.used
		if k.column(w, i, w.column(i).Pieces); k.open {
			k.exact++
			k.own = append(k.own, first)
			if k.used > first+1 {
				k.own[i] = -1
			}
		}
	}
	return wordForm{idxBits: idxBits, keyBits: room - k.room, exact: k.open, parts: k.partsOf(w)}
}

// partsOf says how the first key columns come out of the key bits, those that are whole in them.
func (k *keyFields) partsOf(w *window) []columnar.KeyPart {
	shift := 0
	for i := len(k.placed) - 1; i >= 0; i-- {
		k.placed[i].at = shift
		shift += k.placed[i].bits
	}
	k.parts = k.parts[:0]
	for i, own := range k.own {
		part := columnar.KeyPart{}
		if own >= 0 {
			f := k.list[own]
			part.Order = w.column(i).Pieces[0].View.Order
			part.Shift, part.Mask = f.at, 1<<f.bits-1
			part.Unit, part.Base = f.factor<<f.shift, f.least*f.factor+f.base
			if part.Order == columnar.OrderText {
				part.Text = &k.texts[i]
			}
			if f.ranked {
				part.Ranked = f.values
			}
		}
		k.parts = append(k.parts, part)
	}
	return k.parts
}

// known returns how many first bytes the values of the key column at a place have in common where words have equal key bits: of texts of one
// length without NULL, of which words have all the bits that were made of them.
func (k *keyFields) known(w *window, at int) int {
	if at != k.exact || k.cut != nil || w.column(at).Pieces[0].View.Order != columnar.OrderText {
		return 0
	}
	return k.texts[at].Known()
}

// whole keeps one integer column whole, for words that were made of it without its fields.
func (k *keyFields) whole(w *window, pieces []columnar.Piece) {
	k.used = 0
	k.cut, k.more, k.exact = k.next(w), false, 0
	columnar.StageNormals(k.cut.normals, pieces)
}

// integer says how the only key column comes out of the key bits where they have all of it.
func (k *keyFields) integer(form wordForm, order columnar.Order) []columnar.KeyPart {
	sign, _ := columnar.Sign(order)
	part := simd.KeyPart{Mask: 1<<form.keyBits - 1, Unit: 1, Base: form.least + sign}
	k.parts = append(k.parts[:0], columnar.KeyPart{KeyPart: part, Order: order})
	return k.parts
}

// column places the integers of the key column at a place.
func (k *keyFields) column(w *window, at int, pieces []columnar.Piece) {
	if !noNulls(pieces) {
		f := k.next(w)
		columnar.StageNullness(f.normals, pieces)
		k.place(f, pieces, columnar.Measure(f.normals, pieces), true)
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
		k.give(f, pieces, text.Bits, text.Exact)
	case columnar.OrderDecimal128:
		upper, lower := k.next(w), k.next(w)
		columnar.StageDecimals(upper.normals, lower.normals, pieces)
		if k.place(upper, pieces, columnar.Measure(upper.normals, pieces), true); k.open {
			k.place(lower, pieces, columnar.Measure(lower.normals, pieces), true)
		} else {
			k.more = true
		}
	default:
		f := k.next(w)
		k.place(f, pieces, columnar.StageNormals(f.normals, pieces), true)
	}
}

// next returns scratch for another integer.
func (k *keyFields) next(w *window) *keyField {
	if k.used == len(k.list) {
		k.list = append(k.list, &keyField{})
	}
	f := k.list[k.used]
	f.least, f.shift, f.bits, f.most, f.at = 0, 0, 0, 0, 0
	f.factor, f.base, f.ranked = 1, 0, false
	k.used++
	if len(f.normals) < w.room {
		f.normals = make([]uint64, w.room+w.room/4)
	}
	return f
}

// place gives an integer, which has a span over the rows of the window, its bits. whole says that it is all there is of its
// value; without that, or without room, nothing may follow it.
func (k *keyFields) place(f *keyField, pieces []columnar.Piece, span simd.Span, whole bool) {
	f.least, f.shift = span.Least, bits.TrailingZeros64(span.Varying)&63
	f.most = (span.Most - span.Least) >> f.shift
	k.give(f, pieces, bits.Len64(f.most), whole)
}

// give gives an integer its bits. whole is as for place.
func (k *keyFields) give(f *keyField, pieces []columnar.Piece, width int, whole bool) {
	f.bits = width
	k.more = k.more || !whole
	if f.bits > k.room {
		k.makeRoom(f, pieces)
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

// makeRoom divides and ranks integers until there is room for another one, if not for all of it. Where dividing is enough, none is
// ranked.
func (k *keyFields) makeRoom(f *keyField, pieces []columnar.Piece) {
	fields, gain := append(k.placed, f), 0
	for _, p := range fields {
		if p.divisor = 1; p.most > 0 {
			p.divisor = max(1, p.unit(pieces))
			gain += bits.Len64(p.most) - bits.Len64(p.most/p.divisor)
		}
	}
	rank := f.bits > k.room+gain
	for _, p := range fields {
		if before := p.bits; rank && f.bits > k.room && k.ranks.rank(k.w, p) && p != f {
			k.room += before - p.bits
		}
	}
	for _, p := range fields {
		if before := p.bits; f.bits > k.room && p.reduce(pieces) && p != f {
			k.room += before - p.bits
		}
	}
}

// reduce divides the integers by the divisor that some of them have.
func (f *keyField) reduce(pieces []columnar.Piece) (done bool) {
	if f.divisor <= 1 || f.most == 0 || !f.divide(pieces, f.divisor, f.most) {
		return false
	}
	f.factor, f.base = f.divisor<<f.shift, f.least
	f.least, f.shift, f.most = 0, 0, f.most/f.divisor
	f.bits = bits.Len64(f.most)
	return true
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

// combine makes the words of all rows, run by run.
func (k *keyFields) combine(w *window, words []uint64) {
	k.bits = k.bits[:0]
	for _, f := range k.placed {
		k.bits = append(k.bits, simd.KeyBits{Integers: f.normals, Least: f.least, Shift: uint64(f.shift), Width: uint64(f.bits)})
	}
	for i := range w.pieces {
		p := &w.pieces[i]
		n := p.to - p.from
		simd.CombineKeys(words[:n], k.bits, p.start, w.form.idxBits)
		words = words[n:]
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

func noNulls(pieces []columnar.Piece) bool {
	for i := range pieces {
		if pieces[i].View.Nulls > 0 {
			return false
		}
	}
	return true
}
