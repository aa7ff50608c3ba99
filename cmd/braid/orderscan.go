package main

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/cmd/braid/text"
	"github.com/braidmerge/braid/columnar"
)

// orderScan finds whether rows are in key order, and the smallest and the largest key.
type orderScan struct {
	found          orderReport
	columns        []int
	rows           int64 // before the batch at hand
	batches        int
	last, min, max keyRow
}

// keyRow is the key of one row, held by a record of that row alone.
type keyRow struct {
	record arrow.Record
	keys   []columnar.View
}

func newOrderScan(key []string, schema *arrow.Schema) (*orderScan, error) {
	s := &orderScan{found: orderReport{Key: key, Sorted: true, Unique: true}}
	for _, name := range key {
		i := schema.FieldIndices(name)[0]
		if t := schema.Field(i).Type; columnar.OrderOf(t) == columnar.OrderNone {
			return nil, usagef("column %q cannot be a key: values of type %s have no order", name, t)
		}
		s.columns = append(s.columns, i)
	}
	return s, nil
}

// add takes in a batch.
func (s *orderScan) add(record arrow.Record) error {
	rows := int(record.NumRows())
	if rows > 0 {
		keys, err := s.views(record)
		if err != nil {
			return err
		}
		if err := s.look(record, keys, rows); err != nil {
			return err
		}
	}
	s.rows += int64(rows)
	s.batches++
	return nil
}

// look looks at a batch that has rows.
func (s *orderScan) look(record arrow.Record, keys []columnar.View, rows int) error {
	fall, repeats := columnar.Ascending(keys, 0, rows)
	if s.last.record != nil {
		switch c := columnar.CompareKeys(s.last.keys, 0, keys, 0); {
		case c > 0:
			fall = 0
		case c == 0:
			repeats = true
		}
	}
	if fall >= 0 && s.found.Sorted {
		if err := s.fall(record, fall); err != nil {
			return err
		}
	}
	s.found.Unique = s.found.Unique && !repeats
	if err := s.extend(record, keys, rows); err != nil {
		return err
	}
	return s.hold(&s.last, record, rows-1)
}

// fall notes the first row that is below the one before it.
func (s *orderScan) fall(record arrow.Record, row int) error {
	before := s.last
	if row > 0 {
		before = keyRow{}
		if err := s.hold(&before, record, row-1); err != nil {
			return err
		}
		defer before.release()
	}
	var this keyRow
	if err := s.hold(&this, record, row); err != nil {
		return err
	}
	defer this.release()
	s.found.Sorted = false
	s.found.Fault = &faultReport{Row: s.rows + int64(row), Batch: s.batches, RowInBatch: row, Key: s.text(this), After: s.text(before)}
	return nil
}

// extend widens the range of keys. As long as the rows are sorted, a look at the first and the last of them is enough.
func (s *orderScan) extend(record arrow.Record, keys []columnar.View, rows int) error {
	step := max(1, rows-1)
	if !s.found.Sorted {
		step = 1
	}
	for row := 0; row < rows; row += step {
		if s.min.record == nil || columnar.CompareKeys(keys, row, s.min.keys, 0) < 0 {
			if err := s.hold(&s.min, record, row); err != nil {
				return err
			}
		}
		if s.max.record == nil || columnar.CompareKeys(keys, row, s.max.keys, 0) > 0 {
			if err := s.hold(&s.max, record, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// views looks at the key columns of a record.
func (s *orderScan) views(record arrow.Record) ([]columnar.View, error) {
	keys := make([]columnar.View, len(s.columns))
	for i, column := range s.columns {
		var err error
		if keys[i], err = columnar.NewView(record.Column(column).Data()); err != nil {
			return nil, fmt.Errorf("column %q: %w", s.found.Key[i], err)
		}
	}
	return keys, nil
}

// hold puts a row of the record into k.
func (s *orderScan) hold(k *keyRow, record arrow.Record, row int) error {
	slice := record.NewSlice(int64(row), int64(row)+1)
	keys, err := s.views(slice)
	if err != nil {
		slice.Release()
		return err
	}
	k.release()
	*k = keyRow{slice, keys}
	return nil
}

func (k *keyRow) release() {
	if k.record != nil {
		k.record.Release()
		k.record = nil
	}
}

// text shows a key.
func (s *orderScan) text(k keyRow) string {
	values := make([]string, len(s.columns))
	for i, column := range s.columns {
		values[i] = text.Value(k.record.Column(column), 0)
	}
	return strings.Join(values, ", ")
}

// finish returns what was found.
func (s *orderScan) finish() *orderReport {
	if s.min.record != nil {
		s.found.Min, s.found.Max = s.text(s.min), s.text(s.max)
	}
	s.found.Unique = s.found.Unique && s.found.Sorted
	return &s.found
}

func (s *orderScan) release() {
	s.last.release()
	s.min.release()
	s.max.release()
}
