package rowmerge

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
)

// Values of columns are Go values of these types, nil for NULL:
//
//	bool  int8..int64  uint8..uint64  float16.Num  float32  float64  decimal128.Num  decimal256.Num
//	string (utf8)  []byte (binary, fixed-size binary)
//	arrow.Date32  arrow.Date64  arrow.Time32  arrow.Time64  arrow.Timestamp  arrow.Duration
//	arrow.MonthInterval  arrow.DayTimeInterval  arrow.MonthDayNanoInterval
//	List  Struct  Map
//
// Dictionary, run-end encoded and extension columns have the values they stand for.
type (
	// List is the value of a list column of any layout.
	List []any
	// Struct is the value of a struct column, one value per field.
	Struct []any
	// Map is the value of a map column, in the order it is stored.
	Map []Entry
	// Entry is a key of a map and its value.
	Entry struct{ Key, Value any }
)

// Identical reports whether two values are the same bit for bit: NaNs by their bits, -0.0 apart from 0.0, maps in their
// order.
func Identical(a, b any) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case float32:
		b, ok := b.(float32)
		return ok && math.Float32bits(a) == math.Float32bits(b)
	case float64:
		b, ok := b.(float64)
		return ok && math.Float64bits(a) == math.Float64bits(b)
	case float16.Num:
		b, ok := b.(float16.Num)
		return ok && a.Uint16() == b.Uint16()
	case []byte:
		b, ok := b.([]byte)
		return ok && bytes.Equal(a, b)
	case List:
		b, ok := b.(List)
		return ok && identicalAll(a, b)
	case Struct:
		b, ok := b.(Struct)
		return ok && identicalAll(a, b)
	case Map:
		b, ok := b.(Map)
		return ok && identicalAll(flat(a), flat(b))
	}
	return a == b
}

func identicalAll(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Identical(a[i], b[i]) {
			return false
		}
	}
	return true
}

// flat lists the keys and values of a map in turn.
func flat(m Map) []any {
	var list []any
	for _, e := range m {
		list = append(list, e.Key, e.Value)
	}
	return list
}

// Format shows a value for people: text quoted, bytes as hex, NaNs with their bits.
func Format(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return strconv.Quote(v)
	case []byte:
		return fmt.Sprintf("0x%x", v)
	case float32:
		if v != v {
			return fmt.Sprintf("NaN(%#08x)", math.Float32bits(v))
		}
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	case float64:
		if v != v {
			return fmt.Sprintf("NaN(%#016x)", math.Float64bits(v))
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case decimal128.Num:
		return v.BigInt().String() + "u"
	case decimal256.Num:
		return v.BigInt().String() + "u"
	case arrow.Timestamp:
		return strconv.FormatInt(int64(v), 10)
	case List:
		return "[" + joinValues(v) + "]"
	case Struct:
		return "(" + joinValues(v) + ")"
	case Map:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = Format(e.Key) + ": " + Format(e.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

func joinValues(vs []any) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = Format(v)
	}
	return strings.Join(parts, ", ")
}

func formatValues(vs []any) string { return "(" + joinValues(vs) + ")" }
