package kernel

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// folds is what the columns with a function share in a window: the rows that are folded, in merged order. A function need not
// see the rows that pass unchanged because they are alone with their key; where they are few, it costs less to let it see all.
type folds struct {
	rows   int // of keys with two rows or more, or all where a lone record does not pass unchanged
	groups int
	whole  []uint32 // all rows as staged rows; empty until they are asked for
	begun  begun    // of columns without NULLs, once it is known
	known  bool
	every  []uint64 // a bit for each row
	some   begun    // of the column at hand
	rest   aggfuncs.Rest
	listed bool     // what follows is made
	mask   []uint64 // of the rows of keys with two rows or more
	sel    []uint32 // they, as staged rows
	mixed  []uint32 // results as staged rows: of rows that pass unchanged, and from foldedAt on of what has been folded
	in     columnar.Gathered
	mem    scratch
}

// foldedAt is the staged row from which on the results of folds are staged.
func foldedAt(w *window) int { return (w.room+7)&^7 + columnar.Gap }

// begin starts a window.
func (f *folds) begin(w *window, m *masks, lone bool) {
	f.listed, f.known, f.whole = false, false, f.whole[:0]
	f.rows, f.groups = w.rows, w.groups
	if lone {
		alone := validity.Count(m.single)
		f.rows, f.groups = w.rows-alone, w.groups-alone
	}
}

// all returns all rows of the window.
func (f *folds) all(w *window) []uint32 {
	if len(f.whole) == 0 {
		f.whole = slices.Grow(f.whole, w.rows)[:w.rows]
		simd.Select(f.whole, w.words, w.form.idxBits)
	}
	return f.whole
}

// list finds the rows of keys with two rows or more. rows has one row for every result.
func (f *folds) list(w *window, m *masks, rows []uint64, results int) {
	if f.listed {
		return
	}
	f.listed = true
	f.mask = maskOf(f.mask, w.rows)
	validity.Fill(f.mask, w.rows)
	for i := range f.mask {
		f.mask[i] &^= m.single[i]
	}
	f.sel = slices.Grow(f.sel[:0], f.rows)[:f.rows]
	simd.SelectBits(f.sel, f.mask, w.words, w.form.idxBits)
	f.mixed = slices.Grow(f.mixed[:0], results)[:results]
	next, at := uint32(foldedAt(w)), 0
	idxMask := uint32(1)<<w.form.idxBits - 1
	for q, r := range rows {
		single := m.single[q]
		for ; r != 0; r &= r - 1 {
			i := bits.TrailingZeros64(r)
			alone := uint32(single >> i & 1)
			f.mixed[at] = next ^ (next^uint32(w.words[q<<6+i])&idxMask)&-alone
			next += 1 - alone
			at++
		}
	}
}

// wholeShare is the share of rows that a window of fixed-width values must have in keys with two rows or more for all rows to
// be folded.
const wholeShare = 0.2

// fold makes a column of what a function makes of the values of every key.
func (c *columns) fold(w *window, m *masks, s *scope, fn *function, rule aggfuncs.Function, place int) (arrow.ArrayData, error) {
	input, f := c.in.at(place), &c.folds
	if f.rows == 0 {
		shape := w.column(place)
		return c.rowsOf(input, shape, w.rare.apply(shape, w, c.sel))
	}
	mem := c.mem
	if fn.encoded {
		mem = &f.mem
	}
	fixed := input.layout.Form == columnar.FormFixed
	if folder, ok := rule.(aggfuncs.RestFolder); ok && fixed && s.plain() {
		if folded, err := c.foldRest(w, m, fn, folder, place, mem); folded != nil || err != nil {
			return folded, err
		}
	}
	if f.rows == w.rows || fixed && float64(f.rows) >= wholeShare*float64(w.rows) {
		return c.foldRows(w, fn, rule, &s.groups, w.column(place), input, f.all(w), mem)
	}
	f.list(w, m, c.rows, len(c.sel))
	folded, err := c.foldRows(w, fn, rule, s.among(f.mask, f.rows, f.groups), w.column(place), input, f.sel, &f.mem)
	if err != nil {
		return nil, err
	}
	defer folded.Release()
	results, err := columnar.NewStagedView(folded)
	if err != nil {
		return nil, fmt.Errorf("%w: function %s: %w", ErrInternalState, fn.name, err)
	}
	shape, start := w.column(place), foldedAt(w)
	shape.Pieces = append(shape.Pieces, columnar.Piece{View: &results, To: results.Rows, Start: start})
	shape.Room = start + results.Rows
	return c.rowsOf(input.asText(), shape, f.mixed)
}

