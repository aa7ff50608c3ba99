package validity

import (
	"fmt"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// FieldsColumn is the name of the column in which a row says which of its columns were supplied.
const FieldsColumn = "_VALIDITY_FIELDS"

// Writer makes complete rows of a table out of rows that have some of its columns, and fills the validity column
// (docs/semantics.md, "Supplied columns").
//
//	table      _VALIDITY_FIELDS, k, a, b default 7, c
//	supplied   b, k
//	           NULL  1
//	complete   {1, 3}  1  NULL  7  NULL
//
// A column that is not supplied has its default, or NULL, and no bit. NULL in a column that is supplied stays NULL, or becomes
// its default, and has a bit. A Writer serves one goroutine.
type Writer struct {
	schema   *arrow.Schema
	own      int // the place of the validity column
	defaults []*Default
	mem      memory.Allocator
	encoder  *Encoder
	numbers  []uint32
}

// NewWriter makes a writer of a table, whose schema has the value columns in table order. It must have the validity column
// once, as a nullable column of binary values, at any place; positions count all columns, that one too. Memory of the records
// comes from mem.
func NewWriter(table *arrow.Schema, mem memory.Allocator) (*Writer, error) {
	w := &Writer{schema: table, own: -1, mem: mem, encoder: NewEncoder(table.NumFields())}
	for i, field := range table.Fields() {
		if len(table.FieldIndices(field.Name)) > 1 {
			return nil, fmt.Errorf("%w: column %q is there twice", ErrSchema, field.Name)
		}
		if field.Name == FieldsColumn {
			w.own = i
			w.defaults = append(w.defaults, nil)
			continue
		}
		d, err := DefaultOf(field)
		if err != nil {
			return nil, err
		}
		w.defaults = append(w.defaults, d)
	}
	return w, w.checkOwn()
}

func (w *Writer) checkOwn() error {
	if w.own < 0 {
		return fmt.Errorf("%w: the table has no column %s", ErrSchema, FieldsColumn)
	}
	field := w.schema.Field(w.own)
	switch field.Type.ID() {
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW:
		if field.Nullable {
			return nil
		}
		return fmt.Errorf("%w: column %s is NOT NULL", ErrSchema, FieldsColumn)
	}
	return fmt.Errorf("%w: column %s is %s, not binary", ErrSchema, FieldsColumn, field.Type)
}

// Schema returns the schema of the records, that of the table.
func (w *Writer) Schema() *arrow.Schema { return w.schema }

// Write makes complete rows of a record whose columns, found by name, are all supplied in every row. The caller releases the
// result.
//
// A column that the table does not have in that type, or the validity column itself, is ErrSchema. NULL in a column that is
// NOT NULL is a *Fault that matches ErrNotNull, also if the column has a default.
func (w *Writer) Write(rec arrow.Record) (arrow.Record, error) {
	s, err := w.supply(rec)
	if err != nil {
		return nil, err
	}
	for _, i := range s.places {
		s.masks[i] = s.all
	}
	return w.complete(rec, s)
}

// WriteRows is Write where rows supply different columns. matrix has boolean columns with names of columns of the record and
// says which rows supply them: NULL is false, and a column that it lacks is supplied in every row. What the record has where
// a column is not supplied does not matter.
func (w *Writer) WriteRows(rec, matrix arrow.Record) (arrow.Record, error) {
	s, err := w.supply(rec)
	if err != nil {
		return nil, err
	}
	if matrix.NumRows() != rec.NumRows() {
		return nil, fmt.Errorf("%w: a matrix of %d rows for %d rows", ErrSchema, matrix.NumRows(), rec.NumRows())
	}
	for _, i := range s.places {
		s.masks[i] = s.all
	}
	for c, field := range matrix.Schema().Fields() {
		column, ok := matrix.Column(c).(*array.Boolean)
		if !ok || len(rec.Schema().FieldIndices(field.Name)) == 0 {
			return nil, fmt.Errorf("%w: matrix column %q of type %s is no boolean column named as a column of the record",
				ErrSchema, field.Name, field.Type)
		}
		mask := make([]uint64, Words(column.Len()))
		for row := range column.Len() {
			if column.IsValid(row) && column.Value(row) {
				Set(mask, row)
			}
		}
		s.masks[w.schema.FieldIndices(field.Name)[0]] = mask
	}
	return w.complete(rec, s)
}

// WriteActions is Write where every row comes from one of several actions, as those of the WHEN clauses of a MERGE: actions[i]
// names the columns of the record that an action supplies, and matched has the action of every row. A row with no such action
// is a *Fault that matches ErrSchema.
func (w *Writer) WriteActions(rec arrow.Record, actions [][]string, matched []int) (arrow.Record, error) {
	s, err := w.supply(rec)
	if err != nil {
		return nil, err
	}
	if int64(len(matched)) != rec.NumRows() {
		return nil, fmt.Errorf("%w: actions of %d rows for %d rows", ErrSchema, len(matched), rec.NumRows())
	}
	for _, i := range s.places {
		s.masks[i] = make([]uint64, Words(len(matched)))
	}
	places := make([][]int, len(actions))
	for a, names := range actions {
		for _, name := range names {
			if len(rec.Schema().FieldIndices(name)) == 0 {
				return nil, fmt.Errorf("%w: action %d supplies column %q, which the record lacks", ErrSchema, a, name)
			}
			places[a] = append(places[a], w.schema.FieldIndices(name)[0])
		}
	}
	for row, action := range matched {
		if action < 0 || action >= len(actions) {
			return nil, &Fault{Row: row, Err: fmt.Errorf("%w: it has action %d of %d", ErrSchema, action, len(actions))}
		}
		for _, i := range places[action] {
			Set(s.masks[i], row)
		}
	}
	return w.complete(rec, s)
}

// supplied says which columns rows supply.
type supplied struct {
	places []int      // in the table, by column of the record
	masks  [][]uint64 // by place; nil for a column that the record lacks
	all    []uint64   // the mask of all rows
}

// supply finds the columns of a record in the table.
func (w *Writer) supply(rec arrow.Record) (supplied, error) {
	rows := int(rec.NumRows())
	s := supplied{masks: make([][]uint64, w.schema.NumFields()), all: make([]uint64, Words(rows))}
	Fill(s.all, rows)
	for _, field := range rec.Schema().Fields() {
		at := w.schema.FieldIndices(field.Name)
		switch {
		case len(at) == 0:
			return s, fmt.Errorf("%w: the table has no column %q", ErrSchema, field.Name)
		case at[0] == w.own:
			return s, fmt.Errorf("%w: column %s is filled by the writer", ErrSchema, FieldsColumn)
		case len(rec.Schema().FieldIndices(field.Name)) > 1:
			return s, fmt.Errorf("%w: the record has column %q twice", ErrSchema, field.Name)
		case !arrow.TypeEqual(field.Type, w.schema.Field(at[0]).Type):
			return s, fmt.Errorf("%w: column %q is %s, not %s", ErrSchema, field.Name, field.Type, w.schema.Field(at[0]).Type)
		}
		s.places = append(s.places, at[0])
	}
	return s, nil
}

// complete makes the record.
func (w *Writer) complete(rec arrow.Record, s supplied) (arrow.Record, error) {
	columns := make([]arrow.Array, w.schema.NumFields())
	defer func() {
		for _, c := range columns {
			if c != nil {
				c.Release()
			}
		}
	}()
	var err error
	for c, i := range s.places {
		if columns[i], err = w.column(rec.Column(c), i, s.masks[i]); err != nil {
			return nil, err
		}
	}
	for i, field := range w.schema.Fields() {
		switch {
		case i == w.own:
			columns[i], err = w.fields(s.masks, int(rec.NumRows()))
		case columns[i] == nil:
			columns[i], err = w.missing(field, i, int(rec.NumRows()))
		}
		if err != nil {
			return nil, err
		}
	}
	return array.NewRecord(w.schema, columns, rec.NumRows()), nil
}

// column makes a column that is supplied in the rows of a mask.
func (w *Writer) column(column arrow.Array, place int, mask []uint64) (arrow.Array, error) {
	field := w.schema.Field(place)
	if !field.Nullable {
		if row := nullIn(column, mask); row >= 0 {
			return nil, &Fault{Row: row, Column: field.Name, Err: ErrNotNull}
		}
	}
	blanked, err := blank(column, mask, w.mem)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", field.Name, err)
	}
	if w.defaults[place] == nil {
		return blanked, nil
	}
	defer blanked.Release()
	return w.defaults[place].Fill(blanked, w.mem)
}

