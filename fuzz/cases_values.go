package fuzz

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// caseValue gives the value that JSON stands for in a column of the type; see rowmerge for the Go types of values.
func caseValue(t arrow.DataType, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	switch t := t.(type) {
	case *arrow.BooleanType:
		return as[bool](v)
	case *arrow.Float32Type:
		f, err := caseFloat(v, 32)
		return float32(f), err
	case *arrow.Float64Type:
		return caseFloat(v, 64)
	case *arrow.StringType:
		return as[string](v)
	case *arrow.BinaryType:
		return caseBytes(v)
	case *arrow.Decimal128Type:
		return caseDecimal(t, v)
	case *arrow.TimestampType:
		return caseTimestamp(t.Unit, v)
	case *arrow.ListType:
		list, err := caseValues(t.Elem(), v)
		return rowmerge.List(list), err
	case *arrow.MapType:
		return caseMap(t, v)
	case *arrow.StructType:
		row, err := caseRow(t.Fields(), v)
		return rowmerge.Struct(row), err
	}
	return caseInteger(t, v)
}

func as[T any](v any) (any, error) {
	if t, ok := v.(T); ok {
		return t, nil
	}
	return nil, fmt.Errorf("%v (%T) is not a %T", v, v, *new(T))
}

func caseInteger(t arrow.DataType, v any) (any, error) {
	n, ok := v.(json.Number)
	if !ok {
		return nil, fmt.Errorf("%v is not a number", v)
	}
	bits := 32
	if fixed, ok := t.(arrow.FixedWidthDataType); ok {
		bits = fixed.BitWidth()
	}
	i, err := strconv.ParseInt(n.String(), 10, bits)
	if err != nil {
		return nil, err
	}
	switch t.ID() {
	case arrow.INT8:
		return int8(i), nil
	case arrow.INT16:
		return int16(i), nil
	case arrow.INT32:
		return int32(i), nil
	case arrow.INT64:
		return i, nil
	case arrow.DATE32:
		return arrow.Date32(i), nil
	case arrow.TIME32:
		return arrow.Time32(i), nil
	}
	return nil, fmt.Errorf("no values of type %s", t)
}

// caseFloat reads a number, or NaN, Infinity, -Infinity and -0.0 as strings.
func caseFloat(v any, bits int) (float64, error) {
	text := fmt.Sprint(v)
	if text == "NaN" {
		return math.NaN(), nil
	}
	return strconv.ParseFloat(text, bits)
}

func caseBytes(v any) (any, error) {
	text, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("%v is not a hex string", v)
	}
	return hex.DecodeString(text)
}

// caseDecimal reads plain notation with as many fraction digits as the type has. The value may have more digits than the
// type's precision.
func caseDecimal(t *arrow.Decimal128Type, v any) (any, error) {
	text, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("%v is not a decimal string", v)
	}
	whole, fraction, _ := strings.Cut(text, ".")
	n, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok || len(fraction) != int(t.Scale) || n.BitLen() > 127 {
		return nil, fmt.Errorf("%q is not a decimal of scale %d", text, t.Scale)
	}
	return decimal128.FromBigInt(n), nil
}

// caseTimestamp reads "M:N": milliseconds and the nanoseconds inside the millisecond.
func caseTimestamp(unit arrow.TimeUnit, v any) (any, error) {
	text, _ := v.(string)
	millis, nanos, ok := strings.Cut(text, ":")
	m, err1 := strconv.ParseInt(millis, 10, 64)
	n, err2 := strconv.ParseInt(nanos, 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return nil, fmt.Errorf("%v is not a timestamp", v)
	}
	total := new(big.Int).Mul(big.NewInt(m), big.NewInt(1e6))
	total.Add(total, big.NewInt(n))
	count, rest := new(big.Int).DivMod(total, big.NewInt(int64(unit.Multiplier())), new(big.Int))
	if rest.Sign() != 0 || !count.IsInt64() {
		return nil, fmt.Errorf("%s does not fit a timestamp in %s", text, unit)
	}
	return arrow.Timestamp(count.Int64()), nil
}

// caseValues reads a JSON array of values of one type.
func caseValues(t arrow.DataType, v any) ([]any, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%v is not a list", v)
	}
	values := []any{}
	for _, e := range list {
		value, err := caseValue(t, e)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// caseMap reads a JSON array of [key, value].
func caseMap(t *arrow.MapType, v any) (any, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%v is not a map", v)
	}
	m := rowmerge.Map{}
	for _, e := range list {
		pair, err := caseRow([]arrow.Field{t.KeyField(), t.ItemField()}, e)
		if err != nil {
			return nil, err
		}
		m = append(m, rowmerge.Entry{Key: pair[0], Value: pair[1]})
	}
	return m, nil
}

// caseRow reads a JSON array of one value per field.
func caseRow(fields []arrow.Field, v any) ([]any, error) {
	list, ok := v.([]any)
	if !ok || len(list) != len(fields) {
		return nil, fmt.Errorf("%v has not %d values", v, len(fields))
	}
	row := []any{}
	for i, e := range list {
		value, err := caseValue(fields[i].Type, e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fields[i].Name, err)
		}
		row = append(row, value)
	}
	return row, nil
}

// rawRow reads a row of values from JSON text.
func rawRow(fields []arrow.Field, raw json.RawMessage) ([]any, error) {
	var v any
	if err := decodeJSON(raw, &v); err != nil {
		return nil, err
	}
	return caseRow(fields, v)
}

// rawValue reads one value from JSON text; absent text is NULL.
func rawValue(t arrow.DataType, raw json.RawMessage) (any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var v any
	if err := decodeJSON(raw, &v); err != nil {
		return nil, err
	}
	return caseValue(t, v)
}
