package kernel

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/columnar"
)

// batch is rows in hand: those of an input record, or the part of them that a deletion vector leaves.
type batch struct {
	data    []arrow.ArrayData // keys, values, sequence numbers, row kinds; retained; nil for what the file lacks
	views   []columnar.View   // of data
	binding *binding
	file    *File
	number  int // among the batches of its run, as the file gives them
	rows    int
	bytes   int64
	widest  int64    // bytes that are staged of the column that has the most
	first   int      // row 0 is this row of the record,
	kept    []uint32 // unless these are the rows of the record that are left
	kinds   []int8   // row kinds; nil when every row is +I
	parsed  []int8   // kinds made of text, kept for reuse
}

// keyViews are the views of the key columns.
func (b *batch) keyViews(in *inputs) []columnar.View { return b.views[:len(in.keys)] }

// numberView is the view of the stored sequence numbers.
func (b *batch) numberView(in *inputs) *columnar.View { return &b.views[in.sequenceAt()] }

// look takes the rows of a part of a record and makes the views of its columns.
func (b *batch) look(rec arrow.Record, p part, in *inputs, scratch *columnar.Staged) error {
	b.rows, b.bytes, b.widest, b.kinds, b.first, b.kept = p.rows(), 0, 0, nil, p.from, p.kept
	n := in.kindAt() + 1
	b.data = append(b.data[:0], make([]arrow.ArrayData, n)...)
	b.views = append(b.views[:0], make([]columnar.View, n)...)
	for i, col := range b.binding.columns {
		if !col.there() || i == in.sequenceAt() && b.file.Sequence != nil {
			continue
		}
		if err := b.column(rec, i, p, in, scratch); err != nil {
			return &RowError{Batch: b.number, Row: -1, File: b.file.Name, Column: col.name, Err: err}
		}
		v := &b.views[i]
		if i >= len(in.keys) || !b.shared(i, in) {
			bytes := v.Bytes()
			b.bytes += bytes
			if input := in.at(i); input != nil && input.views != nil {
				bytes = viewBytes * int64(v.Rows)
			}
			b.widest = max(b.widest, bytes)
		}
		if i < len(in.keys) && v.Nulls > 0 && !in.nullKeys {
			return b.blame(firstNull(v), in.keys[i].name, fmt.Errorf("%w: it is a key column, and primary-key.nullable is not set", ErrNotNull))
		}
	}
	return b.lookSystem(in)
}

// shared says whether a key column is the same column of the file as a value column.
func (b *batch) shared(key int, in *inputs) bool {
	for i := len(in.keys); i < in.sequenceAt(); i++ {
		if c := b.binding.columns[i]; c.mapped == nil && c.source == b.binding.columns[key].source {
			return true
		}
	}
	return false
}

// column takes one column of the part, at a place among the views.
func (b *batch) column(rec arrow.Record, place int, p part, in *inputs, scratch *columnar.Staged) error {
	data, err := b.binding.columns[place].take(rec, in.mem)
	if err != nil {
		return err
	}
	if input := in.at(place); input != nil && !input.encoding.Identity() {
		loaded, err := input.load(data)
		data.Release()
		if err != nil {
			return err
		}
		data = loaded
	}
	b.data[place], err = p.take(data, scratch)
	data.Release()
	if err != nil {
		return err
	}
	if input := in.at(place); input == nil || input.compared {
		b.views[place], err = columnar.NewView(b.data[place])
	} else {
		b.views[place], err = columnar.NewStagedView(b.data[place])
	}
	return err
}

// lookSystem checks sequence numbers and sees row kinds.
func (b *batch) lookSystem(in *inputs) error {
	if v := b.numberView(in); v.Nulls > 0 {
		return b.blame(firstNull(v), SequenceColumn, ErrNotNull)
	}
	if b.data[in.kindAt()] == nil {
		if in.kindCol >= 0 {
			return b.parseKinds(&b.views[len(in.keys)+in.kindCol], in.values[in.kindCol].name)
		}
		return nil
	}
	v := &b.views[in.kindAt()]
	if v.Nulls > 0 {
		return b.blame(firstNull(v), KindColumn, fmt.Errorf("%w: NULL", ErrRowKind))
	}
	b.kinds = columnar.Fixed[int8](v)
	if row := badKind(b.kinds); row >= 0 {
		return b.blame(row, KindColumn, fmt.Errorf("%w: %d is none of 0 (+I), 1 (-U), 2 (+U), 3 (-D)", ErrRowKind, b.kinds[row]))
	}
	return nil
}

func firstNull(v *columnar.View) int {
	for row := range v.Rows {
		if v.IsNull(row) {
			return row
		}
	}
	return -1
}

// release gives the rows back and keeps the batch's own memory for the next ones.
func (b *batch) release() {
	for i, d := range b.data {
		if d != nil {
			d.Release()
		}
		b.data[i] = nil
	}
	clear(b.views)
	b.kinds, b.kept = nil, nil
}

// blame makes an error about a row of the batch; the run is filled in by the cursor.
func (b *batch) blame(row int, column string, err error) *RowError {
	if row >= 0 && b.kept != nil {
		row = int(b.kept[row])
	} else if row >= 0 {
		row += b.first
	}
	return &RowError{Batch: b.number, Row: row, File: b.file.Name, Column: column, Err: err}
}
