package kernel

import (
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
)

// window is a stretch of keys cut out of all runs at the same key, and the scratch memory it is worked on with. Its rows are
// the staged rows of its pieces, which come run by run, the run of the oldest versions first.
type window struct {
	pieces []piece
	rows   int     // in all pieces
	room   int     // staged rows in all, gaps included
	starts []int32 // the first words of every run and, last, their number: run i has words [starts[i], starts[i+1])
	firsts []int32 // the first piece of every run and, last, their number
	owners []int32 // the piece of every eighth staged row, where many rows are looked up
	owned  bool

	form   wordForm
	arena  []uint64 // words, scratch and merged words
	words  []uint64 // in merged order once ordered, and wordSlack more
	groups int

	kinds    []byte // row kinds by staged row, where the window needs them
	retracts bool   // a row is a retract
	masked   bool   // the masks are made: the rows of a key are more than one, or their kinds matter

	shape     columnar.Shape // the pieces of the column at hand
	inPlace   bool           // values stay where they are while they are taken
	rare      rare
	keyValues keyValues

	used []usedBatch // batches the runs have no more rows of, released after the window
}

// piece is rows [from, to) of a batch, staged at start.
type piece struct {
	batch    *batch
	cursor   *cursor
	from, to int
	start    int
}

type usedBatch struct {
	batch  *batch
	cursor *cursor
}

// reset empties the window, keeping its memory.
func (w *window) reset() {
	w.pieces, w.starts, w.firsts = w.pieces[:0], w.starts[:0], w.firsts[:0]
	w.rows, w.room, w.owned, w.inPlace = 0, 0, false, false
	w.keyValues.forget()
}

// add stages rows [from, to) of a batch; pieces of one run follow one another.
func (w *window) add(c *cursor, b *batch, from, to int) {
	if n := len(w.pieces); n == 0 || w.pieces[n-1].cursor != c {
		w.starts, w.firsts = append(w.starts, int32(w.rows)), append(w.firsts, int32(n))
		if n > 0 {
			w.room = w.nextStart()
		}
	}
	w.pieces = append(w.pieces, piece{batch: b, cursor: c, from: from, to: to, start: w.room})
	w.rows += to - from
	w.room += to - from
}

// nextStart returns at which staged row the next run begins: as long as values may stay in place, with a block, of which nothing has to be put
// aside then.
func (w *window) nextStart() int {
	align := 8
	if len(w.starts) <= simd.BlockStreams() {
		align = simd.BlockRows
	}
	return (w.room + columnar.Gap + align - 1) &^ (align - 1)
}

// addAt is add for rows that have their staged rows already.
func (w *window) addAt(c *cursor, b *batch, from, to, start int) {
	w.add(c, b, from, to)
	w.pieces[len(w.pieces)-1].start = start
}

// isKey says whether the column at a place is a key column, in every batch.
func (w *window) isKey(at, key int) bool {
	for i := range w.pieces {
		b := w.pieces[i].batch
		if c, key := b.binding.columns[at], b.binding.columns[key]; c.mapped != nil || key.mapped != nil || c.source != key.source {
			return false
		}
	}
	return true
}

// seal ends the list of runs.
func (w *window) seal() {
	w.starts, w.firsts = append(w.starts, int32(w.rows)), append(w.firsts, int32(len(w.pieces)))
}

// runs returns how many runs have rows in the window.
func (w *window) runs() int { return len(w.starts) - 1 }

// column sets the pieces of shape to those of one column: at is its place among the views of a batch.
func (w *window) column(at int) *columnar.Shape {
	w.shape.Pieces, w.shape.Room = w.shape.Pieces[:0], w.room
	w.shape.InPlace = w.inPlace
	for i := range w.pieces {
		p := &w.pieces[i]
		w.shape.Pieces = append(w.shape.Pieces, columnar.Piece{View: &p.batch.views[at], From: p.from, To: p.to, Start: p.start})
	}
	w.shape.Singles, w.shape.Stretches = nil, nil
	return &w.shape
}

// locate returns the piece of a staged row, and the row in its batch.
func (w *window) locate(staged int) (*piece, int) {
	p := &w.pieces[w.pieceOf(staged)]
	return p, p.from + staged - p.start
}

// pieceOf returns the place of the piece of a staged row.
func (w *window) pieceOf(staged int) int {
	if !w.owned {
		return w.pieceAmong(0, len(w.pieces), staged)
	}
	at := int(w.owners[staged>>3])
	for staged >= w.pieces[at].start+w.pieces[at].to-w.pieces[at].from {
		at++
	}
	return at
}

// mapPieces makes looking up pieces fast.
func (w *window) mapPieces() {
	if n := w.room>>3 + 1; len(w.owners) < n {
		w.owners = make([]int32, n+n/4)
	}
	next := 0 // eighth row without an owner
	for i := range w.pieces {
		p := &w.pieces[i]
		for end := p.start + p.to - p.from; next<<3 < end; next++ {
			w.owners[next] = int32(i)
		}
	}
	w.owned = true
}

// pieceIn returns the piece of a staged row of a run.
func (w *window) pieceIn(run, staged int) int {
	return w.pieceAmong(int(w.firsts[run]), int(w.firsts[run+1]), staged)
}

// pieceAmong looks for the piece of a staged row in pieces [lo, hi).
func (w *window) pieceAmong(lo, hi, staged int) int {
	for hi-lo > 1 {
		if mid := (lo + hi) >> 1; w.pieces[mid].start <= staged {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// blame makes an error about a staged row.
func (w *window) blame(staged int, column string, err error) error {
	p, row := w.locate(staged)
	e := p.batch.blame(row, column, err)
	e.Run, e.Key = p.cursor.number, keyText(p.batch.keyViews(p.cursor.in), row)
	return e
}

// culprit names the run and the batch in an error about the offsets of a text column, which are checked when they are staged.
func (w *window) culprit(at int, column string, err error) error {
	for i := range w.pieces {
		p := &w.pieces[i]
		if wrong := p.batch.views[at].CheckTexts(p.from, p.to); wrong != nil {
			return p.cursor.blame(p.batch.blame(-1, column, wrong))
		}
	}
	return err
}

// staged returns the staged row of row i in merged order.
func (w *window) staged(i int) int { return int(w.words[i] & (1<<w.form.idxBits - 1)) }

// kind returns the row kind of row i in merged order.
func (w *window) kind(i int) int8 { return int8(w.kinds[w.staged(i)]) }

// lookForRetracts finds out whether a row of the window is a retract.
func (w *window) lookForRetracts() {
	w.retracts = false
	for i := range w.pieces {
		p := &w.pieces[i]
		if p.batch.kinds != nil && orBytes(kindBytes(p.batch.kinds[p.from:p.to]))&1 != 0 {
			w.retracts = true
			return
		}
	}
}

// stageKinds stages the row kinds.
func (w *window) stageKinds() {
	if len(w.kinds) < w.room {
		w.kinds = make([]byte, w.room+w.room/4)
	}
	for i := range w.pieces {
		p := &w.pieces[i]
		out := w.kinds[p.start : p.start+p.to-p.from]
		if p.batch.kinds == nil {
			clear(out) // kindInsert
			continue
		}
		copy(out, kindBytes(p.batch.kinds[p.from:p.to]))
	}
}
