package text

import (
	"io"

	"github.com/apache/arrow/go/v17/arrow"
)

// flushBytes is how much text is gathered before it is written.
const flushBytes = 64 << 10

// JSONLines writes every row as a JSON object on a line of its own, with the columns in order.
type JSONLines struct {
	out   io.Writer
	names []string
	line  []byte
}

// NewJSONLines makes a writer of batches of the schema.
func NewJSONLines(out io.Writer, schema *arrow.Schema) *JSONLines {
	return &JSONLines{out: out, names: fieldNames(schema.Fields())}
}

// Write writes the rows of a batch.
func (w *JSONLines) Write(record arrow.Record) error {
	cells := make([]cell, record.NumCols())
	for i, column := range record.Columns() {
		cells[i] = newCell(column, jsonText)
		if column.NullN() > 0 {
			cells[i] = nullableCell(column, cells[i])
		}
	}
	for row := range int(record.NumRows()) {
		w.line = append(w.line, '{')
		for i, value := range cells {
			w.line = value(append(w.line, w.names[i]...), row)
		}
		w.line = append(w.line, '}', '\n')
		if len(w.line) >= flushBytes {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return w.flush()
}

func (w *JSONLines) flush() error {
	_, err := w.out.Write(w.line)
	w.line = w.line[:0]
	return err
}

// Close ends the text. It does not close what is written to.
func (w *JSONLines) Close() error { return nil }
