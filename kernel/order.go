package kernel

import (
	"math"
	"math/bits"
	"slices"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
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

	least uint64             // of the keys, if they are one integer column
	parts []columnar.KeyPart // how the first key columns come out of the key bits; none where these are numbers of keys
}

// wordSlack is how many words there are room for after those of the window.
const wordSlack = 128

// orderer puts the rows of windows in merged order. It owns the scratch memory for that.
type orderer struct {
	fields  keyFields
	cascade cascade
	radix   radix
	pairs   []pair // words of two words each, scratch and merged
	wide    bool   // words are likely to want two words each
	narrow  int    // windows since that was last tried with one

	tieAt   []uint32  // scratch for ties
	ties    simd.Ties // the words with the key bits of the word before them
	differ  []uint32  // the ties of different keys
	compare func(a, b uint64) int
	w       *window // of compare

	inner *orderer
	sub   window // a group of ties, ordered by inner

	// What the last window took.
	tied   int  // rows whose words had equal key bits, though their keys differed
	paired bool // two words each
	way    way
}

// way is how words are put in order.
type way uint8

const (
	cascaded way = iota // merged, two runs at a time
	sorted              // by the radix sort
	counted             // by the number of rows of every key
)

// tieShare: where more than one row in so many is tied, two words each are worth their cost.
const tieShare = 16

// order fills w.words with the words of its rows in merged order, and returns the staged row of a row that is not in order
// with the row before it in its run, or -1.
func (o *orderer) order(w *window, in *inputs) (unsorted int) {
	o.tied, o.paired, o.way = 0, false, cascaded
	size := w.rows + wordSlack
	if need := 3 * size; len(w.arena) < need {
		w.arena = make([]uint64, need+need/4)
	}
	w.words = w.arena[2*size : 3*size]
	w.form = wordForm{idxBits: bits.Len(uint(w.room)), exact: true}

	words, scratch, merged := w.arena[:w.rows], w.arena[size:size+w.rows], w.words[:w.rows]
	if unsorted = o.encode(w, in, words); unsorted >= 0 {
		return unsorted
	}
	if o.paired {
		o.mergePairs(w, merged)
	} else {
		o.mergeWords(w, words, scratch, merged)
	}
	if !w.form.exact {
		o.settle(w, in)
		o.wide = o.wide && o.paired || o.tied*tieShare > w.rows
	}
	w.fence()
	if invariants.Enabled {
		invariants.Check(slices.IsSorted(w.words), "words out of order")
	}
	return -1
}

// mergeWords puts words in order the fastest way.
func (o *orderer) mergeWords(w *window, words, scratch, merged []uint64) {
	moved := math.MaxInt
	if w.runs() <= cascadeMost {
		o.cascade.plan(w.starts)
		moved = o.cascade.moved
	}
	keys := dense(words, w.starts, w.form, moved)
	switch {
	case keys > 0 && !invariants.Sometimes(20):
		o.way = counted
		direct(words, scratch, merged, keys, w.form)
	case moved <= cascadeDepth*w.rows && !invariants.Sometimes(20):
		o.cascade.words(words, w.starts, merged, scratch)
	default:
		o.way = sorted
		o.radix.sort(words, scratch, merged, w.form)
	}
}

// fence puts words behind those of the window: of another key than the last, since the top bit of a word is never used, and of
// a staged row that exists.
func (w *window) fence() {
	last := w.words[w.rows-1]
	for i := range wordSlack {
		w.words[w.rows+i] = 1<<63 | last&w.form.idxMask()
	}
}

// idxMask has the bits of the staged row.
func (f wordForm) idxMask() uint64 { return 1<<f.idxBits - 1 }

// encode makes the words of all rows, run by run: of one word each, or in o.pairs of two.
func (o *orderer) encode(w *window, in *inputs, words []uint64) (unsorted int) {
	if len(in.keys) == 1 && !invariants.Sometimes(20) {
		pieces := w.column(0).Pieces
		if noNulls(pieces) {
			if done, unsorted := encodeIntegers(w, pieces, words); done {
				if w.form.exact {
					w.form.parts = o.fields.integer(w.form, pieces[0].View.Order)
				} else {
					o.fields.whole(w, pieces)
				}
				return unsorted
			}
		}
	}
	room, wide := 63-w.form.idxBits, o.triesPairs()
	if wide {
		w.form = o.fields.make(w, in, room+64)
		if w.form.keyBits > room || invariants.Sometimes(2) {
			return o.encodePairs(w)
		}
	} else {
		w.form = o.fields.make(w, in, room)
	}
	o.fields.combine(w, words)
	return o.checkRuns(w, words)
}

// triesPairs says whether two words a row are tried, where the windows before wanted them. Now and then one is tried again.
func (o *orderer) triesPairs() bool {
	const again = 64
	if o.narrow++; o.narrow >= again {
		o.narrow, o.wide = 0, false
		return false
	}
	return o.wide != invariants.Sometimes(30)
}

// checkRuns looks for a word whose key is below the one before it in its run.
func (o *orderer) checkRuns(w *window, words []uint64) (unsorted int) {
	idxMask, within := w.form.idxMask(), uint64(0)
	if !w.form.exact {
		within = idxMask // words of equal key bits are looked at
	}
	for r := range w.runs() {
		run := words[w.starts[r]:w.starts[r+1]]
		for i := simd.Falls(run, within); i < len(run); i += simd.Falls(run[i:], within) {
			a, b := run[i-1], run[i]
			if a > b || w.compareRows(int(a&idxMask), int(b&idxMask)) > 0 {
				return int(b & idxMask)
			}
		}
	}
	return -1
}