// foldRows has a function bring the selected rows of a column together.
func (c *columns) foldRows(w *window, fn *function, rule aggfuncs.Function, g *aggfuncs.Groups, shape *columnar.Shape, input *input,
	sel []uint32, mem memory.Allocator) (arrow.ArrayData, error) {
	view, err := c.gather(input, shape, sel)
	if err != nil {
		return nil, err
	}
	defer c.folds.in.Release()
	folded, err := fn.fold(rule, g, view, mem)
	if err != nil {
		return nil, w.blameFold(err, sel, fn.field.Name)
	}
	return folded, nil
}

// gather brings the values of selected rows together, for as long as folds.in is not released.
func (c *columns) gather(input *input, shape *columnar.Shape, sel []uint32) (*columnar.View, error) {
	var valid []byte
	if !noNullsIn(shape.Pieces) {
		valid = c.staged.StageValid(shape)
	}
	if err := c.staged.Stage(input.layout, shape); err != nil {
		return nil, named(input, err)
	}
	view, err := c.staged.Gather(&c.folds.in, input.staged, sel, valid, &c.folds.mem)
	if err != nil {
		return nil, named(input, err)
	}
	return view, nil
}

// picked makes a column of the rows that a Picker chooses.
func (c *columns) picked(w *window, s *scope, fn *function, rule aggfuncs.Picker, place int) (arrow.ArrayData, error) {
	shape := w.column(place)
	if noNullsIn(shape.Pieces) {
		ch := s.named(fn.shared)
		if !ch.made {
			if err := ch.by(rule, &s.groups, nil, w); err != nil {
				return nil, w.blamePick(err, fn.field.Name)
			}
		}
		return c.chosen(place, shape, ch, nil)
	}
	valid := c.staged.StageValid(shape)
	simd.MergeBits(c.has, valid, w.words, w.rows, w.form.idxBits)
	ch := s.named("")
	if err := ch.by(rule, &s.groups, c.has, w); err != nil {
		return nil, w.blamePick(err, fn.field.Name)
	}
	return c.chosen(place, shape, ch, valid)
}

// chosen makes a column of chosen rows. valid is its staged validity, nil if it has no NULL or is not staged.
func (c *columns) chosen(place int, shape *columnar.Shape, ch *choice, valid []byte) (arrow.ArrayData, error) {
	var v columnar.Validity
	if valid == nil && !noNullsIn(shape.Pieces) {
		valid = c.staged.StageValid(shape)
	}
	if valid != nil {
		v = columnar.TakeValid(valid, ch.sel, c.mem)
	}
	if ch.nulls {
		v = v.Without(ch.holes, len(ch.sel), c.mem)
	}
	defer v.Release()
	return c.take(c.in.at(place), shape, ch.sel, v)
}

// blamePick makes an error about the row that a Picker found at fault.
func (w *window) blamePick(err error, column string) error {
	var f *aggfuncs.Fault
	if !errors.As(err, &f) || f.Row < 0 || f.Row >= w.rows {
		return fmt.Errorf("column %q: %w", column, err)
	}
	return w.blame(w.staged(f.Row), column, f.Err)
}

// blameFold is blamePick for a function that was given the rows of sel.
func (w *window) blameFold(err error, sel []uint32, column string) error {
	var f *aggfuncs.Fault
	if !errors.As(err, &f) || f.Row < 0 || f.Row >= len(sel) {
		return fmt.Errorf("column %q: %w", column, err)
	}
	return w.blame(int(sel[f.Row]), column, f.Err)
}
