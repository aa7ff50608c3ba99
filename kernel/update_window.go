package kernel

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// rangeColumn is a column of the table that is read of a range.
type rangeColumn struct {
	field    arrow.Field
	table    int // its place in the table's schema
	encoding *columnar.Encoding
	sources  []columnSource // the files that have it, newest first
}

// columnSource is a file, and which of its columns it is.
type columnSource struct {
	cursor *columnCursor
	column int
}

// rangeWindow is the rows of some positions of a range, column file beside column file.
type rangeWindow struct {
	from, to int64             // positions
	data     []arrow.ArrayData // by column, one row a position, of the staged type; a row that is not there may hold anything
	here     []uint64          // mask of the rows that are there; nil for all
	absent   []uint64          // mask of the rows that no file has, so that data means nothing; nil for none
}

func (w *rangeWindow) rows() int { return int(w.to - w.from) }

// present returns how many rows are there.
func (w *rangeWindow) present() int {
	if w.here == nil {
		return w.rows()
	}
	return validity.Count(w.here)
}

func (w *rangeWindow) release() {
	for i, d := range w.data {
		if d != nil {
			d.Release()
		}
		w.data[i] = nil
	}
}

// rangeReader reads the columns of a range, window by window.
type rangeReader struct {
	rows    *RowRange
	columns []rangeColumn
	cursors []*columnCursor
	limit   int // rows of a window
	at      int64

	staged columnar.Staged
	window rangeWindow
	here   []uint64
	absent []uint64
	filled []uint64 // positions that a column has found rows for
	sel    []uint32
}

// newRangeReader opens the files of a range that have the newest rows of a column; where a file may lack rows, those below it too.
func newRangeReader(ctx context.Context, r *RowRange, columns []rangeColumn, limit int) (*rangeReader, error) {
	rr := &rangeReader{rows: r, columns: columns, limit: limit}
	rr.window.data = make([]arrow.ArrayData, len(columns))
	cursors := make([]*columnCursor, len(r.Files))
	for i := range columns {
		column := &columns[i]
		column.sources = nil
		for f := len(r.Files) - 1; f >= 0; f-- {
			if !r.Files[f].has(column.field.Name) {
				continue
			}
			if cursors[f] == nil {
				cursors[f] = &columnCursor{file: &r.Files[f], rows: r}
				rr.cursors = append(rr.cursors, cursors[f])
			}
			c := cursors[f]
			column.sources = append(column.sources, columnSource{c, len(c.columns)})
			c.columns = append(c.columns, *column)
		}
		if len(column.sources) == 0 {
			return nil, fmt.Errorf("%w: %sno file has column %q", ErrSchema, r.prefix(), column.field.Name)
		}
	}
	for _, c := range rr.cursors {
		if err := c.open(ctx); err != nil {
			rr.close()
			return nil, fmt.Errorf("%s%w", r.prefix(), err)
		}
	}
	return rr, nil
}

func (rr *rangeReader) close() {
	rr.window.release()
	for _, c := range rr.cursors {
		c.close()
	}
}

// next reads a window, nil behind the last position of the range. It is good until the next call. A window in which no row is
// there has no data.
func (rr *rangeReader) next(ctx context.Context) (*rangeWindow, error) {
	rr.window.release()
	w := &rr.window
	w.from, w.to = rr.at, min(rr.rows.Rows, rr.at+int64(rr.limit))
	for _, c := range rr.cursors {
		if c.record == nil && !c.done { // behind the last position too, where there must be no row
			if err := c.load(ctx); err != nil {
				return nil, fmt.Errorf("%s%w", rr.rows.prefix(), err)
			}
		}
		if c.record != nil {
			w.to = min(w.to, c.reach())
		}
	}
	if rr.at == rr.rows.Rows {
		return nil, nil
	}
	if err := rr.fill(w); err != nil {
		return nil, fmt.Errorf("%s%w", rr.rows.prefix(), err)
	}
	for _, c := range rr.cursors {
		if n := c.before(w.to); n > 0 {
			if c.row += n; int64(c.row) == c.record.NumRows() {
				c.drop()
			}
		}
	}
	rr.at = w.to
	return w, nil
}

// fill makes the columns of a window.
func (rr *rangeReader) fill(w *rangeWindow) error {
	w.here, w.absent = nil, nil
	if !rr.whole(w) {
		if err := rr.survey(w); err != nil {
			return err
		}
	}
	rr.leaveOut(w)
	if w.absent != nil && validity.Count(w.absent) == w.rows() {
		return nil
	}
	for i := range rr.columns {
		var err error
		if w.data[i], err = rr.column(i, w); err != nil {
			return err
		}
	}
	return nil
}

// column makes a column of a window: rows of one file as they are, those of several side by side.
func (rr *rangeReader) column(i int, w *rangeWindow) (arrow.ArrayData, error) {
	column := &rr.columns[i]
	if newest := column.sources[0]; newest.cursor.covers(w) {
		return rr.piece(column, newest, w.rows())
	}
	var pieces []columnar.Piece
	rr.sel = rr.sel[:0]
	for range w.rows() {
		rr.sel = append(rr.sel, 0)
	}
	rr.filled = zeroed(rr.filled, w.rows())
	room := 0
	for _, s := range column.sources {
		n := s.cursor.before(w.to)
		if n == 0 {
			continue
		}
		d, err := rr.piece(column, s, n)
		if err != nil {
			return nil, err
		}
		defer d.Release()
		v, err := columnar.NewView(d)
		if err != nil {
			return nil, s.cursor.blame(fmt.Errorf("column %q: %w", column.field.Name, err))
		}
		pieces = append(pieces, columnar.Piece{View: &v, To: n, Start: room})
		for row := range n {
			at := int(s.cursor.position(s.cursor.row+row) - w.from)
			if !validity.Get(rr.filled, at) {
				validity.Set(rr.filled, at)
				rr.sel[at] = uint32(room + row)
			}
		}
		room += n + columnar.Gap
	}
	return take(&rr.staged, column.encoding.Staged(), pieces, room, rr.sel, unzeroed{})
}

// piece returns the next n rows of a column of a file in the staged type. The caller releases them.
func (rr *rangeReader) piece(column *rangeColumn, s columnSource, n int) (arrow.ArrayData, error) {
	d, err := s.cursor.column(s.column, n)
	if err != nil || column.encoding.Identity() {
		return d, err
	}
	defer d.Release()
	return column.encoding.Load(d)
}
