package kernel

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// columns makes the output columns of windows. It owns the scratch memory for that.
type columns struct {
	in     *inputs
	mem    memory.Allocator
	staged columnar.Staged

	rows []uint64 // the row of every result whose values count where none is NULL; unset when every row of the window counts
	sel  []uint32 // the staged rows of these

	surveyed  []uint32       // sel, or that of the window's rare runs in its place
	stretches []simd.Stretch // what surveyed is made of, if that is long stretches
	others    []simd.Stretch // the same of another selection

	has  []uint64 // scratch: rows that count and have a value
	pick []uint64 // scratch: the row of every result in one column
	put  columnar.KeyPutter
	keys []uint64 // the keys of the selection, in key bits, where the window has parts of keys

	borrowed int64 // bytes of the inputs' buffers that views of the record at hand point into

	classes []class
	used    int
	merged  mergedValidity

	folds folds
}

// class is what columns share that have all values or none in every run: where the values of a result come from.
type class struct {
	pieces []byte // by piece: allValid or allNull
	sel    []uint32
	valid  columnar.Validity
}

// How many values of a piece are NULL.
const (
	allValid byte = iota
	allNull
	mixed
)

// maxClasses bounds the search for a class; columns beyond are worked out by themselves.
const maxClasses = 16

// release gives back what the classes of a window hold, and forgets the rest of what is known of its columns.
func (c *columns) release() {
	c.merged.forget()
	for i := range c.classes[:c.used] {
		c.classes[i].valid.Release()
		c.classes[i].valid = columnar.Validity{}
	}
	c.used = 0
}

// selectEnds selects the last row of every key of the window and returns how many there are.
func (c *columns) selectEnds(w *window) int {
	if cap(c.sel) <= w.rows {
		c.sel = make([]uint32, w.rows+w.rows/4+1)
	}
	c.sel = c.sel[:w.rows+1]
	n := 0
	if len(w.form.parts) > 0 {
		if len(c.keys) <= w.rows {
			c.keys = make([]uint64, w.rows+w.rows/4+1)
		}
		n = simd.SelectEndsKeys(c.sel, c.keys, w.words, w.rows, w.form.idxBits)
	} else {
		n = simd.SelectEnds(c.sel, w.words, w.rows, w.form.idxBits)
	}
	c.sel = c.sel[:n]
	return n
}

// column makes one output column. at is its place among the views of a batch.
func (c *columns) column(w *window, m *masks, pick aggfuncs.Pick, at int) (arrow.ArrayData, error) {
	input := c.in.at(at)
	key := c.keyAt(w, at)
	if c.inWords(w, key) {
		data, err := c.put.Put(input.staged, input.layout, &w.form.parts[key], c.keys[:len(c.sel)], c.mem)
		if data != nil || err != nil {
			return data, named(input, err)
		}
	}
	shape := w.column(at)
	if pick == aggfuncs.LastNonNull && w.masked && !noNullsIn(shape.Pieces) {
		k := c.class(w, m, at)
		return c.take(input, w.column(at), k.sel, k.valid)
	}
	if key >= 0 && input.layout.IsText() && noNullsIn(shape.Pieces) {
		return c.keyTextColumn(w, input, key)
	}
	return c.rowsOf(input, shape, w.rare.apply(shape, w, c.sel))
}

// inWords says whether words have all key bits of the key column at a place, which may be -1.
func (c *columns) inWords(w *window, key int) bool {
	return key >= 0 && key < len(w.form.parts) && !w.retracts
}

// keyAt returns the place of the key column whose values a column has, or -1.
func (c *columns) keyAt(w *window, at int) int {
	input := c.in.at(at)
	if input.keyPlace < 0 || input.views != nil || !w.isKey(at, input.keyPlace) {
		return -1
	}
	return input.keyPlace
}

// keyTextColumn makes a column of a key's texts.
func (c *columns) keyTextColumn(w *window, input *input, key int) (arrow.ArrayData, error) {
	texts, err := w.located(key, input.layout)
	if err != nil {
		return nil, named(input, err)
	}
	data, err := texts.Take(input.staged, c.sel, columnar.Validity{}, c.mem)
	return data, named(input, err)
}

// named says in which column an error is.
func named(input *input, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("column %q: %w", input.name, err)
}

// rowsOf makes a column of the values of selected rows, NULL or not.
func (c *columns) rowsOf(input *input, shape *columnar.Shape, sel []uint32) (arrow.ArrayData, error) {
	if noNullsIn(shape.Pieces) {
		return c.take(input, shape, sel, columnar.Validity{})
	}
	valid := columnar.TakeValid(c.staged.StageValid(shape), sel, c.mem)
	defer valid.Release()
	return c.take(input, shape, sel, valid)
}

func (c *columns) take(input *input, shape *columnar.Shape, sel []uint32, valid columnar.Validity) (arrow.ArrayData, error) {
	data, err := c.moved(input, shape, sel, valid)
	return data, named(input, err)
}

