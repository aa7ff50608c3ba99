package main

import (
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/validity"
)

// suppliedCount counts the rows of a file by what they supplied.
type suppliedCount struct {
	column *suppliedColumn
	sets   map[string]bool
	report suppliedReport
	broken bool // something is wrong with the file; what reads it on says what
}

// newSuppliedCount counts what the column reads.
func newSuppliedCount(name string, column *suppliedColumn) *suppliedCount {
	c := &suppliedCount{column: column, sets: map[string]bool{}, report: suppliedReport{Name: name, Supplied: map[string]int64{}}}
	for _, place := range column.others() {
		c.report.columns = append(c.report.columns, column.columns[place])
	}
	return c
}

// add counts the batch that the column has at hand.
func (c *suppliedCount) add() {
	c.report.Rows += int64(len(c.column.numbers))
	counts := map[uint32]int64{}
	for _, n := range c.column.numbers {
		counts[n]++
	}
	c.report.Null += counts[0]
	delete(counts, 0)
	others := c.column.others()
	for n, rows := range counts {
		set := make([]byte, len(others))
		for i, place := range others {
			if c.column.decoder.Has(n, place) {
				set[i] = 1
				c.report.Supplied[c.column.columns[place]] += rows
			}
		}
		c.sets[string(set)] = true
	}
	c.report.Sets = len(c.sets)
}

// reader counts the rows of a reader as they pass.
func (c *suppliedCount) reader(r array.RecordReader) array.RecordReader { return countedReader{r, c} }

// countedReader is a reader whose rows are counted.
type countedReader struct {
	array.RecordReader
	count *suppliedCount
}

// Next reads a batch and counts its rows.
func (r countedReader) Next() bool {
	if !r.RecordReader.Next() {
		return false
	}
	at := r.Schema().FieldIndices(validity.FieldsColumn)
	if r.count.broken || len(at) != 1 {
		return true
	}
	if err := r.count.column.read(r.Record().Column(at[0])); err != nil {
		r.count.broken = true
		return true
	}
	r.count.add()
	return true
}
