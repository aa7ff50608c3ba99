package kernel

import (
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

// settleRows sorts tied words by comparing keys, numbers them from number on and returns the last number.
func (o *orderer) settleRows(w *window, ties []uint64, number uint64) uint64 {
	if o.ties == nil {
		o.ties = o.compareTies
	}
	o.w = w
	slices.SortFunc(ties, o.ties)
	idxBits, idxMask := w.form.idxBits, w.form.idxMask()
	first := number
	before := int(ties[0] & idxMask)
	for i, word := range ties {
		row := int(word & idxMask)
		if i > 0 && w.compareRows(before, row) != 0 {
			number++
		}
		ties[i] = number<<idxBits | uint64(row)
		before = row
	}
	if number > first {
		o.tied += len(ties)
	}
	return number
}

// compareTies compares words of equal key bits by the keys of their rows, and then by row.
func (o *orderer) compareTies(a, b uint64) int {
	idxMask := o.w.form.idxMask()
	i, j := int(a&idxMask), int(b&idxMask)
	if c := o.w.compareRows(i, j); c != 0 {
		return c
	}
	return i - j
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
