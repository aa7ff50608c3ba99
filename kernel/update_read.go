package kernel

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// RangeReader is the rows of a range, its column files side by side (docs/semantics.md, "Column files"): an array.RecordReader of
// the rows that are there, in the order of their ids. A record is valid until the next call of Next unless it is retained. It
// serves one goroutine at a time.
type RangeReader struct {
	ctx     context.Context
	rows    *RowRange
	schema  *arrow.Schema
	options UpdateOptions

	reader   *rangeReader
	places   []int // by column of the schema: that of the reader, -1 for row ids
	maker    columnMaker
	encoding []*columnar.Encoding
	record   arrow.Record
	err      error
	done     bool
	refs     int64
}

var _ array.RecordReader = (*RangeReader)(nil)

// ReadRange opens the files of a range that have columns of the schema, one column at least. A field RowIDColumn (int64) of the schema
// stands for the ids of the rows, and FirstRowIDColumn for that of the first. Dictionaries come out as their values. The caller releases
// the reader, and keeps the range as it is until then.
func ReadRange(ctx context.Context, schema *arrow.Schema, rows *RowRange, o UpdateOptions) (*RangeReader, error) {
	if err := rows.check(); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	r := &RangeReader{ctx: ctx, rows: rows, options: o, refs: 1}
	r.maker.mem = o.Allocator
	if err := r.open(schema); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *RangeReader) open(schema *arrow.Schema) error {
	var columns []rangeColumn
	var fields []arrow.Field
	for i, f := range schema.Fields() {
		if f.Name == RowIDColumn || f.Name == FirstRowIDColumn {
			r.places = append(r.places, -1)
			fields = append(fields, arrow.Field{Name: f.Name, Type: arrow.PrimitiveTypes.Int64, Metadata: f.Metadata})
			continue
		}
		e, err := columnar.NewEncoding(f.Type, true, r.options.Allocator)
		if err != nil {
			return fmt.Errorf("column %q: %w", f.Name, err)
		}
		r.encoding = append(r.encoding, e)
		r.places = append(r.places, len(columns))
		columns = append(columns, rangeColumn{field: f, table: i, encoding: e})
		f.Type = e.Output()
		fields = append(fields, f)
	}
	if len(columns) == 0 {
		return fmt.Errorf("%w: no column to read", ErrSchema)
	}
	meta := schema.Metadata()
	r.schema = arrow.NewSchema(fields, &meta)
	var err error
	r.reader, err = newRangeReader(r.ctx, r.rows, columns, r.options.BatchRows)
	return err
}

// Schema returns the schema of the records.
func (r *RangeReader) Schema() *arrow.Schema { return r.schema }

// Record returns the record of the last Next, nil if there is none.
func (r *RangeReader) Record() arrow.Record { return r.record }

// Err returns what ended the reading early, nil if nothing has.
func (r *RangeReader) Err() error { return r.err }

// Retain adds a reference.
func (r *RangeReader) Retain() { r.refs++ }

// Release gives a reference back. With the last one everything the reader holds is released.
func (r *RangeReader) Release() {
	if r.refs--; r.refs == 0 {
		r.close()
	}
}

// Next makes the next record and says whether there is one. After the last, or an error, there is none.
func (r *RangeReader) Next() bool {
	r.drop()
	for !r.done && r.record == nil {
		w, err := r.reader.next(r.ctx)
		if err == nil && w != nil && w.data[0] != nil && w.present() > 0 {
			err = r.make(w)
		}
		r.done, r.err = w == nil || err != nil, err
	}
	return r.record != nil
}

// make makes the record of a window.
func (r *RangeReader) make(w *rangeWindow) error {
	r.maker.sel = identity(r.maker.sel, w.rows())
	if w.here != nil {
		r.maker.sel = r.maker.sel[:0]
		for row := validity.Next(w.here, 0); row >= 0; row = validity.Next(w.here, row+1) {
			r.maker.sel = append(r.maker.sel, uint32(row))
		}
	}
	columns := make([]arrow.Array, 0, len(r.places))
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	for i, place := range r.places {
		if place < 0 {
			columns = append(columns, r.ids(r.schema.Field(i).Name, w))
			continue
		}
		d, err := r.column(place, w)
		if err != nil {
			return fmt.Errorf("%scolumn %q: %w", r.rows.prefix(), r.schema.Field(i).Name, err)
		}
		columns = append(columns, array.MakeFromData(d))
		d.Release()
	}
	r.record = array.NewRecord(r.schema, columns, int64(len(r.maker.sel)))
	return nil
}

// ids makes a column of row ids.
func (r *RangeReader) ids(name string, w *rangeWindow) arrow.Array {
	return numbers(r.options.Allocator, len(r.maker.sel), func(i int) int64 {
		if name == FirstRowIDColumn {
			return r.rows.FirstRowID
		}
		return r.rows.FirstRowID + w.from + int64(r.maker.sel[i])
	})
}

// column makes a column of the rows that are there.
func (r *RangeReader) column(place int, w *rangeWindow) (arrow.ArrayData, error) {
	d := w.data[place]
	v, err := columnar.NewView(d)
	if err != nil {
		return nil, err
	}
	if w.here == nil {
		return r.encoding[place].Finish(d)
	}
	some, err := take(&r.maker.staged, d.DataType(), []columnar.Piece{{View: &v, To: v.Rows}}, v.Rows, r.maker.sel, r.options.Allocator)
	if err != nil {
		return nil, err
	}
	defer some.Release()
	return r.encoding[place].Finish(some)
}

func (r *RangeReader) drop() {
	if r.record != nil {
		r.record.Release()
		r.record = nil
	}
}

func (r *RangeReader) close() {
	r.done = true
	r.drop()
	if r.reader != nil {
		r.reader.close()
	}
	for _, e := range r.encoding {
		e.Release()
	}
	r.encoding = nil
}
