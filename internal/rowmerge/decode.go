package rowmerge

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// decode gives the value in row i of an array. The value shares no memory with the array. Unions have no value: the error
// is of kind schema.
func decode(a arrow.Array, i int) (any, *Error) {
	if a.IsNull(i) {
		return nil, nil
	}
	switch a := a.(type) {
	case *array.Null:
		return nil, nil
	case *array.Dictionary:
		return decode(a.Dictionary(), a.GetValueIndex(i))
	case *array.RunEndEncoded:
		return decode(a.Values(), a.GetPhysicalIndex(i))
	case array.ExtensionArray:
		return decode(a.Storage(), i)
	case *array.Map:
		return decodeMap(a, i)
	case array.ListLike:
		from, to := a.ValueOffsets(i)
		return decodeList(a.ListValues(), int(from), int(to))
	case *array.Struct:
		return decodeStruct(a, i)
	}
	return decodeScalar(a, i)
}

func decodeList(values arrow.Array, from, to int) (any, *Error) {
	list := List{}
	for i := from; i < to; i++ {
		v, err := decode(values, i)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func decodeStruct(a *array.Struct, i int) (any, *Error) {
	row := Struct{}
	for f := range a.NumField() {
		v, err := decode(a.Field(f), i)
		if err != nil {
			return nil, err
		}
		row = append(row, v)
	}
	return row, nil
}

func decodeMap(a *array.Map, i int) (any, *Error) {
	from, to := a.ValueOffsets(i)
	entries, err := decodeList(a.ListValues(), int(from), int(to))
	if err != nil {
		return nil, err
	}
	m := Map{}
	for _, e := range entries.(List) {
		pair := e.(Struct)
		m = append(m, Entry{Key: pair[0], Value: pair[1]})
	}
	return m, nil
}

func decodeScalar(a arrow.Array, i int) (any, *Error) {
	switch a := a.(type) {
	case *array.Boolean:
		return a.Value(i), nil
	case *array.Int8:
		return a.Value(i), nil
	case *array.Int16:
		return a.Value(i), nil
	case *array.Int32:
		return a.Value(i), nil
	case *array.Int64:
		return a.Value(i), nil
	case *array.Uint8:
		return a.Value(i), nil
	case *array.Uint16:
		return a.Value(i), nil
	case *array.Uint32:
		return a.Value(i), nil
	case *array.Uint64:
		return a.Value(i), nil
	case *array.Float16:
		return a.Value(i), nil
	case *array.Float32:
		return a.Value(i), nil
	case *array.Float64:
		return a.Value(i), nil
	case *array.Decimal128:
		return a.Value(i), nil
	case *array.Decimal256:
		return a.Value(i), nil
	case *array.Date32:
		return a.Value(i), nil
	case *array.Date64:
		return a.Value(i), nil
	case *array.Time32:
		return a.Value(i), nil
	case *array.Time64:
		return a.Value(i), nil
	case *array.Timestamp:
		return a.Value(i), nil
	case *array.Duration:
		return a.Value(i), nil
	case *array.MonthInterval:
		return a.Value(i), nil
	case *array.DayTimeInterval:
		return a.Value(i), nil
	case *array.MonthDayNanoInterval:
		return a.Value(i), nil
	case *array.String:
		return strings.Clone(a.Value(i)), nil
	case *array.LargeString:
		return strings.Clone(a.Value(i)), nil
	case *array.StringView:
		return strings.Clone(a.Value(i)), nil
	case *array.Binary:
		return cloneBytes(a.Value(i)), nil
	case *array.LargeBinary:
		return cloneBytes(a.Value(i)), nil
	case *array.BinaryView:
		return cloneBytes(a.Value(i)), nil
	case *array.FixedSizeBinary:
		return cloneBytes(a.Value(i)), nil
	}
	return nil, failf(KindSchema, "values of type %s cannot be merged", a.DataType())
}

// cloneBytes copies b and never gives nil, which would be NULL.
func cloneBytes(b []byte) []byte { return append([]byte{}, b...) }
