package fuzz

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// RunSchema is the schema of a run of a table as files store it: key columns, sequence number, row kind, value columns.
func RunSchema(table *arrow.Schema, key []string) *arrow.Schema {
	var fields []arrow.Field
	for _, name := range key {
		if at := table.FieldIndices(name); len(at) > 0 {
			f := table.Field(at[0])
			fields = append(fields, arrow.Field{Name: "_KEY_" + name, Type: f.Type, Nullable: f.Nullable})
		}
	}
	fields = append(fields,
		arrow.Field{Name: "_SEQUENCE_NUMBER", Type: arrow.PrimitiveTypes.Int64},
		arrow.Field{Name: "_VALUE_KIND", Type: arrow.PrimitiveTypes.Int8})
	return arrow.NewSchema(append(fields, table.Fields()...), nil)
}

// BuildRecord builds a record of a run: the key columns, sequence numbers and kinds that the schema has, and the values of
// the rows in its other columns. The caller releases it.
func BuildRecord(mem memory.Allocator, schema *arrow.Schema, rows []rowmerge.Row) (arrow.Record, error) {
	b := array.NewRecordBuilder(mem, schema)
	defer b.Release()
	for i, cell := range cellsOf(schema) {
		for r := range rows {
			v, ok := cell(&rows[r])
			if !ok {
				return nil, fmt.Errorf("a row has no value for %s", schema.Field(i).Name)
			}
			if err := appendValue(b.Field(i), v); err != nil {
				return nil, fmt.Errorf("%s: %w", schema.Field(i).Name, err)
			}
		}
	}
	return b.NewRecord(), nil
}

// cellsOf gives for each field of a schema the cell that a row has for it; ok is false where the row is too short.
func cellsOf(schema *arrow.Schema) []func(*rowmerge.Row) (v any, ok bool) {
	var cells []func(*rowmerge.Row) (any, bool)
	keys, values := 0, 0
	nth := func(of []any, n int) (any, bool) {
		if n >= len(of) {
			return nil, false
		}
		return of[n], true
	}
	for _, f := range schema.Fields() {
		switch {
		case f.Name == "_SEQUENCE_NUMBER":
			cells = append(cells, func(row *rowmerge.Row) (any, bool) { return row.Sequence, true })
		case f.Name == "_VALUE_KIND":
			cells = append(cells, func(row *rowmerge.Row) (any, bool) { return row.Kind, true })
		case strings.HasPrefix(f.Name, "_KEY_"):
			n := keys
			keys++
			cells = append(cells, func(row *rowmerge.Row) (any, bool) { return nth(row.Key, n) })
		default:
			n := values
			values++
			cells = append(cells, func(row *rowmerge.Row) (any, bool) { return nth(row.Values, n) })
		}
	}
	return cells
}

// appendValue appends a value to a builder of its type.
func appendValue(b array.Builder, v any) error {
	if v == nil {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.MapBuilder:
		m, ok := v.(rowmerge.Map)
		if !ok {
			return mismatch(b, v)
		}
		b.Append(true)
		for _, e := range m {
			if err := appendEntry(b, e); err != nil {
				return err
			}
		}
		return nil
	case *array.StructBuilder:
		row, ok := v.(rowmerge.Struct)
		if !ok || len(row) != b.NumField() {
			return mismatch(b, v)
		}
		b.Append(true)
		for i, e := range row {
			if err := appendValue(b.FieldBuilder(i), e); err != nil {
				return err
			}
		}
		return nil
	case array.ListLikeBuilder:
		list, ok := v.(rowmerge.List)
		if !ok {
			return mismatch(b, v)
		}
		b.Append(true)
		return appendAll(b.ValueBuilder(), list)
	}
	return appendScalar(b, v)
}

func mismatch(b array.Builder, v any) error { return fmt.Errorf("a %T in a column of %s", v, b.Type()) }

func appendAll(b array.Builder, list []any) error {
	for _, v := range list {
		if err := appendValue(b, v); err != nil {
			return err
		}
	}
	return nil
}

func appendEntry(b *array.MapBuilder, e rowmerge.Entry) error {
	if e.Key == nil {
		return fmt.Errorf("NULL as a map key")
	}
	if err := appendValue(b.KeyBuilder(), e.Key); err != nil {
		return err
	}
	return appendValue(b.ItemBuilder(), e.Value)
}

func appendScalar(b array.Builder, v any) error {
	ok := false
	switch b := b.(type) {
	case *array.BooleanBuilder:
		ok = appendTyped(b, v)
	case *array.Int8Builder:
		ok = appendTyped(b, v)
	case *array.Int16Builder:
		ok = appendTyped(b, v)
	case *array.Int32Builder:
		ok = appendTyped(b, v)
	case *array.Int64Builder:
		ok = appendTyped(b, v)
	case *array.Uint8Builder:
		ok = appendTyped(b, v)
	case *array.Uint16Builder:
		ok = appendTyped(b, v)
	case *array.Uint32Builder:
		ok = appendTyped(b, v)
	case *array.Uint64Builder:
		ok = appendTyped(b, v)
	case *array.Float32Builder:
		ok = appendTyped(b, v)
	case *array.Float64Builder:
		ok = appendTyped(b, v)
	case *array.StringBuilder:
		ok = appendTyped(b, v)
	case *array.LargeStringBuilder:
		ok = appendTyped(b, v)
	case *array.BinaryBuilder: // of both widths of offsets
		ok = appendTyped(b, v)
	case *array.FixedSizeBinaryBuilder:
		ok = appendTyped(b, v)
	case *array.Date32Builder:
		ok = appendTyped(b, v)
	case *array.Date64Builder:
		ok = appendTyped(b, v)
	case *array.Time32Builder:
		ok = appendTyped(b, v)
	case *array.Time64Builder:
		ok = appendTyped(b, v)
	case *array.TimestampBuilder:
		ok = appendTyped(b, v)
	case *array.Decimal128Builder:
		ok = appendTyped(b, v)
	case *array.Decimal256Builder:
		ok = appendTyped(b, v)
	}
	if !ok {
		return mismatch(b, v)
	}
	return nil
}

// appendTyped appends v if it is a T.
func appendTyped[T any](b interface{ Append(T) }, v any) bool {
	t, ok := v.(T)
	if ok {
		b.Append(t)
	}
	return ok
}
