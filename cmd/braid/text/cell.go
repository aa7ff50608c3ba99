package text

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// cell appends the value of a row of one column, which is not NULL, to dst.
type cell func(dst []byte, row int) []byte

// style says whether a value stands by itself or is part of JSON.
type style bool

const (
	plainText style = false
	jsonText  style = true
)

// integer is the type of an element that is shown as a whole number.
type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// newCell chooses how the values of a column are shown.
func newCell(column arrow.Array, s style) cell {
	switch a := column.(type) {
	case *array.Null:
		return func(dst []byte, _ int) []byte { return append(dst, "null"...) }
	case *array.Boolean:
		return func(dst []byte, row int) []byte { return strconv.AppendBool(dst, a.Value(row)) }
	case *array.Int8:
		return signedCell(a.Int8Values())
	case *array.Int16:
		return signedCell(a.Int16Values())
	case *array.Int32:
		return signedCell(a.Int32Values())
	case *array.Int64:
		return signedCell(a.Int64Values())
	case *array.Uint8:
		return unsignedCell(a.Uint8Values())
	case *array.Uint16:
		return unsignedCell(a.Uint16Values())
	case *array.Uint32:
		return unsignedCell(a.Uint32Values())
	case *array.Uint64:
		return unsignedCell(a.Uint64Values())
	case *array.Float16:
		return func(dst []byte, row int) []byte { return appendFloat(dst, float64(a.Value(row).Float32()), 32, s) }
	case *array.Float32:
		return func(dst []byte, row int) []byte { return appendFloat(dst, float64(a.Value(row)), 32, s) }
	case *array.Float64:
		return func(dst []byte, row int) []byte { return appendFloat(dst, a.Value(row), 64, s) }
	case *array.Decimal128:
		scale := a.DataType().(*arrow.Decimal128Type).Scale
		return quotedCell(s, func(dst []byte, row int) []byte { return append(dst, a.Value(row).ToString(scale)...) })
	case *array.Decimal256:
		scale := a.DataType().(*arrow.Decimal256Type).Scale
		return quotedCell(s, func(dst []byte, row int) []byte { return append(dst, a.Value(row).ToString(scale)...) })
	}
	if c := newTextCell(column, s); c != nil {
		return c
	}
	if c := newTimeCell(column, s); c != nil {
		return c
	}
	if c := newNestedCell(column, s); c != nil {
		return c
	}
	return marshalCell(column, s)
}

// isNull says whether a value is NULL, as every value of a column of type null is.
func isNull(column arrow.Array, row int) bool {
	return column.IsNull(row) || column.DataType().ID() == arrow.NULL
}

func signedCell[T integer](values []T) cell {
	return func(dst []byte, row int) []byte { return strconv.AppendInt(dst, int64(values[row]), 10) }
}

func unsignedCell[T integer](values []T) cell {
	return func(dst []byte, row int) []byte { return strconv.AppendUint(dst, uint64(values[row]), 10) }
}

// appendFloat appends the shortest text that reads back as v, a float of these many bits.
func appendFloat(dst []byte, v float64, bits int, s style) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return appendQuoted(dst, s, func(dst []byte) []byte { return strconv.AppendFloat(dst, v, 'g', -1, bits) })
	}
	format := byte('f')
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, v, format, -1, bits)
}

// newTextCell chooses for columns of strings and bytes; nil if it is none.
func newTextCell(column arrow.Array, s style) cell {
	switch a := column.(type) {
	case array.StringLike:
		if s == jsonText {
			return func(dst []byte, row int) []byte { return appendJSONString(dst, a.Value(row)) }
		}
		return func(dst []byte, row int) []byte { return append(dst, a.Value(row)...) }
	case interface{ Value(row int) []byte }:
		return bytesCell(a.Value, s)
	}
	return nil
}

func bytesCell(value func(row int) []byte, s style) cell {
	return quotedCell(s, func(dst []byte, row int) []byte { return base64.StdEncoding.AppendEncode(dst, value(row)) })
}

// quotedCell puts values that need no escapes into quotes where they are part of JSON.
func quotedCell(s style, bare cell) cell {
	if s == plainText {
		return bare
	}
	return func(dst []byte, row int) []byte { return append(bare(append(dst, '"'), row), '"') }
}

func appendQuoted(dst []byte, s style, bare func([]byte) []byte) []byte {
	if s == plainText {
		return bare(dst)
	}
	return append(bare(append(dst, '"')), '"')
}

// marshalCell shows what has no form of its own here, extension types for one, as Arrow shows it.
func marshalCell(column arrow.Array, s style) cell {
	return func(dst []byte, row int) []byte {
		value := column.GetOneForMarshal(row)
		if text, ok := value.(string); ok && s == plainText {
			return append(dst, text...)
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return appendJSONString(dst, column.ValueStr(row))
		}
		return append(dst, encoded...)
	}
}

// Value shows one value as it stands in a table; NULL is NULL.
func Value(column arrow.Array, row int) string {
	if isNull(column, row) {
		return "NULL"
	}
	return string(newCell(column, plainText)(nil, row))
}
