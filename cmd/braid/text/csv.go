package text

import (
	"bytes"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
)

// CSV writes a line of column names and then a line for every row, with commas between the values (RFC 4180, but with a
// newline at the end of a line). NULL is nothing at all; an empty string is "".
type CSV struct {
	out  io.Writer
	line []byte
}

// NewCSV makes a writer of batches of the schema.
func NewCSV(out io.Writer, schema *arrow.Schema) *CSV {
	w := &CSV{out: out}
	for i, field := range schema.Fields() {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		start := len(w.line)
		w.line = quoteCSV(append(w.line, field.Name...), start)
	}
	w.line = append(w.line, '\n')
	return w
}

// Write writes the rows of a batch.
func (w *CSV) Write(record arrow.Record) error {
	cells := make([]cell, record.NumCols())
	for i, column := range record.Columns() {
		cells[i] = newCell(column, plainText)
	}
	for row := range int(record.NumRows()) {
		for i, column := range record.Columns() {
			if i > 0 {
				w.line = append(w.line, ',')
			}
			if isNull(column, row) {
				continue
			}
			start := len(w.line)
			w.line = quoteCSV(cells[i](w.line, row), start)
		}
		w.line = append(w.line, '\n')
		if len(w.line) >= flushBytes {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return w.flush()
}

// quoteCSV puts the value that begins at start into quotes if it needs them.
func quoteCSV(line []byte, start int) []byte {
	value := line[start:]
	if len(value) > 0 && !bytes.ContainsAny(value, ",\"\r\n") && value[0] != ' ' && value[len(value)-1] != ' ' {
		return line
	}
	value = bytes.ReplaceAll(value, []byte{'"'}, []byte(`""`))
	return append(append(append(line[:start], '"'), value...), '"')
}

func (w *CSV) flush() error {
	_, err := w.out.Write(w.line)
	w.line = w.line[:0]
	return err
}

// Close writes the column names if there was no batch. It does not close what is written to.
func (w *CSV) Close() error { return w.flush() }
