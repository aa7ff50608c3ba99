package main

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/kernel"
)

// kindNames are the row kinds by their number.
var kindNames = [...]string{"+I", "-U", "+U", "-D"}

// scan goes over the rows of a file and finds out what no footer says.
type scan struct {
	rows     int64
	order    *orderScan // nil if nobody asked about the order
	kind     int        // the column of row kinds, -1 if there is none
	kinds    map[string]int64
	sequence int             // the column of sequence numbers, -1 if there is none
	numbers  *sequenceReport // nil as long as there is no number
}

// newScan makes a scan of rows of the schema, with a look at the order by key if there is a key.
func newScan(key []string, schema *arrow.Schema) (*scan, error) {
	s := &scan{kinds: map[string]int64{}}
	s.kind = columnOf(schema, kernel.KindColumn, arrow.INT8)
	s.sequence = columnOf(schema, kernel.SequenceColumn, arrow.INT64)
	if len(key) == 0 {
		return s, nil
	}
	var err error
	s.order, err = newOrderScan(key, schema)
	return s, err
}

// columnOf returns the place of the column of this name and type, -1 if there is none.
func columnOf(schema *arrow.Schema, name string, typ arrow.Type) int {
	for _, i := range schema.FieldIndices(name) {
		if schema.Field(i).Type.ID() == typ {
			return i
		}
	}
	return -1
}

func (s *scan) release() {
	if s.order != nil {
		s.order.release()
	}
}

// add takes in a batch.
func (s *scan) add(record arrow.Record) error {
	if s.kind >= 0 {
		s.addKinds(record.Column(s.kind).(*array.Int8))
	}
	if s.sequence >= 0 {
		s.addNumbers(record.Column(s.sequence).(*array.Int64))
	}
	s.rows += record.NumRows()
	if s.order != nil {
		return s.order.add(record)
	}
	return nil
}

func (s *scan) addKinds(column *array.Int8) {
	for row, kind := range column.Int8Values() {
		name := fmt.Sprintf("bad kind %d", kind)
		switch {
		case column.IsNull(row):
			name = "bad kind NULL"
		case kind >= 0 && int(kind) < len(kindNames):
			name = kindNames[kind]
		}
		s.kinds[name]++
	}
}

func (s *scan) addNumbers(column *array.Int64) {
	for row, number := range column.Int64Values() {
		switch {
		case column.IsNull(row):
		case s.numbers == nil:
			s.numbers = &sequenceReport{Min: number, Max: number}
		default:
			s.numbers.Min, s.numbers.Max = min(s.numbers.Min, number), max(s.numbers.Max, number)
		}
	}
}

// report takes over what was found.
func (s *scan) report(found *inspection) {
	found.Rows = &s.rows
	found.Sequence = s.numbers
	if s.kind >= 0 {
		found.Kinds = s.kinds
	}
	if s.order != nil {
		found.Order = s.order.finish()
	}
}
