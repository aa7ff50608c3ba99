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

func (in *inputs) views() int { return len(in.keys) + len(in.values) }

// binding says where a file has the columns of inputs: indices into its records, -1 for none.
type binding struct {
	columns  []int // keys, then values
	sequence int
	kind     int
}

// bind finds the columns in the schema of a file.
func (in *inputs) bind(f *File, s *arrow.Schema) (binding, error) {
	b := binding{columns: make([]int, 0, in.views())}
	var err error
	if b.sequence, err = find(s, SequenceColumn, arrow.PrimitiveTypes.Int64); err != nil {
		return b, err
	}
	if b.kind, err = find(s, KindColumn, arrow.PrimitiveTypes.Int8); err != nil {
		return b, err
	}
	for _, key := range in.keys {
		at, err := find(s, KeyPrefix+key.name, key.typ)
		if err == nil && at < 0 {
			at, err = find(s, key.name, key.typ)
		}
		if err != nil {
			return b, err
		}
		if at < 0 {
			return b, fmt.Errorf("%w: key column %q is missing", ErrSchema, key.name)
		}
		b.columns = append(b.columns, at)
	}
	for _, value := range in.values {
		at, err := find(s, value.name, value.typ)
		if err != nil {
			return b, err
		}
		if at < 0 && !(value.kindOnly && b.kind >= 0) {
			return b, fmt.Errorf("%w: column %q is missing", ErrSchema, value.name)
		}
		b.columns = append(b.columns, at)
	}
	return b, in.agree(f.Sequence != nil || b.sequence >= 0)
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

// batch is a record in hand, seen through the views of its columns.
type batch struct {
	rec     arrow.Record // retained
	binding *binding
	file    *File
	number  int // among the batches of its run
	rows    int
	bytes   int64
	views   []columnar.View // keys, then values
	seq     columnar.View   // of the stored sequence numbers, if the file has them and they count
	kinds   []int8          // row kinds; nil when every row is +I
	parsed  []int8          // kinds made of text, kept for reuse
}

// keyViews are the views of the key columns.
func (b *batch) keyViews(in *inputs) []columnar.View { return b.views[:len(in.keys)] }

// look makes the views of a record. The batch retains the record.
func (b *batch) look(rec arrow.Record, in *inputs) error {
	rec.Retain()
	b.rec, b.rows, b.bytes, b.kinds = rec, int(rec.NumRows()), 0, nil
	if cap(b.views) < in.views() {
		b.views = make([]columnar.View, in.views())
	}
	b.views = b.views[:in.views()]
	for i, col := range b.binding.columns {
		if col < 0 {
			continue
		}
		v, err := b.view(col)
		if err != nil {
			return err
		}
		b.views[i] = v
		if i >= len(in.keys) {
			b.bytes += v.Bytes()
		} else if v.Nulls > 0 && !in.nullKeys {
			return b.blame(firstNull(&v), in.keys[i].name, fmt.Errorf("%w: it is a key column, and primary-key.nullable is not set", ErrNotNull))
		}
	}
	return b.lookSystem(in)
}

func (b *batch) view(col int) (columnar.View, error) {
	data := b.rec.Column(col).Data()
	v, err := columnar.NewView(data)
	if err != nil {
		return v, b.blame(-1, b.rec.ColumnName(col), err)
	}
	if v.Rows != b.rows {
		return v, b.blame(-1, b.rec.ColumnName(col), fmt.Errorf("%w: %d rows in a batch of %d", ErrCorrupt, v.Rows, b.rows))
	}
	return v, nil
}

// lookSystem sees sequence numbers and row kinds.
func (b *batch) lookSystem(in *inputs) error {
	if b.file.Sequence == nil && b.binding.sequence >= 0 {
		v, err := b.view(b.binding.sequence)
		if err != nil {
			return err
		}
		if v.Nulls > 0 {
			return b.blame(firstNull(&v), SequenceColumn, ErrNotNull)
		}
		b.seq = v
	}
	if b.binding.kind >= 0 {
		v, err := b.view(b.binding.kind)
		if err != nil {
			return err
		}
		if v.Nulls > 0 {
			return b.blame(firstNull(&v), KindColumn, fmt.Errorf("%w: NULL", ErrRowKind))
		}
		b.kinds = columnar.Fixed[int8](&v)
		if row := badKind(b.kinds); row >= 0 {
			return b.blame(row, KindColumn, fmt.Errorf("%w: %d is none of 0 (+I), 1 (-U), 2 (+U), 3 (-D)", ErrRowKind, b.kinds[row]))
		}
		return nil
	}
	if in.kindCol >= 0 {
		return b.parseKinds(&b.views[len(in.keys)+in.kindCol], in.values[in.kindCol].name)
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

// release gives the record back and keeps the batch's own memory for the next one.
func (b *batch) release() {
	if b.rec != nil {
		b.rec.Release()
		b.rec = nil
	}
	clear(b.views)
	b.seq, b.kinds = columnar.View{}, nil
}

// blame makes an error about a row of the batch; the run is filled in by the cursor.
func (b *batch) blame(row int, column string, err error) *RowError {
	return &RowError{Batch: b.number, Row: row, File: b.file.Name, Column: column, Err: err}
}
