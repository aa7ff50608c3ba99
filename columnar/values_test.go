package columnar_test

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// valueOf reads a value through the accessors of Arrow: nil for NULL, a string for texts of all kinds, else what Value says.
func valueOf(a arrow.Array, row int) any {
	if a.DataType().ID() == arrow.NULL || a.IsNull(row) {
		return nil
	}
	v := reflect.ValueOf(a).MethodByName("Value").Call([]reflect.Value{reflect.ValueOf(row)})[0].Interface()
	switch v := v.(type) {
	case []byte:
		return string(v)
	case string:
		return strings.Clone(v) // it is the array's memory
	}
	return v
}

func valuesOf(a arrow.Array) []any {
	values := make([]any, a.Len())
	for i := range values {
		values[i] = valueOf(a, i)
	}
	return values
}

// bytesOf returns the bytes of a value that is not NULL as they lie in memory.
func bytesOf(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	b, err := binary.Append(nil, binary.LittleEndian, value)
	if err != nil {
		panic(fmt.Sprintf("%T: %v", value, err))
	}
	return string(b)
}

// same says whether two values have the same bits.
func same(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return reflect.TypeOf(a) == reflect.TypeOf(b) && bytesOf(a) == bytesOf(b)
}

// compareValues is the order of keys, value by value: NULL first, then as the type says.
func compareValues(a, b any) int {
	if a == nil || b == nil {
		return compareBools(a != nil, b != nil)
	}
	if d, ok := a.(decimal128.Num); ok {
		return compareDecimals(d, b.(decimal128.Num))
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	switch x.Kind() {
	case reflect.Bool:
		return compareBools(x.Bool(), y.Bool())
	case reflect.String:
		return strings.Compare(x.String(), y.String())
	case reflect.Float32, reflect.Float64:
		return compareFloats(x.Float(), y.Float())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return cmp.Compare(x.Uint(), y.Uint())
	}
	return cmp.Compare(x.Int(), y.Int())
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

// compareFloats puts -0.0 before 0.0 and every NaN, all of them equal, after everything else.
func compareFloats(a, b float64) int {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return compareBools(math.IsNaN(a), math.IsNaN(b))
	case a == 0 && b == 0:
		return compareBools(!math.Signbit(a), !math.Signbit(b))
	}
	return cmp.Compare(a, b)
}

// compareDecimals puts the number together out of its halves: upper * 2^64 + lower.
func compareDecimals(a, b decimal128.Num) int {
	number := func(d decimal128.Num) *big.Int {
		upper := new(big.Int).Lsh(big.NewInt(d.HighBits()), 64)
		return upper.Add(upper, new(big.Int).SetUint64(d.LowBits()))
	}
	return number(a).Cmp(number(b))
}
