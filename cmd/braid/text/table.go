package text

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
)

// Limits of a table.
const (
	measured = 1000 // rows that are looked at before the widths of the columns are chosen
	maxWidth = 40   // characters of a column; longer values are cut, and end with an ellipsis
)

// Table writes rows in columns for people, numbers to the right. The widths are those of the first 1000 rows; a wider value
// further down moves the rest of its row.
type Table struct {
	out    io.Writer
	names  []string
	right  []bool     // columns that are aligned to the right
	rows   [][]string // rows held back until the widths are known; nil afterwards
	widths []int
	line   []byte
}

// NewTable makes a writer of batches of the schema.
func NewTable(out io.Writer, schema *arrow.Schema) *Table {
	t := &Table{out: out, rows: [][]string{}}
	for _, field := range schema.Fields() {
		t.names = append(t.names, clean(field.Name))
		t.right = append(t.right, isNumber(field.Type))
	}
	return t
}

func isNumber(dt arrow.DataType) bool {
	return arrow.IsInteger(dt.ID()) || arrow.IsFloating(dt.ID()) || arrow.IsDecimal(dt.ID())
}

// Write writes the rows of a batch, or holds them back if the widths are still to be chosen.
func (t *Table) Write(record arrow.Record) error {
	cells := make([]cell, record.NumCols())
	for i, column := range record.Columns() {
		cells[i] = newCell(column, plainText)
	}
	for row := range int(record.NumRows()) {
		values := make([]string, len(cells))
		for i, column := range record.Columns() {
			if !isNull(column, row) {
				values[i] = clean(string(cells[i](nil, row)))
			}
		}
		if err := t.add(values); err != nil {
			return err
		}
	}
	return t.flush()
}

// add adds a row.
func (t *Table) add(values []string) error {
	if t.widths != nil {
		t.appendRow(values)
		if len(t.line) >= flushBytes {
			return t.flush()
		}
		return nil
	}
	if t.rows = append(t.rows, values); len(t.rows) == measured {
		t.begin()
	}
	return nil
}

// begin chooses the widths and writes what was held back.
func (t *Table) begin() {
	t.widths = make([]int, len(t.names))
	for _, values := range append([][]string{t.names}, t.rows...) {
		for i, value := range values {
			t.widths[i] = max(t.widths[i], utf8.RuneCountInString(value))
		}
	}
	t.appendRow(t.names)
	for i, width := range t.widths {
		if i > 0 {
			t.line = append(t.line, "  "...)
		}
		t.line = append(t.line, strings.Repeat("-", width)...)
	}
	t.line = append(t.line, '\n')
	for _, values := range t.rows {
		t.appendRow(values)
	}
	t.rows = nil
}

// appendRow appends a line.
func (t *Table) appendRow(values []string) {
	for i, value := range values {
		if i > 0 {
			t.line = append(t.line, "  "...)
		}
		padding := strings.Repeat(" ", max(0, t.widths[i]-utf8.RuneCountInString(value)))
		switch {
		case t.right[i]:
			t.line = append(append(t.line, padding...), value...)
		case i == len(values)-1:
			t.line = append(t.line, value...)
		default:
			t.line = append(append(t.line, value...), padding...)
		}
	}
	t.line = append(t.line, '\n')
}

// clean makes a value fit into a place of a table: without control characters, and cut if it is long.
func clean(value string) string {
	value = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, value)
	if utf8.RuneCountInString(value) <= maxWidth {
		return value
	}
	return string([]rune(value)[:maxWidth-1]) + "…"
}

func (t *Table) flush() error {
	_, err := t.out.Write(t.line)
	t.line = t.line[:0]
	return err
}

// Close writes what is still held back. It does not close what is written to.
func (t *Table) Close() error {
	if t.widths == nil {
		t.begin()
	}
	return t.flush()
}
