package rowmerge

import (
	"bytes"
	"cmp"
	"math"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
)

// CompareRows orders two rows of the same columns, column by column: -1, 0 or 1. NULL is below every value, whatever the
// direction; descending turns round the order of values only.
func CompareRows(a, b []any, descending bool) int {
	for i := range a {
		if c := compareColumn(a[i], b[i], descending); c != 0 {
			return c
		}
	}
	return 0
}

func compareColumn(a, b any, descending bool) int {
	if a == nil || b == nil {
		return compareNulls(a, b)
	}
	c := Compare(a, b)
	if descending {
		return -c
	}
	return c
}

func compareNulls(a, b any) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	}
	return 1
}

// Compare orders two values of one type: -1, 0 or 1. NULL comes first, also inside lists, structs and maps.
func Compare(a, b any) int {
	if a == nil || b == nil {
		return compareNulls(a, b)
	}
	switch a := a.(type) {
	case bool:
		return compareBools(a, b.(bool))
	case int8:
		return cmp.Compare(a, b.(int8))
	case int16:
		return cmp.Compare(a, b.(int16))
	case int32:
		return cmp.Compare(a, b.(int32))
	case int64:
		return cmp.Compare(a, b.(int64))
	case uint8:
		return cmp.Compare(a, b.(uint8))
	case uint16:
		return cmp.Compare(a, b.(uint16))
	case uint32:
		return cmp.Compare(a, b.(uint32))
	case uint64:
		return cmp.Compare(a, b.(uint64))
	case float16.Num:
		return compareFloats(float64(a.Float32()), float64(b.(float16.Num).Float32()))
	case float32:
		return compareFloats(float64(a), float64(b.(float32)))
	case float64:
		return compareFloats(a, b.(float64))
	case decimal128.Num:
		return a.Cmp(b.(decimal128.Num))
	case decimal256.Num:
		return a.Cmp(b.(decimal256.Num))
	case string:
		return strings.Compare(a, b.(string))
	case []byte:
		return bytes.Compare(a, b.([]byte))
	case arrow.Date32:
		return cmp.Compare(a, b.(arrow.Date32))
	case arrow.Date64:
		return cmp.Compare(a, b.(arrow.Date64))
	case arrow.Time32:
		return cmp.Compare(a, b.(arrow.Time32))
	case arrow.Time64:
		return cmp.Compare(a, b.(arrow.Time64))
	case arrow.Timestamp:
		return cmp.Compare(a, b.(arrow.Timestamp))
	case arrow.Duration:
		return cmp.Compare(a, b.(arrow.Duration))
	case arrow.MonthInterval:
		return cmp.Compare(a, b.(arrow.MonthInterval))
	case arrow.DayTimeInterval:
		return compareDayTime(a, b.(arrow.DayTimeInterval))
	case arrow.MonthDayNanoInterval:
		return compareMonthDayNano(a, b.(arrow.MonthDayNanoInterval))
	case List:
		return compareLists(a, b.(List))
	case Struct:
		return CompareRows(a, b.(Struct), false)
	case Map:
		return compareMaps(a, b.(Map))
	}
	panic("rowmerge: no order for " + Format(a))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// compareFloats is the total order -Inf < -0.0 < 0.0 < +Inf < NaN; every NaN is equal to every NaN.
func compareFloats(a, b float64) int {
	switch aNaN, bNaN := math.IsNaN(a), math.IsNaN(b); {
	case aNaN && bNaN:
		return 0
	case aNaN:
		return 1
	case bNaN:
		return -1
	case a == b: // one of them may be -0.0
		return compareBools(!math.Signbit(a), !math.Signbit(b))
	}
	return cmp.Compare(a, b)
}

func compareDayTime(a, b arrow.DayTimeInterval) int {
	return cmp.Or(cmp.Compare(a.Days, b.Days), cmp.Compare(a.Milliseconds, b.Milliseconds))
}

func compareMonthDayNano(a, b arrow.MonthDayNanoInterval) int {
	return cmp.Or(cmp.Compare(a.Months, b.Months), cmp.Compare(a.Days, b.Days), cmp.Compare(a.Nanoseconds, b.Nanoseconds))
}

// compareLists goes element by element, then by length.
func compareLists(a, b List) int {
	n := min(len(a), len(b))
	return cmp.Or(CompareRows(a[:n], b[:n], false), cmp.Compare(len(a), len(b)))
}

// compareMaps goes by size, then by the keys in their order, then by the values in theirs.
func compareMaps(a, b Map) int {
	if len(a) != len(b) {
		return cmp.Compare(len(a), len(b))
	}
	return cmp.Or(CompareRows(mapKeys(a), mapKeys(b), false), CompareRows(mapValues(a), mapValues(b), false))
}

func mapKeys(m Map) []any {
	var keys []any
	for _, e := range m {
		keys = append(keys, e.Key)
	}
	return keys
}

func mapValues(m Map) []any {
	var values []any
	for _, e := range m {
		values = append(values, e.Value)
	}
	return values
}
