package kernel

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// written is a record that has been added: the columns of the table, filled, then sequence numbers and row kinds.
type written struct {
	rec  arrow.Record
	kept []uint32 // the rows that were not dropped
}

func (w written) rows() int { return len(w.kept) }

func (w written) release() { w.rec.Release() }

// prepare checks, fills, filters and numbers the rows of a record.
func (b *WriteBuffer) prepare(rec arrow.Record) (w written, err error) {
	columns := make([]arrow.Array, 0, len(b.rules)+2)
	defer func() { releaseAll(columns) }()
	bad := badRow{row: int(rec.NumRows())}
	for i, rule := range b.rules {
		column, err := b.find(rec, b.plan.columns[i].field)
		if err != nil {
			return w, err
		}
		filled, err := b.column(column, rule, i, &bad)
		if err != nil {
			return w, b.blame(rec, badRow{row: -1, column: b.plan.columns[i].field.Name, err: err})
		}
		columns = append(columns, filled)
	}
	kinds, err := b.kinds(rec, columns, &bad)
	if err != nil {
		return w, err
	}
	columns = append(columns, kinds)
	if bad.err != nil {
		return w, b.blame(rec, bad)
	}
	w.kept = b.keep(kinds.Int8Values())
	columns = append(columns, b.numbers(w.kept, int(rec.NumRows())))
	w.rec = array.NewRecord(b.schema(), columns, rec.NumRows())
	b.next += int64(len(w.kept))
	return w, nil
}

// schema is that of prepared records.
func (b *WriteBuffer) schema() *arrow.Schema {
	var fields []arrow.Field
	for _, c := range b.plan.columns {
		fields = append(fields, c.field)
	}
	return arrow.NewSchema(append(fields,
		arrow.Field{Name: KindColumn, Type: arrow.PrimitiveTypes.Int8},
		arrow.Field{Name: SequenceColumn, Type: arrow.PrimitiveTypes.Int64}), nil)
}

// badRow is the first row that is wrong. Where a row is wrong in more than one respect, what is found first counts.
type badRow struct {
	row    int
	column string
	err    error
}

func (r *badRow) note(row int, column string, err error) {
	if row < r.row {
		*r = badRow{row, column, err}
	}
}

// blame makes an error about a row that has not been added.
func (b *WriteBuffer) blame(rec arrow.Record, r badRow) error {
	e := &RowError{Batch: len(b.records), Row: r.row, Column: r.column, Err: r.err}
	if r.row < 0 {
		return e
	}
	if keys, err := b.keysOf(rec); err == nil {
		e.Key = keyText(keys.views, r.row)
		keys.release()
	}
	return e
}

// find returns a column of the table.
func (b *WriteBuffer) find(rec arrow.Record, field arrow.Field) (arrow.Array, error) {
	at, err := find(rec.Schema(), field.Name, field.Type)
	if err != nil {
		return nil, err
	}
	if at < 0 {
		return nil, fmt.Errorf("%w: column %q is missing", ErrSchema, field.Name)
	}
	column := rec.Column(at)
	if int64(column.Len()) != rec.NumRows() {
		return nil, fmt.Errorf("%w: column %q has %d rows in a batch of %d", ErrCorrupt, field.Name, column.Len(), rec.NumRows())
	}
	return column, nil
}

// column checks a column of the table and fills in its default. The caller releases it.
func (b *WriteBuffer) column(column arrow.Array, rule writeRule, place int, bad *badRow) (arrow.Array, error) {
	encoding := b.in.at(rule.place).encoding
	if encoding.Identity() || rule.notNull {
		plain, err := encoding.LoadKey(column.Data())
		if err != nil {
			return nil, err
		}
		defer plain.Release()
		view, err := columnar.NewView(plain)
		if err != nil {
			return nil, err
		}
		if rule.notNull && view.Nulls > 0 {
			bad.note(firstNull(&view), b.plan.columns[place].field.Name, ErrNotNull)
		}
	}
	if rule.fill != nil {
		return rule.fill.Fill(column, b.mem)
	}
	column.Retain()
	return column, nil
}

// kinds returns the row kinds of a record: by rowkind.field in the filled columns, or else by the kind column, or all +I.
func (b *WriteBuffer) kinds(rec arrow.Record, columns []arrow.Array, bad *badRow) (*array.Int8, error) {
	if b.plan.kind >= 0 {
		return b.kindsOf(columns[b.plan.kind], bad)
	}
	at, err := find(rec.Schema(), KindColumn, arrow.PrimitiveTypes.Int8)
	if err != nil {
		return nil, err
	}
	if at < 0 {
		return kinds(b.mem, int(rec.NumRows()), func(int) int8 { return kindInsert }).(*array.Int8), nil
	}
	column, err := b.find(rec, arrow.Field{Name: KindColumn, Type: arrow.PrimitiveTypes.Int8})
	if err != nil {
		return nil, err
	}
	view, err := columnar.NewView(column.Data())
	if err != nil {
		return nil, b.blame(rec, badRow{row: -1, column: KindColumn, err: err})
	}
	if view.Nulls > 0 {
		bad.note(firstNull(&view), KindColumn, fmt.Errorf("%w: NULL", ErrRowKind))
	}
	stored := columnar.Fixed[int8](&view)
	for row, kind := range stored {
		if !view.IsNull(row) && kind&^3 != 0 {
			bad.note(row, KindColumn, fmt.Errorf("%w: %d is none of 0 (+I), 1 (-U), 2 (+U), 3 (-D)", ErrRowKind, kind))
		}
	}
	return kinds(b.mem, view.Rows, func(row int) int8 { return stored[row] }).(*array.Int8), nil
}

// kindsOf reads row kinds from the text of rowkind.field.
func (b *WriteBuffer) kindsOf(column arrow.Array, bad *badRow) (*array.Int8, error) {
	input := &b.in.values[b.in.kindCol]
	loaded, err := input.encoding.LoadKey(column.Data())
	if err != nil {
		return nil, err
	}
	defer loaded.Release()
	view, err := columnar.NewView(loaded)
	if err != nil {
		return nil, err
	}
	return kinds(b.mem, view.Rows, func(row int) int8 {
		if view.IsNull(row) {
			bad.note(row, input.name, fmt.Errorf("%w: NULL", ErrRowKind))
			return kindInsert
		}
		kind, ok := parseKind(view.Text(row))
		if !ok {
			bad.note(row, input.name, fmt.Errorf("%w: %q is none of +I, -U, +U, -D", ErrRowKind, shorten(view.Text(row))))
		}
		return kind
	}).(*array.Int8), nil
}

// keep lists the rows that are not dropped by their kind.
func (b *WriteBuffer) keep(kinds []int8) []uint32 {
	o := &b.plan.options
	kept := make([]uint32, 0, len(kinds))
	for row, kind := range kinds {
		if o.IgnoreDelete && isRetract(kind) || o.IgnoreUpdateBefore && kind == kindUpdateBefore {
			continue
		}
		kept = append(kept, uint32(row))
	}
	return kept
}

// numbers gives the rows that are kept the next sequence numbers; those of the others mean nothing.
func (b *WriteBuffer) numbers(kept []uint32, rows int) arrow.Array {
	next := b.next
	return numbers(b.mem, rows, func(row int) int64 {
		number := next
		if i := int(next - b.next); i < len(kept) && int(kept[i]) == row {
			next++
		}
		return number
	})
}
