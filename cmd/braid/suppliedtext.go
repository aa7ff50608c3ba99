package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// suppliedText has text written in which the validity column is the names of the columns that it marks.
//
//	_VALIDITY_FIELDS  id  city        _VALIDITY_FIELDS  id  city
//	{1, 2}             1  Oslo   ->   ["id","city"]      1  Oslo
type suppliedText struct {
	rowWriter
	schema *arrow.Schema // with the names
	place  int
	column *suppliedColumn
	rows   int64 // written
}

// withNames is the schema with names in the place of bitmaps; ok is false if it has no column of bitmaps.
func withNames(schema *arrow.Schema) (named *arrow.Schema, place int, ok bool) {
	at := schema.FieldIndices(validity.FieldsColumn)
	if len(at) != 1 {
		return nil, 0, false
	}
	switch schema.Field(at[0]).Type.ID() {
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW:
	default:
		return nil, 0, false
	}
	fields := slices.Clone(schema.Fields())
	fields[at[0]].Type = arrow.ListOf(arrow.BinaryTypes.String)
	return arrow.NewSchema(fields, nil), at[0], true
}

// Write writes a batch. Bytes that are no bitmap are an error with the row of all that are written.
func (t *suppliedText) Write(record arrow.Record) error {
	if err := t.column.read(record.Column(t.place)); err != nil {
		var fault *validity.Fault
		if errors.As(err, &fault) {
			return fmt.Errorf("row %d of the output, column %q: %w", t.rows+int64(fault.Row), validity.FieldsColumn, fault.Err)
		}
		return err
	}
	t.rows += record.NumRows()
	lists := array.NewListBuilder(memory.DefaultAllocator, arrow.BinaryTypes.String)
	defer lists.Release()
	t.column.appendNames(lists, t.column.numbers)
	names := lists.NewArray()
	defer names.Release()
	columns := slices.Clone(record.Columns())
	columns[t.place] = names
	shown := array.NewRecord(t.schema, columns, record.NumRows())
	defer shown.Release()
	return t.rowWriter.Write(shown)
}
