package kernel

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// folds is what the columns with a function share in a window: its rows that are folded, which are those of keys with two rows
// or more, or all where a record alone with its key does not pass unchanged.
type folds struct {
	made   bool
	mask   []uint64
	rows   int
	groups int
	sel    []uint32 // the staged rows in merged order
	mixed  []uint32 // results as staged rows: of rows that pass unchanged, and from foldedAt on of what has been folded
	mem    scratch
}

// foldedAt is the staged row from which on the results of folds are staged.
func foldedAt(w *window) int { return (w.room+7)&^7 + columnar.Gap }

// make finds the rows that are folded. rows has one row for every result.
func (f *folds) make(w *window, m *masks, rows []uint64, results int, lone bool) {
	f.made = true
	f.rows, f.groups = w.rows, w.groups
	f.mask = maskOf(f.mask, w.rows)
	validity.Fill(f.mask, w.rows)
	alone := 0
	if lone {
		for i := range f.mask {
			f.mask[i] &^= m.single[i]
		}
		alone = validity.Count(m.single)
	}
	f.rows, f.groups = w.rows-alone, w.groups-alone
	f.sel = slices.Grow(f.sel[:0], f.rows)[:f.rows]
	simd.SelectBits(f.sel, f.mask, w.words, w.form.idxBits)
	if alone == 0 {
		return
	}
	f.mixed = slices.Grow(f.mixed[:0], results)[:0]
	next := uint32(foldedAt(w))
	for q, r := range rows {
		single := m.single[q]
		for ; r != 0; r &= r - 1 {
			i := bits.TrailingZeros64(r)
			if single>>i&1 != 0 {
				f.mixed = append(f.mixed, uint32(w.staged(q<<6+i)))
				continue
			}
			f.mixed = append(f.mixed, next)
			next++
		}
	}
}

// fold makes a column of what a function makes of the values of every key.
func (c *columns) fold(w *window, s *scope, fn *function, rule aggfuncs.Function, place int) (arrow.ArrayData, error) {
	input, f := c.in.at(place), &c.folds
	if f.rows == 0 {
		shape := w.column(place)
		return c.rowsOf(input, shape, w.rare.apply(shape, w, c.sel))
	}
	all := f.rows == w.rows
	mem := c.mem
	if !all || fn.encoded {
		mem = &f.mem
	}
	shape := w.column(place)
	in, err := c.gather(input, shape, f.sel)
	if err != nil {
		return nil, err
	}
	defer in.Release()
	view, err := columnar.NewStagedView(in)
	if err != nil {
		return nil, err
	}
	folded, err := fn.fold(rule, s.among(f.mask, f.rows, f.groups), &view, mem)
	if err != nil {
		return nil, w.blameFold(err, f.sel, fn.field.Name)
	}
	if all {
		return folded, nil
	}
	defer folded.Release()
	results, err := columnar.NewStagedView(folded)
	if err != nil {
		return nil, fmt.Errorf("%w: function %s: %w", ErrInternalState, fn.name, err)
	}
	start := foldedAt(w)
	shape.Pieces = append(shape.Pieces, columnar.Piece{View: &results, To: results.Rows, Start: start})
	shape.Room = start + results.Rows
	return c.rowsOf(input, shape, f.mixed)
}

// gather brings the values of selected rows together, in scratch memory. The caller releases them.
func (c *columns) gather(input *input, shape *columnar.Shape, sel []uint32) (arrow.ArrayData, error) {
	var valid columnar.Validity
	if !noNullsIn(shape.Pieces) {
		valid = columnar.TakeValid(c.staged.StageValid(shape), sel, &c.folds.mem)
		defer valid.Release()
	}
	if err := c.staged.Stage(input.layout, shape); err != nil {
		return nil, fmt.Errorf("column %q: %w", input.name, err)
	}
	return c.staged.Take(input.staged, sel, valid, &c.folds.mem)
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