// missing makes a column that is supplied in no row.
func (w *Writer) missing(field arrow.Field, place, rows int) (arrow.Array, error) {
	b := array.NewBuilder(w.mem, field.Type)
	defer b.Release()
	b.AppendNulls(rows)
	nulls := b.NewArray()
	if w.defaults[place] == nil {
		return nulls, nil
	}
	defer nulls.Release()
	return w.defaults[place].Fill(nulls, w.mem)
}

// fields makes the validity column.
func (w *Writer) fields(masks [][]uint64, rows int) (arrow.Array, error) {
	if cap(w.numbers) < rows {
		w.numbers = make([]uint32, rows)
	}
	numbers := w.numbers[:rows]
	w.encoder.Begin()
	w.encoder.Number(numbers, masks)
	switch t := w.schema.Field(w.own).Type; t.ID() {
	case arrow.BINARY:
		return binaryOf[int32](w.encoder, t, numbers, w.mem)
	case arrow.LARGE_BINARY:
		return binaryOf[int64](w.encoder, t, numbers, w.mem)
	default:
		b := array.NewBinaryViewBuilder(w.mem)
		defer b.Release()
		for _, n := range numbers {
			b.Append(w.encoder.Value(n))
		}
		return b.NewArray(), nil
	}
}

func binaryOf[O int32 | int64](e *Encoder, t arrow.DataType, numbers []uint32, mem memory.Allocator) (arrow.Array, error) {
	offsets := newBuffer(mem, (len(numbers)+1)*int(unsafe.Sizeof(O(0))))
	size, err := Place(e, numbersOf[O](offsets.Bytes()), numbers)
	if err != nil {
		offsets.Release()
		return nil, err
	}
	values := newBuffer(mem, int(size))
	e.Put(values.Bytes(), numbers)
	data := filled(t, len(numbers), offsets, values)
	defer data.Release()
	return array.MakeFromData(data), nil
}
