package text

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// newNestedCell chooses for columns whose values hold, or stand for, other values; nil if it is none.
func newNestedCell(column arrow.Array, s style) cell {
	switch a := column.(type) {
	case *array.Dictionary:
		values := newCell(a.Dictionary(), s)
		if a.Dictionary().NullN() > 0 {
			values = nullableCell(a.Dictionary(), values)
		}
		return func(dst []byte, row int) []byte { return values(dst, a.GetValueIndex(row)) }
	case *array.RunEndEncoded:
		values := nullableCell(a.Values(), newCell(a.Values(), s))
		return func(dst []byte, row int) []byte { return values(dst, a.GetPhysicalIndex(row)) }
	case array.ListLike:
		values := nullableCell(a.ListValues(), newCell(a.ListValues(), jsonText))
		return func(dst []byte, row int) []byte {
			from, to := a.ValueOffsets(row)
			return appendList(dst, values, int(from), int(to))
		}
	case *array.Struct:
		return structCell(a)
	}
	return nil
}

// nullableCell adds NULL, as JSON has it, to the values of a column.
func nullableCell(column arrow.Array, values cell) cell {
	return func(dst []byte, row int) []byte {
		if column.IsNull(row) {
			return append(dst, "null"...)
		}
		return values(dst, row)
	}
}

func appendList(dst []byte, values cell, from, to int) []byte {
	dst = append(dst, '[')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = values(dst, i)
	}
	return append(dst, ']')
}

// structCell shows structs as objects, with their fields in order.
func structCell(a *array.Struct) cell {
	names := fieldNames(a.DataType().(*arrow.StructType).Fields())
	cells := make([]cell, a.NumField())
	for i := range cells {
		cells[i] = nullableCell(a.Field(i), newCell(a.Field(i), jsonText))
	}
	return func(dst []byte, row int) []byte {
		dst = append(dst, '{')
		for i, values := range cells {
			dst = values(append(dst, names[i]...), row)
		}
		return append(dst, '}')
	}
}

// fieldNames returns the names as they stand before the values of an object: `"a":`, `,"b":`.
func fieldNames(fields []arrow.Field) []string {
	names := make([]string, len(fields))
	for i, field := range fields {
		name := appendJSONString(nil, field.Name)
		if i > 0 {
			name = append([]byte{','}, name...)
		}
		names[i] = string(append(name, ':'))
	}
	return names
}
