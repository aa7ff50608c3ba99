package rowhash

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

// Table sums up the rows of a table, record by record.
type Table struct {
	names []string
	keys  []int
	sums  []uint64
	rows  int64

	cells [][]uint64 // scratch: of the record in hand, by column
	bound []uint64   // scratch: the keys' hashes
}

// NewTable begins with no rows of a table of these columns. A key that is no column is an error.
func NewTable(columns, key []string) (*Table, error) {
	t := &Table{names: columns, sums: make([]uint64, len(columns)), cells: make([][]uint64, len(columns))}
	for _, name := range key {
		at := -1
		for i, column := range columns {
			if column == name {
				at = i
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("key %q is no column", name)
		}
		t.keys = append(t.keys, at)
	}
	return t, nil
}

// Add counts the rows of a record, which must have the table's columns under their names, in any order and with others beside
// them.
func (t *Table) Add(rec arrow.Record) error {
	for i, name := range t.names {
		at := rec.Schema().FieldIndices(name)
		if len(at) != 1 {
			return fmt.Errorf("there are %d columns %q, one is expected", len(at), name)
		}
		cells, err := cellsOf(rec.Column(at[0]), t.cells[i][:0])
		if err != nil {
			return fmt.Errorf("column %q: %w", name, err)
		}
		t.cells[i] = cells
	}
	t.bound = t.bound[:0]
	for row := range int(rec.NumRows()) {
		key := uint64(0)
		for _, at := range t.keys {
			key = Join(key, t.cells[at][row])
		}
		t.bound = append(t.bound, key)
	}
	for i, cells := range t.cells {
		sum := t.sums[i]
		for row, cell := range cells {
			sum += Bound(cell, t.bound[row])
		}
		t.sums[i] = sum
	}
	t.rows += rec.NumRows()
	return nil
}

// AddRow counts one row by the hashes of its cells, in the order of the columns.
func (t *Table) AddRow(cells []uint64) {
	key := uint64(0)
	for _, at := range t.keys {
		key = Join(key, cells[at])
	}
	for i, cell := range cells {
		t.sums[i] += Bound(cell, key)
	}
	t.rows++
}

// Sum is what is known of the rows of a table.
type Sum struct {
	Rows    int64             `json:"rows"`
	Columns map[string]string `json:"columns"` // the sum of each column, in hexadecimal
}

// Sum returns the sum of the rows so far.
func (t *Table) Sum() Sum {
	s := Sum{Rows: t.rows, Columns: make(map[string]string, len(t.names))}
	for i, name := range t.names {
		s.Columns[name] = fmt.Sprintf("%016x", t.sums[i])
	}
	return s
}

// Whole is one number for the rows of a table, in hexadecimal.
func (s Sum) Whole(columns []string) string {
	h := uint64(s.Rows)
	for _, name := range columns {
		n, err := strconv.ParseUint(s.Columns[name], 16, 64)
		if err != nil {
			n = Null
		}
		h = Join(h, n)
	}
	return fmt.Sprintf("%016x", h)
}

// Differs says how got is another table than want, nothing if it is not.
func (want Sum) Differs(got Sum, columns []string) string {
	if want.Rows != got.Rows {
		return fmt.Sprintf("%d rows, %d are right", got.Rows, want.Rows)
	}
	for _, name := range columns {
		if want.Columns[name] != got.Columns[name] {
			return fmt.Sprintf("column %q has the hash %s, %s is right", name, got.Columns[name], want.Columns[name])
		}
	}
	return ""
}
