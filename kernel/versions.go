package kernel

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/braidmerge/braid/columnar"
)

// versions puts the rows of one key in the order of their versions (docs/semantics.md, "Versions of a key"): by the sequence
// fields, the sequence number, retracts before adds, run and row. Words have run and row in order already, so only groups of
// two rows or more are looked at, and most turn out to be right.
type versions struct {
	descending bool
	fields     []orderField
	sequenced  bool     // the runs have sequence numbers
	staged     bool     // those of the window are staged
	numbers    []uint64 // by staged row, as normals
	kinds      []byte   // row kinds by staged row; nil when no row of the window is a retract
	higher     int      // staged rows below it have been looked up: of equals with numbers they are the last
	w          *window
	compare    func(a, b uint64) int
}

// orderField is a staged column that is compared: one of sequence.field, or of a sequence group.
type orderField struct {
	view     int                // its place among the views of a batch
	numeric  bool               // the values are compared as numbers, else where they are
	ordering *columnar.Ordering // how, there
	normals  []uint64           // by staged row, of numeric values
	ranks    []uint64           // the same in reverse order
	valid    []byte             // by staged row; nil when no value of the window is NULL
	staged   columnar.Staged
}

// orderField makes the field of a column that has an ordering.
func (p *Plan) orderField(in *inputs, col int) orderField {
	ordering := p.columns[col].ordering
	return orderField{view: len(in.keys) + in.value(p, col, true), numeric: ordering.Numeric(), ordering: ordering}
}

// stageNumbers stages the sequence numbers of the window.
func (v *versions) stageNumbers(w *window) {
	if len(v.numbers) < w.room {
		v.numbers = make([]uint64, w.room+w.room/4)
	}
	for i := range w.pieces {
		p := &w.pieces[i]
		if s := p.batch.file.Sequence; s != nil {
			fill(v.numbers[p.start:p.start+p.to-p.from], uint64(*s)^1<<63)
			continue
		}
		columnar.StageNormals(v.numbers, []columnar.Piece{{View: p.batch.numberView(p.cursor.in), From: p.from, To: p.to, Start: p.start}})
	}
}

func fill(s []uint64, x uint64) {
	for i := range s {
		s[i] = x
	}
}

// number returns the sequence number of a staged row.
func (v *versions) number(staged int) int64 { return int64(v.numbers[staged] ^ 1<<63) }

// stage stages the column for the window.
func (f *orderField) stage(w *window) {
	shape := w.column(f.view)
	pieces := shape.Pieces
	f.valid = nil
	if !noNulls(pieces) {
		f.valid = f.staged.StageValid(shape)
	}
	if !f.numeric {
		return
	}
	if len(f.normals) < w.room {
		f.normals = make([]uint64, w.room+w.room/4)
	}
	columnar.StageNormals(f.normals, pieces)
}

// settle sorts the groups of the window that are not in order. ends are the group ends; kinds are the row kinds by staged row,
// nil when there is no retract.
func (v *versions) settle(w *window, ends []uint64, kinds []byte, sequenced bool) {
	v.w, v.kinds, v.sequenced, v.staged = w, kinds, sequenced, false
	if !sequenced {
		v.kinds = nil // retracts come before adds of the same number only
	}
	for i := range v.fields {
		v.fields[i].stage(w)
	}
	if v.compare == nil {
		v.compare = v.compareWords
	}
	if ranks := v.rank(w); ranks != nil {
		v.settleRanked(w, ends, ranks)
		return
	}
	from := 0
	for q, e := range ends {
		for ; e != 0; e &= e - 1 {
			end := q<<6 + bits.TrailingZeros64(e)
			if end > from && !v.sorted(w.words[from:end+1]) {
				slices.SortFunc(w.words[from:end+1], v.compare)
			}
			from = end + 1
		}
	}
}

