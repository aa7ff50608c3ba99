package kernel

import (
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
)

// rare finds the runs of a window that hardly any row was selected of. Such runs are not staged column by column: the few
// rows selected of them are staged one by one, as singles, and a selection of its own points to them.
type rare struct {
	runOf   []uint16 // the run of every eight staged rows: runs start at multiples of eight
	count   []int    // about how many rows of every run are selected; -1: it is rare
	sel     []uint32
	singles []columnar.Single
	found   bool
}

const (
	rareRows        = 8       // a run is rare if fewer than one row in so many is selected,
	rareRowsInPlace = 64      // and where rows can be taken in place if fewer than one in so many is
	rareShare       = 0.6     // looking for rare runs pays when no more rows than this are selected
	rareSample      = 8       // one row in so many is looked at
	maxRuns         = 1 << 16 // what runOf can tell apart
)

// find looks for rare runs.
func (r *rare) find(w *window, sel []uint32) {
	r.found = false
	pays := float64(len(sel)) <= rareShare*float64(w.rows) || invariants.Sometimes(20)
	if !pays || w.runs() > maxRuns {
		return
	}
	r.mapRuns(w)
	for i := 0; i < len(sel); i += rareSample {
		r.count[r.runOf[sel[i]>>3]] += rareSample
	}
	few := rareRows
	if w.runs() <= simd.BlockStreams() {
		few = rareRowsInPlace
	}
	for run, selected := range r.count {
		if rows := int(w.starts[run+1] - w.starts[run]); selected*few < rows || invariants.Sometimes(20) {
			r.count[run] = -1
			r.found = true
		}
	}
	if r.found {
		r.listSingles(w, sel)
	}
}

func (r *rare) mapRuns(w *window) {
	if len(r.runOf) < w.room/8+1 {
		r.runOf = make([]uint16, w.room/8+1+w.room/32)
	}
	r.count = append(r.count[:0], make([]int, w.runs())...)
	for run := range w.runs() {
		first, last := &w.pieces[w.firsts[run]], &w.pieces[w.firsts[run+1]-1]
		for i := first.start >> 3; i <= (last.start+last.to-last.from-1)>>3; i++ {
			r.runOf[i] = uint16(run)
		}
	}
}

func (r *rare) listSingles(w *window, sel []uint32) {
	r.sel, r.singles = append(r.sel[:0], sel...), r.singles[:0]
	next := uint32(columnar.SinglesAt(w.room))
	for i, row := range sel {
		if run := r.runOf[row>>3]; r.count[run] < 0 {
			at := w.pieceIn(int(run), int(row))
			p := &w.pieces[at]
			r.singles = append(r.singles, columnar.Single{Piece: uint32(at), Row: row - uint32(p.start) + uint32(p.from)})
			r.sel[i] = next
			next++
		}
	}
}

// apply skips the rare runs of a column and returns the selection that goes with that. The values of the few runs that are left are copied:
// that reads them faster than looking them up one by one, which is best with several runs at a time.
func (r *rare) apply(shape *columnar.Shape, w *window, sel []uint32) []uint32 {
	if !r.found {
		return sel
	}
	r.skip(shape, w)
	shape.Singles, shape.InPlace = r.singles, false
	return r.sel
}

// skip skips the rare runs of a column.
func (r *rare) skip(shape *columnar.Shape, w *window) {
	if !r.found {
		return
	}
	for run, selected := range r.count {
		for i := w.firsts[run]; selected < 0 && i < w.firsts[run+1]; i++ {
			shape.Pieces[i].Skip = true
		}
	}
}
