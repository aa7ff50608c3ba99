package kernel

import (
	"cmp"
	"slices"

	"github.com/braidmerge/braid/columnar"
)

// settle puts words in order whose keys agree in the bits that the words have, and replaces the key bits by the number of
// the key in the window, so that all later steps can take equal bits for equal keys.
//
//	key bits   5 5 5 5 7       the keys of rows 3 and 9 are one, those of 1 and 4 another
//	row        1 3 4 9 2
//	settled    0 0 1 1 2       if the first is below: rows 1 4 3 9 2
func (o *orderer) settle(w *window, in *inputs) {
	merged := w.words[:w.rows]
	w.mapPieces()
	idxBits, idxMask := w.form.idxBits, w.form.idxMask()
	number := uint64(0)
	for i := 0; i < len(merged); {
		j := i + 1
		for j < len(merged) && merged[j]>>idxBits == merged[i]>>idxBits {
			j++
		}
		switch n := j - i; {
		case n == 1:
			merged[i] = number<<idxBits | merged[i]&idxMask
		case n >= subWindow && n < len(merged):
			number = o.settleWindow(w, in, merged[i:j], number)
		default:
			number = o.settleRows(w, merged[i:j], number)
		}
		number++
		i = j
	}
	w.form.exact = true
}

// subWindow is from how many tied rows on they are ordered as a window of their own.
const subWindow = 64

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
	if o.ties == nil {
		o.ties = func(a, b uint64) int {
			idxMask := o.w.form.idxMask()
			i, j := int(a&idxMask), int(b&idxMask)
			if c := o.compareTied(o.w, i, j); c != 0 {
				return c
			}
			return i - j
		}
	}
	o.w = w
	slices.SortFunc(ties, o.ties)
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
