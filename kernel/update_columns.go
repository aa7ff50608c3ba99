package kernel

import (
	"fmt"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/expression"
	"github.com/braidmerge/braid/validity"
)

// columnMaker makes the columns that an update sets.
type columnMaker struct {
	mem    memory.Allocator
	staged columnar.Staged
	blender
	sel []uint32
}

// change is the values of one assignment.
type change struct {
	data  arrow.ArrayData
	view  columnar.View
	taken []uint64 // mask of the rows, of the evaluation's frame, that they are for
}

// column makes a target's column, of the staged type: the rows of base, and the values of the actions that were taken. meets gives
// the row of base that each row of the evaluation's frame is; nil if they are the same rows. The caller releases it.
func (m *columnMaker) column(target int, base *expression.Frame, e *evaluation, meets []uint32) (arrow.ArrayData, error) {
	if meets == nil && blends(base.View(target).Layout) {
		return m.blended(target, base, e)
	}
	changes, err := e.changes(target)
	defer func() {
		for i := range changes {
			changes[i].data.Release()
		}
	}()
	if err != nil {
		return nil, err
	}
	if len(changes) == 0 {
		return unchanged(base, target), nil
	}
	return m.selected(base, target, changes, meets)
}

// unchanged returns a column as it was.
func unchanged(base *expression.Frame, target int) arrow.ArrayData {
	d := base.Data(target)
	d.Retain()
	return d
}

// blended makes a column whose rows are those of the window. The values of the first assignment that sets some are computed where
// the column is to be, as far as that can be done, and the rows that it does not set put between them.
func (m *columnMaker) blended(target int, base *expression.Frame, e *evaluation) (arrow.ArrayData, error) {
	v := base.View(target)
	from, t := columnar.Fixed[uint8](v), base.Data(target).DataType()
	m.begin(v)
	var out *memory.Buffer
	for i := range e.update.actions {
		for j, set := range e.update.actions[i].set {
			if set.target != target || !validity.Any(e.taken[i]) {
				continue
			}
			place := []byte(nil)
			if out == nil {
				out = columnar.NewBuffer(m.mem, v.Rows*v.Layout.Width)
				place = out.Bytes()
			}
			if err := m.apply(e, i, j, out.Bytes(), from, place); err != nil {
				out.Release()
				return nil, err
			}
			from = out.Bytes()
		}
	}
	if out == nil {
		return unchanged(base, target), nil
	}
	return m.finish(t, v.Rows, out, m.mem), nil
}

// apply blends the values of an assignment of an action, of which place may have room for all, with those of from.
func (m *columnMaker) apply(e *evaluation, i, j int, out, from, place []byte) error {
	d, err := e.value(i, j, place)
	if err != nil {
		return err
	}
	defer d.Release()
	values, err := columnar.NewView(d)
	if err != nil {
		return fmt.Errorf("column %q: %w", e.update.actions[i].set[j].Column, err)
	}
	m.blend(out, from, &values, e.taken[i])
	return nil
}

// changes evaluates the assignments of a target in the actions that were taken.
func (e *evaluation) changes(target int) (list []change, err error) {
	for i := range e.update.actions {
		for j := range e.update.actions[i].set {
			if e.update.actions[i].set[j].target != target || !validity.Any(e.taken[i]) {
				continue
			}
			d, err := e.value(i, j, nil)
			if err != nil {
				return list, err
			}
			list = append(list, change{data: d, taken: e.taken[i]})
			last := &list[len(list)-1]
			if last.view, err = columnar.NewView(d); err != nil {
				return list, fmt.Errorf("column %q: %w", e.update.actions[i].set[j].Column, err)
			}
		}
	}
	return list, nil
}

// selected stages base and values one after another and takes a row of one of them for every row.
func (m *columnMaker) selected(base *expression.Frame, target int, changes []change, meets []uint32) (arrow.ArrayData, error) {
	v := base.View(target)
	m.sel = identity(m.sel, v.Rows)
	pieces := []columnar.Piece{{View: v, To: v.Rows}}
	room := v.Rows
	for i := range changes {
		c := &changes[i]
		start := room + columnar.Gap
		pieces = append(pieces, columnar.Piece{View: &c.view, To: c.view.Rows, Start: start})
		room = start + c.view.Rows
		for w, mask := range c.taken {
			for ; mask != 0; mask &= mask - 1 {
				row := w*64 + bits.TrailingZeros64(mask)
				at := row
				if meets != nil {
					at = int(meets[row])
				}
				m.sel[at] = uint32(start + row)
			}
		}
	}
	return take(&m.staged, base.Data(target).DataType(), pieces, room, m.sel, m.mem)
}

// identity makes a selection of n rows as they are.
func identity(sel []uint32, n int) []uint32 {
	if cap(sel) < n {
		sel = make([]uint32, n)
	}
	sel = sel[:n]
	for i := range sel {
		sel[i] = uint32(i)
	}
	return sel
}

// one copies a row of a column.
func (m *columnMaker) one(d arrow.ArrayData, row int) (arrow.ArrayData, error) {
	v, err := columnar.NewView(d)
	if err != nil {
		return nil, err
	}
	return take(&m.staged, d.DataType(), []columnar.Piece{{View: &v, From: row, To: row + 1}}, 1, []uint32{0}, m.mem)
}

// fill puts a row in the place of those that are absent. It takes over the column.
func (m *columnMaker) fill(d, filler arrow.ArrayData, absent []uint64) (arrow.ArrayData, error) {
	defer d.Release()
	v, err := columnar.NewView(d)
	if err != nil {
		return nil, err
	}
	f, err := columnar.NewView(filler)
	if err != nil {
		return nil, err
	}
	start := v.Rows + columnar.Gap
	m.sel = identity(m.sel, v.Rows)
	for row := validity.Next(absent, 0); row >= 0; row = validity.Next(absent, row+1) {
		m.sel[row] = uint32(start)
	}
	pieces := []columnar.Piece{{View: &v, To: v.Rows}, {View: &f, To: 1, Start: start}}
	return take(&m.staged, d.DataType(), pieces, start+1, m.sel, m.mem)
}

// repeat makes a column of a row so often.
func (m *columnMaker) repeat(filler arrow.ArrayData, rows int) (arrow.ArrayData, error) {
	f, err := columnar.NewView(filler)
	if err != nil {
		return nil, err
	}
	m.sel = identity(m.sel, rows)
	clear(m.sel)
	return take(&m.staged, filler.DataType(), []columnar.Piece{{View: &f, To: 1}}, 1, m.sel, m.mem)
}
