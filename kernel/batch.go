package kernel

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/columnar"
)

// inputs says which columns a merge reads of every batch, and where their views stand in a batch.
type inputs struct {
	keys    []input // the key columns, in key order: _KEY_ columns where a file has them, else value columns
	values  []input // the value columns that the output or the merge needs
	kindCol int     // rowkind.field as an index of values, or -1

	nullKeys bool // keys may be NULL

	opened    bool // a file has been opened,
	sequenced bool // and has sequence numbers: then all must
}

type input struct {
	name string
	typ  arrow.DataType
	col  int // the column of the plan

	kindOnly bool // read for the row kind alone: files with a kind column need not have it
}

// sequenceAt and kindAt are the places of the sequence numbers and the row kinds behind the keys and the values.
func (in *inputs) sequenceAt() int { return len(in.keys) + len(in.values) }
func (in *inputs) kindAt() int     { return in.sequenceAt() + 1 }

// binding says where a file has the columns of inputs: indices into its records, -1 for none.
type binding struct {
	columns []int // keys, values, sequence numbers, row kinds
}

// bind finds the columns in the schema of a file.
func (in *inputs) bind(f *File, s *arrow.Schema) (binding, error) {
	sequence, err := find(s, SequenceColumn, arrow.PrimitiveTypes.Int64)
	if err != nil {
		return binding{}, err
	}
	kind, err := find(s, KindColumn, arrow.PrimitiveTypes.Int8)
	if err != nil {
		return binding{}, err
	}
	b := binding{columns: make([]int, 0, in.kindAt()+1)}
	for _, key := range in.keys {
		at, err := findKey(s, key)
		if err != nil {
			return b, err
		}
		b.columns = append(b.columns, at)
	}
	for _, value := range in.values {
		at, err := find(s, value.name, value.typ)
		if err != nil {
			return b, err
		}
		if at < 0 && !(value.kindOnly && kind >= 0) {
			return b, fmt.Errorf("%w: column %q is missing", ErrSchema, value.name)
		}
		b.columns = append(b.columns, at)
	}
	b.columns = append(b.columns, sequence, kind)
	return b, in.agree(f.Sequence != nil || sequence >= 0)
}

// findKey returns the index of a key column, which is called as in the table or has the prefix of key columns.
func findKey(s *arrow.Schema, key input) (int, error) {
	at, err := find(s, KeyPrefix+key.name, key.typ)
	if err == nil && at < 0 {
		at, err = find(s, key.name, key.typ)
	}
	if err == nil && at < 0 {
		err = fmt.Errorf("%w: key column %q is missing", ErrSchema, key.name)
	}
	return at, err
}

// agree holds that either every file has sequence numbers or none: versions could not be put in one order otherwise.
func (in *inputs) agree(sequenced bool) error {
	if in.opened && in.sequenced != sequenced {
		return fmt.Errorf("%w: some files have sequence numbers (column %q) and some have none", ErrSchema, SequenceColumn)
	}
	in.opened, in.sequenced = true, sequenced
	return nil
}

// find returns the index of a column, or -1.
func find(s *arrow.Schema, name string, want arrow.DataType) (int, error) {
	at := s.FieldIndices(name)
	if len(at) == 0 {
		return -1, nil
	}
	if len(at) > 1 {
		return 0, fmt.Errorf("%w: column %q is there %d times", ErrSchema, name, len(at))
	}
	if got := s.Field(at[0]).Type; !arrow.TypeEqual(got, want) {
		return 0, fmt.Errorf("%w: column %q has type %s, the table has %s", ErrSchema, name, got, want)
	}
	return at[0], nil
}

// batch is rows in hand: those of an input record, or the part of them that a deletion vector leaves.
type batch struct {
	data    []arrow.ArrayData // keys, values, sequence numbers, row kinds; retained; nil for what the file lacks
	views   []columnar.View   // of data
	binding *binding
	file    *File
	number  int // among the batches of its run, as the file gives them
	rows    int
	bytes   int64
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
	b.rows, b.bytes, b.kinds, b.first, b.kept = p.rows(), 0, nil, p.from, p.kept
	n := in.kindAt() + 1
	b.data = append(b.data[:0], make([]arrow.ArrayData, n)...)
	b.views = append(b.views[:0], make([]columnar.View, n)...)
	for i, col := range b.binding.columns {
		if col < 0 || i == in.sequenceAt() && b.file.Sequence != nil {
			continue
		}
		if err := b.column(rec, i, col, p, scratch); err != nil {
			return err
		}
		v := &b.views[i]
		if i >= len(in.keys) && i < in.sequenceAt() {
			b.bytes += v.Bytes()
		} else if i < len(in.keys) && v.Nulls > 0 && !in.nullKeys {
			return b.blame(firstNull(v), in.keys[i].name, fmt.Errorf("%w: it is a key column, and primary-key.nullable is not set", ErrNotNull))
		}
	}
	return b.lookSystem(in)
}

// column takes one column of the part.
func (b *batch) column(rec arrow.Record, i, col int, p part, scratch *columnar.Staged) error {
	whole := rec.Column(col).Data()
	blame := func(err error) error {
		return &RowError{Batch: b.number, Row: -1, File: b.file.Name, Column: rec.ColumnName(col), Err: err}
	}
	if int64(whole.Len()) != rec.NumRows() {
		return blame(fmt.Errorf("%w: %d rows in a batch of %d", ErrCorrupt, whole.Len(), rec.NumRows()))
	}
	data, err := p.take(whole, scratch)
	if err != nil {
		return blame(err)
	}
	b.data[i] = data
	if b.views[i], err = columnar.NewView(data); err != nil {
		return blame(err)
	}
	return nil
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
