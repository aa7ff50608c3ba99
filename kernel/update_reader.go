package kernel

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/internal/expression"
)

// UpdateReader is the new column file of a range, an array.RecordReader: the columns that the update sets, in table order, with one
// row for every row id of the range, in their order. Dictionaries are written out as their values. A record is valid until the
// next call of Next unless it is retained. Where no row of a record has changed, its columns are slices of the records read.
type UpdateReader struct {
	ctx    context.Context
	update *Update
	rows   *RowRange
	stats  *UpdateStats
	schema *arrow.Schema
	limit  int

	reader *rangeReader
	source *sourceCursor     // of the run; without a reader there is none
	base   *expression.Frame // rows of a window
	pairs  *expression.Frame // with a source: rows of it and what they meet
	eval   *evaluation
	maker  columnMaker

	window  *rangeWindow
	ids     [2][]int64 // scratch of the columns of row ids
	meets   []uint32
	pairIDs []int64
	once    []uint64 // rows of the window that have met a row of the source

	filler []arrow.ArrayData // by target: the first row there is, as it becomes
	owed   int64             // rows to fill in before ready
	ready  arrow.Record
	record arrow.Record
	err    error
	done   bool
	refs   int64
}

var _ array.RecordReader = (*UpdateReader)(nil)

// open makes the reader of a range. source has given all rows below the range.
func (u *Update) open(ctx context.Context, rows *RowRange, source *sourceCursor, o UpdateOptions, stats *UpdateStats) (*UpdateReader, error) {
	r := &UpdateReader{ctx: ctx, update: u, rows: rows, stats: stats, source: source, limit: min(o.BatchRows, u.fitting()), refs: 1}
	r.maker.mem = o.Allocator
	types := make([]arrow.DataType, len(u.inputs))
	for i, input := range u.inputs {
		types[i] = input.typ
	}
	var err error
	if r.base, err = expression.NewFrame(types, o.Allocator); err != nil {
		return nil, err
	}
	frame := r.base
	if source.reader != nil {
		if r.pairs, err = expression.NewFrame(types, o.Allocator); err != nil {
			r.close()
			return nil, err
		}
		frame = r.pairs
	}
	r.eval = newEvaluation(u, frame, rows)
	r.eval.id = r.rowID
	r.schema = u.outputSchema(r.base)
	if r.reader, err = newRangeReader(ctx, rows, r.columns(), r.limit); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// windowBytes is about how many bytes a window may have.
const windowBytes = 64 << 20

// fitting is how many rows may be given the constant texts of the update at a time.
func (u *Update) fitting() int {
	width := 1
	for _, a := range u.actions {
		for _, s := range a.set {
			if s.parsed != nil {
				width += s.parsed.Width()
			}
		}
	}
	return max(1, windowBytes/width)
}

// shrink makes the next windows smaller if that at hand has too many bytes.
func (r *UpdateReader) shrink() {
	bytes := int64(0)
	for i, input := range r.update.inputs {
		if !input.Source {
			bytes += r.base.View(i).Bytes()
		}
	}
	if bytes > windowBytes {
		r.reader.limit = max(1, int(int64(r.base.Rows())*windowBytes/bytes))
	}
}

// columns lists the inputs that files have.
func (r *UpdateReader) columns() []rangeColumn {
	var list []rangeColumn
	for i, input := range r.update.inputs {
		if !input.Source && !input.metadata() {
			at := r.update.table.FieldIndices(input.Name)[0]
			list = append(list, rangeColumn{field: r.update.table.Field(at), table: at, encoding: r.base.Encoding(i)})
		}
	}
	return list
}

// outputSchema is that of the columns that are set.
func (u *Update) outputSchema(base *expression.Frame) *arrow.Schema {
	var fields []arrow.Field
	for i, t := range u.targets {
		f := u.table.Field(t)
		f.Type = base.Encoding(i).Output()
		fields = append(fields, f)
	}
	return arrow.NewSchema(fields, nil)
}

// rowID is that of a row of the evaluation's frame.
func (r *UpdateReader) rowID(row int) int64 {
	if r.pairs != nil {
		return r.pairIDs[row]
	}
	return r.rows.FirstRowID + r.window.from + int64(row)
}

// Schema returns the schema of the records.
func (r *UpdateReader) Schema() *arrow.Schema { return r.schema }

// Record returns the record of the last Next, nil if there is none.
func (r *UpdateReader) Record() arrow.Record { return r.record }

// Err returns what ended the update early, nil if nothing has.
func (r *UpdateReader) Err() error { return r.err }

// Retain adds a reference.
func (r *UpdateReader) Retain() { r.refs++ }

// Release gives a reference back. With the last one everything the reader holds is released.
func (r *UpdateReader) Release() {
	if r.refs--; r.refs == 0 {
		r.drop()
		r.close()
	}
}

// Next makes the next record and says whether there is one. After the last, or an error, there is none.
func (r *UpdateReader) Next() bool {
	r.drop()
	for !r.done && r.record == nil {
		if err := r.step(); err != nil {
			r.done, r.err = true, err
			r.drop()
		}
	}
	if r.record == nil {
		return false
	}
	r.stats.RowsOut += r.record.NumRows()
	return true
}

// step makes a record of rows to fill in, hands out the one that is ready, or reads a window.
func (r *UpdateReader) step() error {
	switch {
	case r.owed > 0 && r.filler != nil:
		n := min(r.owed, int64(r.limit))
		r.owed -= n
		return r.fillIn(int(n))
	case r.ready != nil:
		r.record, r.ready = r.ready, nil
		return nil
	}
	w, err := r.reader.next(r.ctx)
	switch {
	case err != nil:
		return err
	case w == nil:
		r.done = true
		if r.filler == nil {
			return fmt.Errorf("%w: %snone of its %d rows is there", ErrRowRange, r.rows.prefix(), r.rows.Rows)
		}
		return nil
	case w.data[0] == nil, w.present() == 0 && r.filler == nil && (w.absent != nil || r.owed > 0):
		r.owed += int64(w.rows())
		return r.pass(w)
	}
	r.window = w
	r.stats.RowsRead += int64(w.present())
	return r.merge(w)
}

// fillIn makes a record of the filler alone.
func (r *UpdateReader) fillIn(n int) error {
	columns := make([]arrow.ArrayData, 0, len(r.filler))
	for _, f := range r.filler {
		d, err := r.maker.repeat(f, n)
		if err != nil {
			return releaseWith(columns, err)
		}
		columns = append(columns, d)
	}
	rec, err := r.assemble(columns, n)
	r.record = rec
	return err
}

// releaseWith gives back what was made before an error, and returns the error.
func releaseWith(columns []arrow.ArrayData, err error) error {
	releaseColumns(columns)
	return err
}

// releaseColumns gives columns back.
func releaseColumns(columns []arrow.ArrayData) {
	for _, d := range columns {
		d.Release()
	}
}

// pass passes over the rows of the source that a window without rows has.
func (r *UpdateReader) pass(w *rangeWindow) error {
	if r.pairs == nil {
		return nil
	}
	_, err := r.source.take(r.ctx, r.rows.FirstRowID+w.to)
	return err
}

func (r *UpdateReader) drop() {
	if r.record != nil {
		r.record.Release()
		r.record = nil
	}
}

// close releases everything but the record handed out.
func (r *UpdateReader) close() {
	r.done = true
	if r.ready != nil {
		r.ready.Release()
		r.ready = nil
	}
	releaseColumns(r.filler)
	r.filler = nil
	if r.reader != nil {
		r.reader.close()
	}
	for _, f := range []*expression.Frame{r.base, r.pairs} {
		if f != nil {
			f.Release()
		}
	}
}
