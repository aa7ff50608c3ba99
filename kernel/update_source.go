package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// sourceCursor reads the rows that an update joins to the table by row id. They ascend by it; equal ids follow one another.
type sourceCursor struct {
	reader array.RecordReader // borrowed; nil for no source
	idAt   int
	places []int // by input of the update: the column of records; -1 for none

	record arrow.Record // in hand; retained
	ids    []int64
	row    int
	last   int64
	begun  bool
	done   bool

	chunks []sourceChunk
}

// sourceChunk is rows of one record of the source.
type sourceChunk struct {
	record   arrow.Record // retained
	from, to int
	ids      []int64 // of these rows
}

// newSourceCursor finds the columns that the update reads.
func newSourceCursor(u *Update, reader array.RecordReader) (*sourceCursor, error) {
	c := &sourceCursor{reader: reader}
	switch {
	case (reader == nil) != (u.source == nil):
		return nil, fmt.Errorf("%w: the update was compiled for a source: %v, and run with one: %v", ErrOption, u.source != nil, reader != nil)
	case reader == nil:
		return c, nil
	}
	var err error
	if c.idAt, err = find(reader.Schema(), RowIDColumn, arrow.PrimitiveTypes.Int64); err == nil && c.idAt < 0 {
		err = fmt.Errorf("%w: column %q is missing", ErrSchema, RowIDColumn)
	}
	for _, i := range u.inputs {
		at := -1
		if i.Source && err == nil {
			if at, err = find(reader.Schema(), i.Name, i.typ); err == nil && at < 0 {
				err = fmt.Errorf("%w: column %q is missing", ErrSchema, i.Name)
			}
		}
		c.places = append(c.places, at)
	}
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	return c, nil
}

// peek returns the id of the next row; none at the end of the source.
func (c *sourceCursor) peek(ctx context.Context) (id int64, there bool, err error) {
	for c.record == nil && !c.done {
		if err := c.load(ctx); err != nil {
			return 0, false, fmt.Errorf("source: %w", err)
		}
	}
	if c.done {
		return 0, false, nil
	}
	return c.ids[c.row], true, nil
}

// load takes the next record, if it has rows.
func (c *sourceCursor) load(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !c.reader.Next() {
		c.done = true
		if err := c.reader.Err(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		return nil
	}
	rec := c.reader.Record()
	if rec.NumRows() == 0 {
		return nil
	}
	ids, err := rowIDs(rec.Column(c.idAt), rec.NumRows())
	if err != nil {
		return err
	}
	for _, id := range ids {
		if c.begun && id < c.last {
			return fmt.Errorf("%w: row id %d comes after %d", ErrUnsorted, id, c.last)
		}
		c.last, c.begun = id, true
	}
	rec.Retain()
	c.record, c.ids, c.row = rec, ids, 0
	return nil
}

// take takes the rows with ids below end, as chunks that are good until the next call.
func (c *sourceCursor) take(ctx context.Context, end int64) ([]sourceChunk, error) {
	c.dropChunks()
	for {
		id, there, err := c.peek(ctx)
		if err != nil || !there || id >= end {
			return c.chunks, err
		}
		to := c.row
		for to < len(c.ids) && c.ids[to] < end {
			to++
		}
		c.record.Retain()
		c.chunks = append(c.chunks, sourceChunk{c.record, c.row, to, c.ids[c.row:to]})
		if c.row = to; to == len(c.ids) {
			c.record.Release()
			c.record = nil
		}
	}
}

func (c *sourceCursor) dropChunks() {
	for _, chunk := range c.chunks {
		chunk.record.Release()
	}
	c.chunks = c.chunks[:0]
}

func (c *sourceCursor) close() {
	c.dropChunks()
	if c.record != nil {
		c.record.Release()
		c.record = nil
	}
}

// join fills the evaluation's frame with the rows of chunks that meet a row of the window, and what they meet, and returns the rows
// of the window that they do.
func (r *UpdateReader) join(w *rangeWindow, chunks []sourceChunk) ([]uint32, error) {
	r.meets, r.pairIDs = r.meets[:0], r.pairIDs[:0]
	var kept []uint32 // rows of the chunks, one after another with gaps
	start := 0
	for _, chunk := range chunks {
		for i, id := range chunk.ids {
			at := int(id - r.rows.FirstRowID - w.from)
			if w.here == nil || w.here[at>>6]>>(at&63)&1 != 0 {
				r.meets = append(r.meets, uint32(at))
				r.pairIDs = append(r.pairIDs, id)
				kept = append(kept, uint32(start+i))
			}
		}
		start += len(chunk.ids) + columnar.Gap
	}
	r.pairs.Reset(len(r.meets))
	if len(r.meets) == 0 {
		return nil, nil
	}
	for i, input := range r.update.inputs {
		d, err := r.joined(i, input, chunks, kept)
		if err != nil {
			return nil, err
		}
		err = r.pairs.SetStaged(i, d)
		d.Release()
		if err != nil {
			return nil, err
		}
	}
	return r.meets, nil
}

// joined makes a column of the pairs.
func (r *UpdateReader) joined(i int, input updateInput, chunks []sourceChunk, kept []uint32) (arrow.ArrayData, error) {
	switch {
	case input.metadata():
		return r.rowIDColumn(input.Name, len(r.pairIDs), func(row int) int64 { return r.pairIDs[row] }), nil
	case !input.Source:
		v := r.base.View(i)
		return take(&r.maker.staged, r.base.Encoding(i).Staged(), []columnar.Piece{{View: v, To: v.Rows}}, v.Rows, r.meets, unzeroed{})
	}
	encoding := r.pairs.Encoding(i)
	views := make([]columnar.View, len(chunks))
	var pieces []columnar.Piece
	start := 0
	for k, chunk := range chunks {
		whole := chunk.record.Column(r.source.places[i]).Data()
		if int64(whole.Len()) != chunk.record.NumRows() {
			return nil, fmt.Errorf("%w: source: %d rows in a batch of %d", ErrCorrupt, whole.Len(), chunk.record.NumRows())
		}
		slice := array.NewSliceData(whole, int64(chunk.from), int64(chunk.to))
		d, err := encoding.Load(slice)
		slice.Release()
		if err != nil {
			return nil, fmt.Errorf("source: column %q: %w", input.Name, err)
		}
		defer d.Release()
		if views[k], err = columnar.NewView(d); err != nil {
			return nil, fmt.Errorf("source: column %q: %w", input.Name, err)
		}
		pieces = append(pieces, columnar.Piece{View: &views[k], To: views[k].Rows, Start: start})
		start += len(chunk.ids) + columnar.Gap
	}
	return take(&r.maker.staged, encoding.Staged(), pieces, start, kept, unzeroed{})
}
