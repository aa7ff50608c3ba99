package kernel

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
)

// settle puts words in order whose keys agree in the bits that the words have, and replaces the key bits by the number of
// the key in the window where they do not tell all keys apart, so that all later steps can take equal bits for equal keys.
//
//	key bits   5 5 5 5 7       the keys of rows 3 and 9 are one, those of 1 and 4 another
//	row        1 3 4 9 2
//	settled    0 0 1 1 2       if the first is below: rows 1 4 3 9 2
func (o *orderer) settle(w *window, in *inputs) {
	merged := w.words[:w.rows]
	w.form.exact = true
	o.findTies(w, merged)
	unequal := o.unequal(w, in)
	if len(unequal) == 0 {
		return
	}
	w.form.parts = nil
	idxBits := w.form.idxBits
	number, done := uint64(0), 0
	for len(unequal) > 0 {
		i, j := groupAround(merged, done, int(unequal[0]), idxBits)
		number = renumber(merged[done:i], number, idxBits)
		if n := j - i; n >= subWindow && n < len(merged) {
			number = o.settleWindow(w, in, merged[i:j], number)
		} else {
			number = o.settleRows(w, merged[i:j], number)
		}
		number++
		for len(unequal) > 0 && int(unequal[0]) < j {
			unequal = unequal[1:]
		}
		done = j
	}
	renumber(merged[done:], number, idxBits)
}

// groupAround returns the bounds of the words with the key bits of one of them, of those from done on: the words before have
// numbers already.
func groupAround(merged []uint64, done, at, idxBits int) (from, to int) {
	key := merged[at] >> idxBits
	for from = at; from > done && merged[from-1]>>idxBits == key; {
		from--
	}
	for to = at + 1; to < len(merged) && merged[to]>>idxBits == key; {
		to++
	}
	return from, to
}

// renumber replaces key bits by the number of the key, from number on, and returns the number that comes next.
func renumber(merged []uint64, number uint64, idxBits int) (next uint64) {
	if len(merged) == 0 {
		return number
	}
	shift, idxMask := uint(idxBits)&63, uint64(1)<<idxBits-1
	before := merged[0]
	for i, word := range merged {
		_, more := bits.Sub64(before|idxMask, word, 0)
		number += more
		merged[i] = number<<shift | word&idxMask
		before = word
	}
	return number + 1
}

// subWindow is from how many tied rows on they are ordered as a window of their own.
const subWindow = 64

// findTies lists the words that have the key bits of the word before.
func (o *orderer) findTies(w *window, merged []uint64) {
	if len(o.tieAt) < len(merged) {
		o.tieAt = make([]uint32, len(merged)+len(merged)/4)
	}
	n := simd.FindTies(o.tieAt, merged, w.form.idxMask())
	o.ties = simd.Ties{Words: merged, IdxMask: w.form.idxMask(), At: o.tieAt[:n]}
}

// unequal returns those ties that are of different keys. Most ties are of equal keys.
func (o *orderer) unequal(w *window, in *inputs) []uint32 {
	o.differ = o.differ[:0]
	ties := &o.ties
	if f := o.fields.cut; f != nil && !o.fields.more {
		for i, at := range ties.At {
			if a, b := ties.Rows(i); f.normals[a] != f.normals[b] {
				o.differ = append(o.differ, at)
			}
		}
		return o.differ
	}
	if len(ties.At) == 0 {
		return nil
	}
	w.mapPieces()
	for at := o.fields.exact; at < len(in.keys); at++ {
		ties.At, o.differ = w.unequal(in, at, ties, o.fields.known(w, at), o.differ)
	}
	slices.Sort(o.differ)
	return o.differ
}

// unequal is columnar.Unequal for the key column at a place, of whose values so many first bytes are known to be equal.
func (w *window) unequal(in *inputs, at int, ties *simd.Ties, known int, differ []uint32) (left, differing []uint32) {
	pieces := w.column(at).Pieces
	if noNulls(pieces) && columnar.EqualBytes(pieces[0].View) {
		if values, err := w.located(at, in.keys[at].layout); err == nil { // else the output will fail of it
			return values.Unequal(ties, known, differ)
		}
	}
	return columnar.Unequal(pieces, w.owners, ties, differ)
}

// settleRows orders tied words by comparing keys, numbers them from number on and returns the last number. Most ties are of
// equal keys, which are in order as they stand.
func (o *orderer) settleRows(w *window, ties []uint64, number uint64) uint64 {
	idxBits, idxMask := w.form.idxBits, w.form.idxMask()
	first := number
	for i, word := range ties {
		if i > 0 {
			c := o.compareTied(w, int(ties[i-1]&idxMask), int(word&idxMask))
			if c > 0 {
				return o.sortRows(w, ties, first)
			}
			if c < 0 {
				number++
			}
		}
		ties[i] = number<<idxBits | word&idxMask
	}
	if number > first {
		o.tied += len(ties)
	}
	return number
}

// sortRows is settleRows for ties that are not in order.
func (o *orderer) sortRows(w *window, ties []uint64, number uint64) uint64 {
	if o.compare == nil {
		o.compare = func(a, b uint64) int {
			idxMask := o.w.form.idxMask()
			i, j := int(a&idxMask), int(b&idxMask)
			if c := o.compareTied(o.w, i, j); c != 0 {
				return c
			}
			return i - j
		}
	}
	o.w = w
	slices.SortFunc(ties, o.compare)
	return o.settleRows(w, ties, number)
}

// compareTied compares the keys of two staged rows whose words have equal key bits.
func (o *orderer) compareTied(w *window, a, b int) int {
	if f := o.fields.cut; f != nil {
		if c := cmp.Compare(f.normals[a], f.normals[b]); c != 0 || !o.fields.more {
			return c
		}
	}
	return w.compareRows(a, b)
}

// settleWindow orders many tied words as a window of their own: in that, only the bits count that vary among their keys. The
// rows of every run lie side by side, as the runs are sorted, and keep their staged rows.
func (o *orderer) settleWindow(w *window, in *inputs, ties []uint64, number uint64) uint64 {
	if o.inner == nil {
		o.inner = &orderer{}
	}
	s := &o.sub
	s.reset()
	idxBits, idxMask := w.form.idxBits, w.form.idxMask()
	for i := 0; i < len(ties); {
		at := w.pieceOf(int(ties[i] & idxMask))
		p := &w.pieces[at]
		from := int(ties[i]&idxMask) - p.start
		n := 1
		for i+n < len(ties) && int(ties[i+n]&idxMask) < p.start+p.to-p.from {
			n++
		}
		s.addAt(p.cursor, p.batch, p.from+from, p.from+from+n, p.start+from)
		i += n
	}
	s.seal()
	s.room = w.room
	o.inner.order(s, in)
	s.keyValues.forget()
	first := number
	for i, word := range s.words[:len(ties)] {
		if i > 0 && word>>idxBits != s.words[i-1]>>idxBits {
			number++
		}
		ties[i] = number<<idxBits | word&idxMask
	}
	if number > first {
		o.tied += len(ties)
	}
	return number
}

// compareRows compares two staged rows over all key columns.
func (w *window) compareRows(a, b int) int {
	pa, i := w.locate(a)
	pb, j := w.locate(b)
	return columnar.CompareKeys(pa.batch.keyViews(pa.cursor.in), i, pb.batch.keyViews(pb.cursor.in), j)
}
