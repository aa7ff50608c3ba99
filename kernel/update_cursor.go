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

// columnCursor reads some columns of one column file, and knows which positions of the range the rows in hand have.
type columnCursor struct {
	file    *ColumnFile
	rows    *RowRange
	columns []rangeColumn // that are read
	sources []boundColumn // where records have them
	idAt    int           // where records have row ids, -1 for nowhere

	reader array.RecordReader
	done   bool
	next   int64 // the least position that the next row may have

	record arrow.Record      // in hand; retained
	data   []arrow.ArrayData // of its columns, once they were asked for
	row    int               // of record: the first that is not taken
	ids    []int64           // of the record's rows; nil where they follow one another from start on
	start  int64             // position of row 0
}

// open starts reading the file.
func (c *columnCursor) open(ctx context.Context) error {
	reader, err := c.file.Open(ctx)
	if err != nil {
		return c.blame(fmt.Errorf("open: %w", err))
	}
	c.reader, c.next = reader, c.file.First
	c.data = make([]arrow.ArrayData, len(c.columns))
	if err := c.bind(reader.Schema()); err != nil {
		return c.blame(err)
	}
	if c.file.First < 0 {
		return c.blame(fmt.Errorf("%w: its first row is at position %d", ErrRowRange, c.file.First))
	}
	return nil
}

// bind finds the columns in the schema of the file.
func (c *columnCursor) bind(s *arrow.Schema) (err error) {
	if c.idAt, err = find(s, RowIDColumn, arrow.PrimitiveTypes.Int64); err != nil {
		return err
	}
	if c.idAt >= 0 {
		c.next = 0
	}
	if c.file.Mapping != nil {
		if err := c.file.Mapping.Fits(s); err != nil {
			return err
		}
	}
	for _, column := range c.columns {
		bound := boundColumn{name: column.field.Name, source: -1}
		if c.file.Mapping != nil {
			bound.mapped = c.file.Mapping.Column(column.table)
		} else if bound.source, err = find(s, bound.name, column.field.Type); err != nil {
			return err
		} else if bound.source < 0 {
			return fmt.Errorf("%w: column %q is missing", ErrSchema, bound.name)
		}
		c.sources = append(c.sources, bound)
	}
	return nil
}

// load takes the next record with a row in hand. At the end of the file there is none.
func (c *columnCursor) load(ctx context.Context) error {
	c.drop()
	for empty := 0; !c.done; empty++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if empty > maxEmpty {
			return c.blame(fmt.Errorf("%w: more than %d batches without a row", ErrCorrupt, maxEmpty))
		}
		if !c.reader.Next() {
			c.done = true
			if err := c.reader.Err(); err != nil && !errors.Is(err, io.EOF) {
				return c.blame(err)
			}
			return nil
		}
		if rec := c.reader.Record(); rec.NumRows() > 0 {
			rec.Retain()
			c.record, c.row = rec, 0
			return c.blame(c.locate())
		}
	}
	return nil
}

// locate finds out which positions the rows of the record have.
func (c *columnCursor) locate() error {
	n := c.record.NumRows()
	if c.idAt < 0 {
		c.ids, c.start = nil, c.next
		c.next += n
		if c.next > c.rows.Rows {
			return fmt.Errorf("%w: %d rows from position %d on in a range of %d", ErrRowRange, c.next-c.file.First, c.file.First, c.rows.Rows)
		}
		return nil
	}
	ids, err := rowIDs(c.record.Column(c.idAt), n)
	if err != nil {
		return err
	}
	for _, id := range ids {
		switch at := id - c.rows.FirstRowID; {
		case id < c.rows.FirstRowID || id >= c.rows.end():
			return fmt.Errorf("%w: row id %d is not one of %d from %d on", ErrRowRange, id, c.rows.Rows, c.rows.FirstRowID)
		case at == c.next-1:
			return fmt.Errorf("%w: %d", ErrDuplicateRowID, id)
		case at < c.next:
			return fmt.Errorf("%w: row id %d comes after %d", ErrRowRange, id, c.rows.FirstRowID+c.next-1)
		default:
			c.next = at + 1
		}
	}
	c.ids, c.start = ids, ids[0]-c.rows.FirstRowID
	if ids[n-1]-ids[0] == n-1 {
		c.ids = nil // without a gap
	}
	return nil
}

// rowIDs looks at a column of n row ids.
func rowIDs(column arrow.Array, n int64) ([]int64, error) {
	v, err := columnar.NewView(column.Data())
	if err != nil {
		return nil, err
	}
	if int64(v.Rows) != n {
		return nil, fmt.Errorf("%w: %d row ids in a batch of %d", ErrCorrupt, v.Rows, n)
	}
	if v.Nulls > 0 {
		return nil, fmt.Errorf("%w: row %d of a batch", ErrNullRowID, firstNull(&v))
	}
	return columnar.Fixed[int64](&v), nil
}

// position is that of a row of the record.
func (c *columnCursor) position(row int) int64 {
	if c.ids != nil {
		return c.ids[row] - c.rows.FirstRowID
	}
	return c.start + int64(row)
}

// reach is the position behind the last row in hand.
func (c *columnCursor) reach() int64 { return c.position(int(c.record.NumRows())-1) + 1 }

// before returns how many rows in hand, from the first that is not taken, have positions below end.
func (c *columnCursor) before(end int64) int {
	if c.record == nil {
		return 0
	}
	from, to := c.row, int(c.record.NumRows())
	for low := from; low < to; { // the least row that is not below
		middle := int(uint(low+to) >> 1)
		if c.position(middle) < end {
			low = middle + 1
		} else {
			to = middle
		}
	}
	return to - from
}

// column returns rows of a column in hand. The caller releases them.
func (c *columnCursor) column(i, n int) (arrow.ArrayData, error) {
	if c.data[i] == nil {
		d, err := c.sources[i].take(c.record, unzeroed{})
		if err != nil {
			return nil, c.blame(fmt.Errorf("column %q: %w", c.sources[i].name, err))
		}
		c.data[i] = d
	}
	if d := c.data[i]; c.row == 0 && n == d.Len() {
		d.Retain()
		return d, nil
	}
	return array.NewSliceData(c.data[i], int64(c.row), int64(c.row+n)), nil
}

func (c *columnCursor) drop() {
	for i, d := range c.data {
		if d != nil {
			d.Release()
		}
		c.data[i] = nil
	}
	if c.record != nil {
		c.record.Release()
		c.record = nil
	}
}

func (c *columnCursor) close() {
	c.drop()
	if c.reader != nil {
		c.reader.Release()
		c.reader = nil
	}
}

// blame puts the name of the file before an error.
func (c *columnCursor) blame(err error) error {
	if err == nil || c.file.Name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", c.file.Name, err)
}
