package kernel

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// shape is the column of the window at a place of the output, with its results staged behind the runs.
func (c *changes) shape(m *merger, at int) *columnar.Shape {
	shape := m.window.column(m.output[at].place)
	if v := &c.views[at]; v.Rows > 0 {
		shape.Pieces = append(shape.Pieces, columnar.Piece{View: v, To: v.Rows, Start: c.start})
		shape.Room = c.start + v.Rows
	}
	return shape
}

// shapeOfResults is shape without the runs.
func (c *changes) shapeOfResults(m *merger, at int) *columnar.Shape {
	shape := c.shape(m, at)
	shape.Pieces[0] = shape.Pieces[len(shape.Pieces)-1]
	shape.Pieces = shape.Pieces[:1]
	return shape
}

// result makes the record of the results that stay, nil if none does.
func (c *changes) result(m *merger) (arrow.Record, error) {
	if len(c.kept) == 0 {
		return nil, nil
	}
	all := len(c.kept) == len(c.keys)
	values := func(at int) (arrow.ArrayData, error) {
		if all {
			c.results[at].Retain()
			return c.results[at], nil
		}
		return m.columns.rowsOf(m.in.at(m.output[at].place), c.shapeOfResults(m, at), c.kept)
	}
	var system []entry
	if m.cfg.keepSystem {
		for _, row := range c.kept {
			after := int32(int(row) - c.start)
			system = append(system, c.output(after, c.kinds[after]))
		}
	}
	return c.assemble(m, m.schema, system, len(c.kept), values)
}

// changelog makes the record of the changes.
func (c *changes) changelog(m *merger) (arrow.Record, error) {
	c.ask = c.ask[:0]
	runs := false // a row of a run is among them
	for _, x := range c.list {
		c.ask = append(c.ask, x.row)
		runs = runs || int(x.row) < c.start
	}
	return c.assemble(m, c.schema, c.list, len(c.list), func(at int) (arrow.ArrayData, error) {
		shape := c.shape
		if !runs {
			shape = c.shapeOfResults
		}
		return m.columns.rowsOf(m.in.at(m.output[at].place), shape(m, at), c.ask)
	})
}

// assemble makes a record of rows: the system columns of rows, if they are given, then a column of the values of every column of
// the output, put down as the output has them.
func (c *changes) assemble(m *merger, s *arrow.Schema, system []entry, rows int, values func(at int) (arrow.ArrayData, error)) (arrow.Record, error) {
	cols, err := c.systemColumns(m, make([]arrow.Array, 0, s.NumFields()), system)
	for at := 0; at < len(m.output) && err == nil; at++ {
		var data arrow.ArrayData
		if data, err = values(at); err == nil {
			if data, err = m.encode(&m.output[at], data); err == nil {
				cols = append(cols, makeArray(data))
			}
		}
	}
	if err != nil {
		releaseAll(cols)
		return nil, err
	}
	return newRecord(s, cols, rows), nil
}

// systemColumns appends the keys, numbers and kinds of rows.
func (c *changes) systemColumns(m *merger, cols []arrow.Array, rows []entry) ([]arrow.Array, error) {
	if len(rows) == 0 {
		return cols, nil
	}
	c.keyRows = c.keyRows[:0]
	for _, x := range rows {
		c.keyRows = append(c.keyRows, x.key)
	}
	for i := range m.in.keys {
		data, err := m.columns.rowsOf(&m.in.keys[i], m.window.column(i), c.keyRows)
		if err != nil {
			return cols, err
		}
		cols = append(cols, makeArray(data))
	}
	return append(cols, numbers(m.cfg.mem, len(rows), func(i int) int64 { return rows[i].number }),
		kinds(m.cfg.mem, len(rows), func(i int) int8 { return rows[i].kind })), nil
}

// need is about how many bytes a changelog needs beside, given those of the window: the results of all columns, and two rows
// for one of the result.
func (c *changes) need(bytes int64) int64 {
	if c == nil {
		return 0
	}
	return 3 * bytes
}

// held returns how many bytes the changelog of the window and its results have.
func (c *changes) held() int64 {
	if c == nil {
		return 0
	}
	return bytesOf(c.record) + c.bytes
}

// encode puts the values of a column down as the output has them. It takes data over.
func (m *merger) encode(out *outputColumn, data arrow.ArrayData) (arrow.ArrayData, error) {
	encoding := m.in.at(out.place).encoding
	if encoding.Identity() {
		return data, nil
	}
	defer data.Release()
	encoded, err := encoding.Encode(data)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", out.field.Name, err)
	}
	return encoded, nil
}

// makeArray makes an array of data, which it takes over.
func makeArray(data arrow.ArrayData) arrow.Array {
	defer data.Release()
	return array.MakeFromData(data)
}

// emptyRecord makes a record without rows.
func emptyRecord(s *arrow.Schema) arrow.Record {
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	return b.NewRecord()
}

func releaseRecord(rec arrow.Record) {
	if rec != nil {
		rec.Release()
	}
}
