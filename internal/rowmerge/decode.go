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
	list := make(List, to-from)
	for i := range list {
		var err *Error
		if list[i], err = decode(values, from+i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func decodeStruct(a *array.Struct, i int) (any, *Error) {
	row := make(Struct, a.NumField())
	for f := range row {
		var err *Error
		if row[f], err = decode(a.Field(f), i); err != nil {
			return nil, err
		}
	}
	return row, nil
}

func decodeMap(a *array.Map, i int) (any, *Error) {
	from, to := a.ValueOffsets(i)
	m := make(Map, to-from)
	for e := range m {
		var err *Error
		if m[e].Key, err = decode(a.Keys(), int(from)+e); err != nil {
			return nil, err
		}
		if m[e].Value, err = decode(a.Items(), int(from)+e); err != nil {
			return nil, err
		}
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
