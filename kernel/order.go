package kernel

import (
	"math/bits"
	"slices"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
)

// A word is (key of the row, relative to the window << idxBits | staged row). Staged rows are numbered run by run, so that
// comparing words orders by key and then by run and row, no two words are equal, and the low bits are the index by which
// every column is taken.
//
//	63 62            idxBits            0
//	 0 |  key bits      |  staged row   |
//
// Where a key has more bits than there is room for, only its first bits are in the word. Equal key bits then make words
// candidates for equal keys, which settle decides.

// wordForm says how the words of one window are made.
type wordForm struct {
	idxBits int
	keyBits int
	exact   bool // equal key bits mean equal keys
}

// wordSlack is how many words there are room for after those of the window.
const wordSlack = 128

// orderer puts the rows of windows in merged order. It owns the scratch memory for that.
type orderer struct {
	fields keyFields
	radix  radix
	w      *window
	ties   func(a, b uint64) int
}

// order fills w.words with the words of its rows in merged order, and returns the staged row of a row that is not in order
// with the row before it in its run, or -1.
func (o *orderer) order(w *window, in *inputs) (unsorted int) {
	if need := 3 * (w.rows + wordSlack); len(w.arena) < need {
		w.arena = make([]uint64, need+need/4)
	}
	size := w.rows + wordSlack
	words, scratch := w.arena[:w.rows], w.arena[size:size+w.rows]
	w.words = w.arena[2*size : 2*size+w.rows+wordSlack]
	w.form = wordForm{idxBits: bits.Len(uint(w.room)), exact: true}

	if unsorted = o.encode(w, in, words); unsorted >= 0 {
		return unsorted
	}
	merged := w.words[:w.rows]
	if w.runs() <= cascadeRuns && !invariants.Sometimes(20) {
		cascade(words, w.starts, merged, scratch)
	} else {
		o.radix.sort(words, scratch, merged, w.form)
	}
	if !w.form.exact {
		o.settle(w)
	}
	last := merged[w.rows-1]
	for i := range wordSlack {
		// Another key than the last, since the top bit of a word is never used, and a staged row that exists.
		w.words[w.rows+i] = 1<<63 | last&(1<<w.form.idxBits-1)
	}
	if invariants.Enabled {
		invariants.Check(slices.IsSorted(w.words), "words out of order")
	}
	return -1
}

// encode makes the words of all rows, run by run.
func (o *orderer) encode(w *window, in *inputs, words []uint64) (unsorted int) {
	if len(in.keys) == 1 && !invariants.Sometimes(20) {
		pieces := w.column(0).Pieces
		if noNulls(pieces) {
			if done, unsorted := encodeIntegers(w, pieces, words); done {
				return unsorted
			}
		}
	}
	w.form = o.fields.make(w, in)
	o.fields.combine(w, words)
	return o.checkRuns(w, words)
}

// checkRuns looks for a word whose key is below the one before it in its run.
func (o *orderer) checkRuns(w *window, words []uint64) (unsorted int) {
	idxMask := uint64(1)<<w.form.idxBits - 1
	for r := range w.runs() {
		run := words[w.starts[r]:w.starts[r+1]]
		for i := 1; i < len(run); i++ {
			a, b := run[i-1], run[i]
			if a < b && (w.form.exact || a>>w.form.idxBits != b>>w.form.idxBits) {
				continue
			}
			if a > b || o.compareRows(w, int(a&idxMask), int(b&idxMask)) > 0 {
				return int(b & idxMask)
			}
		}
	}
	return -1
}

// compareRows compares two staged rows over all key columns.
func (o *orderer) compareRows(w *window, a, b int) int {
	pa, i := w.locate(a)
	pb, j := w.locate(b)
	return columnar.CompareKeys(pa.batch.keyViews(pa.cursor.in), i, pb.batch.keyViews(pb.cursor.in), j)
}

// settle puts words in order whose keys agree in the bits that the words have, and replaces the key bits by the number of
// the key in the window, so that all later steps can take equal bits for equal keys.
func (o *orderer) settle(w *window) {
	merged := w.words[:w.rows]
	idxBits := w.form.idxBits
	idxMask := uint64(1)<<idxBits - 1
	group := uint64(0)
	for i := 0; i < len(merged); {
		j := i + 1
		for j < len(merged) && merged[j]>>idxBits == merged[i]>>idxBits {
			j++
		}
		if j-i > 1 {
			o.sortTies(w, merged[i:j])
		}
		before := int(merged[i] & idxMask)
		for first := i; i < j; i++ {
			row := int(merged[i] & idxMask)
			if i > first && o.compareRows(w, before, row) != 0 {
				group++
			}
			merged[i] = group<<idxBits | uint64(row)
			before = row
		}
		group++
	}
}

// sortTies sorts words of equal key bits by the keys of their rows, and then by row.
func (o *orderer) sortTies(w *window, ties []uint64) {
	if o.ties == nil {
		o.ties = func(a, b uint64) int {
			idxMask := uint64(1)<<o.w.form.idxBits - 1
			if c := o.compareRows(o.w, int(a&idxMask), int(b&idxMask)); c != 0 {
				return c
			}
			return int(int64(a) - int64(b))
		}
	}
	o.w = w
	slices.SortFunc(ties, o.ties)
}
