package kernel

import (
	"fmt"
	"slices"

	"github.com/braidmerge/braid/validity"
)

// whole says whether the newest file of every column has every row of the window.
func (rr *rangeReader) whole(w *rangeWindow) bool {
	for i := range rr.columns {
		if c := rr.columns[i].sources[0].cursor; !c.covers(w) {
			return false
		}
	}
	return true
}

// covers says whether the file has every row of a window.
func (c *columnCursor) covers(w *rangeWindow) bool { return c.before(w.to) == w.rows() }

// survey finds the rows that no file has, which must be the same in all columns but for deleted rows.
func (rr *rangeReader) survey(w *rangeWindow) error {
	n := w.rows()
	rr.here = zeroed(rr.here, n)
	for i := range rr.columns {
		rr.filled = zeroed(rr.filled, n)
		for _, s := range rr.columns[i].sources {
			s.cursor.mark(rr.filled, w)
		}
		if i == 0 {
			copy(rr.here, rr.filled)
			continue
		}
		for k, mask := range rr.filled {
			differ := mask ^ rr.here[k]
			for ; differ != 0; differ &= differ - 1 {
				at := w.from + int64(k*64+validity.Next([]uint64{differ}, 0))
				if !rr.deleted(at) {
					return rr.lacking(at)
				}
			}
			rr.here[k] &= mask
		}
	}
	if validity.Count(rr.here) == n {
		return nil
	}
	if err := rr.mayLack(w); err != nil {
		return err
	}
	w.here = rr.here
	rr.absent = zeroed(rr.absent, n)
	validity.Fill(rr.absent, n)
	for k, mask := range rr.here {
		rr.absent[k] &^= mask
	}
	w.absent = rr.absent
	return nil
}

// lacking blames the first column without a row that others have.
func (rr *rangeReader) lacking(at int64) error {
	e := &RowIDError{RowID: rr.rows.FirstRowID + at, Err: fmt.Errorf("%w: no file of the column has the row", ErrRowRange)}
	for i := range rr.columns {
		has := func(s columnSource) bool { return s.cursor.before(at+1) > s.cursor.before(at) }
		if !slices.ContainsFunc(rr.columns[i].sources, has) {
			e.Column = rr.columns[i].field.Name
			break
		}
	}
	return e
}

// mayLack wants a row that no file has to be deleted, unless files say which rows they have.
func (rr *rangeReader) mayLack(w *rangeWindow) error {
	for _, c := range rr.cursors {
		if c.idAt >= 0 {
			return nil
		}
	}
	for row := range w.rows() {
		if at := w.from + int64(row); !validity.Get(rr.here, row) && !rr.deleted(at) {
			return &RowIDError{RowID: rr.rows.FirstRowID + at, Err: fmt.Errorf("%w: no file has the row", ErrRowRange)}
		}
	}
	return nil
}

// zeroed makes a mask of n rows without a bit.
func zeroed(mask []uint64, n int) []uint64 {
	words := validity.Words(n)
	if cap(mask) < words {
		return make([]uint64, words)
	}
	mask = mask[:words]
	clear(mask)
	return mask
}

// mark sets the bits of the positions that the rows in hand have.
func (c *columnCursor) mark(mask []uint64, w *rangeWindow) {
	n := c.before(w.to)
	if n == 0 {
		return
	}
	if c.ids == nil {
		from := int(c.position(c.row) - w.from)
		for row := from; row < from+n; row++ {
			validity.Set(mask, row)
		}
		return
	}
	for row := c.row; row < c.row+n; row++ {
		validity.Set(mask, int(c.position(row)-w.from))
	}
}

// deleted says whether the row at a position is not there.
func (rr *rangeReader) deleted(at int64) bool {
	d := rr.rows.Deleted
	return d != nil && at < 1<<32 && d.Contains(uint32(at))
}

// leaveOut takes deleted rows from those that are there.
func (rr *rangeReader) leaveOut(w *rangeWindow) {
	d := rr.rows.Deleted
	if d == nil || w.from >= 1<<32 {
		return
	}
	it := d.Iterator()
	it.AdvanceIfNeeded(uint32(w.from))
	for it.HasNext() {
		at := int64(it.Next())
		if at >= w.to {
			return
		}
		if w.here == nil {
			rr.here = zeroed(rr.here, w.rows())
			validity.Fill(rr.here, w.rows())
			w.here = rr.here
		}
		validity.Clear(w.here, int(at-w.from))
	}
}