// rank returns numbers by staged row that order the versions of a key where they differ, nil if there are none.
func (v *versions) rank(w *window) []uint64 {
	switch {
	case len(v.fields) == 0:
		return v.numbersOf(w)
	case !v.fields[0].numeric:
		return nil
	case v.descending:
		return v.fields[0].reversed(w)
	}
	return v.fields[0].normals
}

// numbersOf returns the sequence numbers by staged row, staging them at the first call in a window.
func (v *versions) numbersOf(w *window) []uint64 {
	if !v.staged {
		v.staged = true
		v.stageNumbers(w)
	}
	return v.numbers
}

// reversed returns the values in reverse order, NULL below all others as before.
func (f *orderField) reversed(w *window) []uint64 {
	if len(f.ranks) < w.room {
		f.ranks = make([]uint64, w.room+w.room/4)
	}
	for i, x := range f.normals[:w.room] {
		f.ranks[i] = ^x
	}
	if f.valid != nil {
		for i, valid := range f.valid[:w.room] {
			f.ranks[i] &= -uint64(valid)
		}
	}
	return f.ranks
}

// settleRanked sorts by ranks, and compares what they leave equal. Most keys have few versions.
func (v *versions) settleRanked(w *window, ends, ranks []uint64) {
	idxMask := uint64(1)<<w.form.idxBits - 1
	from := 0
	for q, e := range ends {
		for ; e != 0; e &= e - 1 {
			end := q<<6 + bits.TrailingZeros64(e)
			switch {
			case end-from > insertionRows:
				if group := w.words[from : end+1]; !v.sorted(group) {
					slices.SortFunc(group, v.compare)
				}
			case end > from:
				v.insert(w.words[from:end+1], ranks, idxMask)
			}
			from = end + 1
		}
	}
}

// insertionRows is the number of versions above which a key is not sorted by insertion.
const insertionRows = 16

// insert sorts the words of one key by insertion.
func (v *versions) insert(group, ranks []uint64, idxMask uint64) {
	for i := 1; i < len(group); i++ {
		x := group[i]
		rank := ranks[x&idxMask]
		j := i
		for ; j > 0; j-- {
			y := group[j-1]
			if before := ranks[y&idxMask]; before < rank || before == rank && v.compare(y, x) < 0 {
				break
			}
			group[j] = y
		}
		group[j] = x
	}
}

// sorted says whether the words of one key are in the order of their versions.
func (v *versions) sorted(group []uint64) bool {
	for i := 1; i < len(group); i++ {
		if v.compare(group[i-1], group[i]) > 0 {
			return false
		}
	}
	return true
}

// compareWords compares two words of one key.
func (v *versions) compareWords(x, y uint64) int {
	idxMask := uint64(1)<<v.w.form.idxBits - 1
	a, b := int(x&idxMask), int(y&idxMask)
	for i := range v.fields {
		if c := v.fields[i].compare(v.w, a, b, v.descending); c != 0 {
			return c
		}
	}
	if v.sequenced {
		numbers := v.numbersOf(v.w)
		if c := cmp.Compare(numbers[a], numbers[b]); c != 0 {
			return c
		}
		if a < v.higher != (b < v.higher) {
			return cmp.Compare(b, a)
		}
	}
	if v.kinds != nil {
		if c := cmp.Compare(v.kinds[b]&1, v.kinds[a]&1); c != 0 {
			return c
		}
	}
	return cmp.Compare(a, b)
}

// compare compares the values of two staged rows. NULL is the oldest in either direction.
func (f *orderField) compare(w *window, a, b int, descending bool) int {
	if f.valid != nil && (f.valid[a]&f.valid[b]) == 0 {
		return cmp.Compare(f.valid[a], f.valid[b])
	}
	var c int
	if f.numeric {
		c = cmp.Compare(f.normals[a], f.normals[b])
	} else {
		pa, i := w.locate(a)
		pb, j := w.locate(b)
		c = f.ordering.Compare(&pa.batch.views[f.view], i, &pb.batch.views[f.view], j)
	}
	if descending {
		return -c
	}
	return c
}