// moved stages a column, takes the selected rows and puts them down as the output has them.
func (c *columns) moved(input *input, shape *columnar.Shape, sel []uint32, valid columnar.Validity) (arrow.ArrayData, error) {
	c.stretch(shape, sel)
	if input.views != nil {
		return c.movedViews(input, shape, sel, valid)
	}
	if err := c.staged.Stage(input.layout, shape); err != nil {
		return nil, err
	}
	data, err := c.staged.Take(input.staged, sel, valid, c.mem)
	if err != nil || input.compared || input.encoding.Identity() {
		return data, err
	}
	defer data.Release()
	return input.encoding.Finish(data)
}

// stretchRows is from how many rows on, selected of one run before those of another, it takes less to copy slices and whole stretches of
// these than to look up rows.
const stretchRows = 48

// survey finds out how the rows selected last are best reached: in place, where few runs take turns, or out of slices that have been
// copied, without their rare runs, row by row or by stretches.
func (c *columns) survey(w *window) {
	w.rare.find(w, c.sel)
	c.surveyed = c.sel
	if w.rare.found {
		c.surveyed = w.rare.sel
	}
	mean := simd.MeanStretch(c.surveyed)
	w.inPlace = (w.runs() <= simd.BlockStreams() && mean < stretchRows) != invariants.Sometimes(30)
	if c.stretches = c.stretches[:0]; mean >= stretchRows || invariants.Sometimes(30) {
		c.stretches = simd.Stretches(c.stretches, c.surveyed)
	}
}

// stretch has a column whose slices are copied taken by the stretches that a selection is made of, if they are long.
func (c *columns) stretch(shape *columnar.Shape, sel []uint32) {
	if !shape.InPlace {
		shape.Stretches = c.stretchesOf(sel)
	}
}

// stretchesOf returns the stretches that a selection is made of, if they are long. Most columns have the selection that has been surveyed.
func (c *columns) stretchesOf(sel []uint32) []simd.Stretch {
	if len(sel) == len(c.surveyed) && len(sel) > 0 && &sel[0] == &c.surveyed[0] {
		return c.stretches
	}
	if c.others = c.others[:0]; simd.MeanStretch(sel) >= stretchRows {
		c.others = simd.Stretches(c.others, sel)
	}
	return c.others
}

// class returns the class of a column, working it out unless an earlier column of the window was of the same.
func (c *columns) class(w *window, m *masks, at int) *class {
	if c.used == len(c.classes) {
		c.classes = append(c.classes, class{})
	}
	k, shape := &c.classes[c.used], w.column(at)
	if k.pieces = k.pieces[:0]; len(shape.Pieces) <= sliceRows && c.used < maxClasses {
		k.pieces = piecesOf(k.pieces, shape)
	}
	shared := len(k.pieces) > 0 // else no other column is of it
	if shared {
		for i := range c.classes[:c.used] {
			if bytes.Equal(c.classes[i].pieces, k.pieces) {
				return &c.classes[i]
			}
		}
		simd.MergeBits(c.has, c.staged.StageValid(shape), w.words, w.rows, w.form.idxBits)
		c.pickLast(w, m, c.has, k)
	} else {
		c.pickLast(w, m, c.merged.of(at, w, &c.staged), k)
	}
	c.used++
	return k
}

// piecesOf appends which pieces of a column have all values and which none. It appends nothing if one is neither.
func piecesOf(pieces []byte, shape *columnar.Shape) []byte {
	for i := range shape.Pieces {
		n := nullness(&shape.Pieces[i])
		if n == mixed {
			return pieces[:0]
		}
		pieces = append(pieces, n)
	}
	return pieces
}

func nullness(p *columnar.Piece) byte {
	switch p.View.NullsIn(p.From, p.To) {
	case 0:
		return allValid
	case p.Rows():
		return allNull
	}
	return mixed
}

// pickLast finds the last values of a column and their validity. has are the rows with a value, of which it leaves those that count.
func (c *columns) pickLast(w *window, m *masks, has []uint64, k *class) {
	if w.retracts {
		for i := range has {
			has[i] &= m.counts[i]
		}
	}
	pick := c.pick
	aggfuncs.LastValues(pick, has, c.rows, m.ends)
	k.sel = slices.Grow(k.sel[:0], len(c.sel))[:len(c.sel)]
	simd.Reselect(k.sel, c.sel, pick, c.rows, w.words, w.form.idxBits) // both have one row a result, and most agree
	k.valid = columnar.CompressValid(has, pick, len(c.sel), c.mem)
}

// checkNulls makes an error of a NULL in a NOT NULL column, in the rows where that is refused.
func (c *columns) checkNulls(w *window, m *masks, rule *column, at int) error {
	shape := w.column(at)
	if noNullsIn(shape.Pieces) {
		return nil
	}
	valid := c.has
	simd.MergeBits(valid, c.staged.StageValid(shape), w.words, w.rows, w.form.idxBits)
	for i, v := range valid {
		if bad := m.checked[i] &^ v; bad != 0 {
			at := validity.Next([]uint64{bad}, 0) + i<<6
			return w.blame(w.staged(at), rule.field.Name, ErrNotNull)
		}
	}
	return nil
}

func noNullsIn(pieces []columnar.Piece) bool {
	for i := range pieces {
		if p := &pieces[i]; p.View.Nulls > 0 && p.View.NullsIn(p.From, p.To) > 0 {
			return false
		}
	}
	return true
}
