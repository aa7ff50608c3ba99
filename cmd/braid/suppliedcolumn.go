package main

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// suppliedColumn reads the arrays of a validity column, batch by batch.
type suppliedColumn struct {
	columns []string // of the table; a column's place is its bit
	decoder *validity.Decoder
	source  *validity.Source
	numbers []uint32 // of the rows of the batch at hand
}

// newSuppliedColumn makes a reader of bitmaps of these columns, among which the validity column has no bit.
func newSuppliedColumn(columns []string) *suppliedColumn {
	positions := make([]int, len(columns))
	for i, name := range columns {
		if positions[i] = i; name == validity.FieldsColumn {
			positions[i] = -1
		}
	}
	c := &suppliedColumn{columns: columns, decoder: validity.NewDecoder(len(columns))}
	c.source = c.decoder.Source(positions)
	return c
}

// others lists the columns of the table but the validity column, by their places.
func (c *suppliedColumn) others() []int {
	var places []int
	for i, name := range c.columns {
		if name != validity.FieldsColumn {
			places = append(places, i)
		}
	}
	return places
}

// read reads a batch. Bytes that are no bitmap are a *validity.Fault.
func (c *suppliedColumn) read(column arrow.Array) error {
	encoding, err := columnar.NewEncoding(column.DataType(), true, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	defer encoding.Release()
	loaded, err := encoding.LoadKey(column.Data())
	if err != nil {
		return err
	}
	defer loaded.Release()
	view, err := columnar.NewView(loaded)
	if err != nil {
		return err
	}
	c.numbers = slices.Grow(c.numbers[:0], view.Rows)[:view.Rows]
	c.decoder.Begin()
	_, err = view.ReadSupplied(c.source, c.numbers, 0, view.Rows)
	return err
}

// appendNames appends for every row the names of the columns that were supplied, NULL for a row that does not say it.
func (c *suppliedColumn) appendNames(lists *array.ListBuilder, numbers []uint32) {
	names, others := lists.ValueBuilder().(*array.StringBuilder), c.others()
	for _, n := range numbers {
		lists.Append(n != 0)
		for _, place := range others {
			if n != 0 && c.decoder.Has(n, place) {
				names.Append(c.columns[place])
			}
		}
	}
}
