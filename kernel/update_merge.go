package kernel

import (
	"fmt"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/validity"
)

// merge makes the record of a window.
func (r *UpdateReader) merge(w *rangeWindow) error {
	if err := r.setBase(w); err != nil {
		return err
	}
	r.shrink()
	meets, err := r.match(w)
	if err != nil {
		return err
	}
	columns := make([]arrow.ArrayData, 0, len(r.update.targets))
	for t := range r.update.targets {
		d, err := r.maker.column(t, r.base, r.eval, meets)
		if err != nil {
			return releaseWith(columns, err)
		}
		columns = append(columns, d)
		if err := r.notNull(t, d, w); err != nil {
			return releaseWith(columns, err)
		}
	}
	if err := r.keepFiller(columns, w); err != nil {
		return releaseWith(columns, err)
	}
	if w.absent != nil {
		for t := range columns {
			if columns[t], err = r.maker.fill(columns[t], r.filler[t], w.absent); err != nil {
				return releaseWith(append(columns[:t:t], columns[t+1:]...), err)
			}
		}
	}
	r.ready, err = r.assemble(columns, w.rows())
	return err
}

// setBase puts a window into the base frame.
func (r *UpdateReader) setBase(w *rangeWindow) error {
	r.base.Reset(w.rows())
	at := 0
	for i, input := range r.update.inputs {
		switch {
		case input.Source:
			continue
		case input.metadata():
			d := r.rowIDColumn(input.Name, w.rows(), func(row int) int64 { return r.rows.FirstRowID + w.from + int64(row) })
			err := r.base.SetStaged(i, d)
			d.Release()
			if err != nil {
				return err
			}
			continue
		}
		if err := r.base.SetStaged(i, w.data[at]); err != nil {
			return fmt.Errorf("%scolumn %q: %w", r.rows.prefix(), input.Name, err)
		}
		at++
	}
	return nil
}

// rowIDColumn makes a column of row ids, in memory that is used again.
func (r *UpdateReader) rowIDColumn(name string, n int, id func(row int) int64) arrow.ArrayData {
	ids := &r.ids[0]
	if name == FirstRowIDColumn {
		ids = &r.ids[1]
	}
	if cap(*ids) < n {
		*ids = make([]int64, n)
	}
	*ids = (*ids)[:n]
	for row := range *ids {
		(*ids)[row] = r.rows.FirstRowID
		if name == RowIDColumn {
			(*ids)[row] = id(row)
		}
	}
	return int64Data(*ids)
}

// match finds out which actions are taken for which rows of the evaluation's frame, and which rows of the window those are; nil if
// they are the same, or none.
func (r *UpdateReader) match(w *rangeWindow) (meets []uint32, err error) {
	here := w.here
	if r.pairs != nil {
		chunks, err := r.source.take(r.ctx, r.rows.FirstRowID+w.to)
		if err != nil {
			return nil, err
		}
		if meets, err = r.join(w, chunks); err != nil {
			return nil, err
		}
		here = nil
	}
	if _, err := r.eval.match(here); err != nil {
		return nil, err
	}
	for i := range r.update.actions {
		if len(r.update.actions[i].set) == 0 {
			continue
		}
		r.stats.RowsUpdated += int64(validity.Count(r.eval.taken[i]))
	}
	if r.pairs != nil {
		return meets, r.meetOnce(w, meets)
	}
	return nil, nil
}

// meetOnce wants every row of the window to be set by one row of the source at most.
func (r *UpdateReader) meetOnce(w *rangeWindow, meets []uint32) error {
	r.once = zeroed(r.once, w.rows())
	for i := range r.update.actions {
		if len(r.update.actions[i].set) == 0 {
			continue
		}
		for k, mask := range r.eval.taken[i] {
			for ; mask != 0; mask &= mask - 1 {
				row := k*64 + bits.TrailingZeros64(mask)
				if at := int(meets[row]); validity.Get(r.once, at) {
					return &RowIDError{Range: r.rows.Name, RowID: r.pairIDs[row],
						Err: fmt.Errorf("%w: two rows of the source set it", ErrDuplicateRowID)}
				}
				validity.Set(r.once, int(meets[row]))
			}
		}
	}
	return nil
}

// notNull wants no NULL in a NOT NULL column, in the rows that are there.
func (r *UpdateReader) notNull(t int, d arrow.ArrayData, w *rangeWindow) error {
	field := r.update.table.Field(r.update.targets[t])
	if field.Nullable || d.NullN() == 0 {
		return nil
	}
	a := array.MakeFromData(d)
	defer a.Release()
	for row := range a.Len() {
		if a.IsNull(row) && (w.here == nil || validity.Get(w.here, row)) {
			return &RowIDError{Range: r.rows.Name, RowID: r.rows.FirstRowID + w.from + int64(row), Column: field.Name, Err: ErrNotNull}
		}
	}
	return nil
}

// keepFiller keeps the first row there is.
func (r *UpdateReader) keepFiller(columns []arrow.ArrayData, w *rangeWindow) error {
	row := 0
	if w.here != nil {
		row = validity.Next(w.here, 0)
	}
	if r.filler != nil || row < 0 {
		return nil
	}
	filler := make([]arrow.ArrayData, 0, len(columns))
	for _, d := range columns {
		one, err := r.maker.one(d, row)
		if err != nil {
			return releaseWith(filler, err)
		}
		filler = append(filler, one)
	}
	r.filler = filler
	return nil
}

// assemble makes a record of columns of the staged types, which it takes over.
func (r *UpdateReader) assemble(columns []arrow.ArrayData, rows int) (arrow.Record, error) {
	var err error
	arrays := make([]arrow.Array, 0, len(columns))
	for t, d := range columns {
		if err == nil {
			var out arrow.ArrayData
			if out, err = r.base.Encoding(t).Finish(d); err == nil {
				arrays = append(arrays, array.MakeFromData(out))
				out.Release()
			}
		}
		d.Release()
	}
	defer func() {
		for _, a := range arrays {
			a.Release()
		}
	}()
	if err != nil {
		return nil, fmt.Errorf("%s%w", r.rows.prefix(), err)
	}
	return array.NewRecord(r.schema, arrays, int64(rows)), nil
}
