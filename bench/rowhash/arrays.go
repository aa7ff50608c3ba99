package rowhash

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// cellsOf appends the hashes of the cells of a column.
func cellsOf(column arrow.Array, out []uint64) ([]uint64, error) {
	switch c := column.(type) {
	case *array.Int8:
		return integers(c, c.Int8Values(), out), nil
	case *array.Int16:
		return integers(c, c.Int16Values(), out), nil
	case *array.Int32:
		return integers(c, c.Int32Values(), out), nil
	case *array.Int64:
		return integers(c, c.Int64Values(), out), nil
	case *array.Date32:
		return integers(c, c.Date32Values(), out), nil
	case *array.Timestamp:
		return integers(c, c.TimestampValues(), out), nil
	case *array.Float64:
		return each(c, out, func(row int) uint64 { return Integer(int64(math.Float64bits(c.Value(row)))) }), nil
	case *array.Boolean:
		return each(c, out, func(row int) uint64 { return boolean(c.Value(row)) }), nil
	case *array.Decimal128:
		return each(c, out, func(row int) uint64 {
			v := c.Value(row)
			return Wide(v.LowBits(), v.HighBits())
		}), nil
	case *array.String:
		return each(c, out, func(row int) uint64 { return text(c.Value(row)) }), nil
	case *array.LargeString:
		return each(c, out, func(row int) uint64 { return text(c.Value(row)) }), nil
	case *array.StringView:
		return each(c, out, func(row int) uint64 { return text(c.Value(row)) }), nil
	case *array.Binary:
		return each(c, out, func(row int) uint64 { return Bytes(c.Value(row)) }), nil
	case *array.LargeBinary:
		return each(c, out, func(row int) uint64 { return Bytes(c.Value(row)) }), nil
	case *array.BinaryView:
		return each(c, out, func(row int) uint64 { return Bytes(c.Value(row)) }), nil
	case array.ListLike:
		return lists(c, out)
	}
	return nil, fmt.Errorf("the type %s has no hash", column.DataType())
}

// integers hashes values that are numbers.
func integers[T ~int8 | ~int16 | ~int32 | ~int64](c arrow.Array, values []T, out []uint64) []uint64 {
	for row, v := range values {
		if c.IsNull(row) {
			out = append(out, Null)
		} else {
			out = append(out, Integer(int64(v)))
		}
	}
	return out
}

// each hashes the values one by one.
func each(c arrow.Array, out []uint64, hash func(row int) uint64) []uint64 {
	for row := range c.Len() {
		if c.IsNull(row) {
			out = append(out, Null)
		} else {
			out = append(out, hash(row))
		}
	}
	return out
}

func boolean(b bool) uint64 {
	if b {
		return Integer(1)
	}
	return Integer(0)
}

// text hashes a string without a copy of it.
func text(s string) uint64 { return Bytes([]byte(s)) }

// lists hashes the items of every list in order.
func lists(c array.ListLike, out []uint64) ([]uint64, error) {
	items, err := cellsOf(c.ListValues(), nil)
	if err != nil {
		return nil, err
	}
	return each(c, out, func(row int) uint64 {
		from, to := c.ValueOffsets(row)
		return list(items[from:to])
	}), nil
}

// list hashes a list by the hashes of its items.
func list(items []uint64) uint64 {
	h := Integer(int64(len(items)))
	for _, item := range items {
		h = Join(h, item)
	}
	return h
}
