package aggfuncs_test

import (
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// Values are those of package rowmerge.

// newArray makes an array of values, as a slice of a longer one where before is above 0. The caller releases it.
func newArray(mem memory.Allocator, t arrow.DataType, before []any, values []any) arrow.Array {
	b := array.NewBuilder(mem, t)
	defer b.Release()
	for _, v := range before {
		appendValue(b, v)
	}
	for _, v := range values {
		appendValue(b, v)
	}
	for _, v := range before {
		appendValue(b, v)
	}
	whole := b.NewArray()
	defer whole.Release()
	return array.NewSlice(whole, int64(len(before)), int64(len(before)+len(values)))
}

func appendValue(b array.Builder, v any) {
	if v == nil {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.BooleanBuilder:
		b.Append(v.(bool))
	case *array.Int8Builder:
		b.Append(v.(int8))
	case *array.Int16Builder:
		b.Append(v.(int16))
	case *array.Int32Builder:
		b.Append(v.(int32))
	case *array.Int64Builder:
		b.Append(v.(int64))
	case *array.Uint8Builder:
		b.Append(v.(uint8))
	case *array.Uint16Builder:
		b.Append(v.(uint16))
	case *array.Uint32Builder:
		b.Append(v.(uint32))
	case *array.Uint64Builder:
		b.Append(v.(uint64))
	case *array.Float32Builder:
		b.Append(v.(float32))
	case *array.Float64Builder:
		b.Append(v.(float64))
	case *array.Decimal128Builder:
		b.Append(v.(decimal128.Num))
	case *array.Date32Builder:
		b.Append(v.(arrow.Date32))
	case *array.Time32Builder:
		b.Append(v.(arrow.Time32))
	case *array.TimestampBuilder:
		b.Append(v.(arrow.Timestamp))
	case *array.StringBuilder:
		b.Append(v.(string))
	case *array.LargeStringBuilder:
		b.Append(v.(string))
	case *array.BinaryBuilder:
		b.Append(v.([]byte))
	case *array.FixedSizeBinaryBuilder:
		b.Append(v.([]byte))
	case *array.ListBuilder:
		b.Append(true)
		appendAll(b.ValueBuilder(), v.(rowmerge.List))
	case *array.LargeListBuilder:
		b.Append(true)
		appendAll(b.ValueBuilder(), v.(rowmerge.List))
	case *array.FixedSizeListBuilder:
		b.Append(true)
		appendAll(b.ValueBuilder(), v.(rowmerge.List))
	case *array.StructBuilder:
		b.Append(true)
		for f, part := range v.(rowmerge.Struct) {
			appendValue(b.FieldBuilder(f), part)
		}
	case *array.MapBuilder:
		b.Append(true)
		for _, e := range v.(rowmerge.Map) {
			appendValue(b.KeyBuilder(), e.Key)
			appendValue(b.ItemBuilder(), e.Value)
		}
	default:
		panic("no builder for " + b.Type().String())
	}
}

func appendAll(b array.Builder, list rowmerge.List) {
	for _, v := range list {
		appendValue(b, v)
	}
}

// valuesOf reads an array.
func valuesOf(t testing.TB, a arrow.Array) []any {
	t.Helper()
	values := make([]any, a.Len())
	for i := range values {
		values[i] = valueAt(a, i)
	}
	return values
}

func valueAt(a arrow.Array, i int) any {
	if a.IsNull(i) {
		return nil
	}
	switch a := a.(type) {
	case *array.Boolean:
		return a.Value(i)
	case *array.Int8:
		return a.Value(i)
	case *array.Int16:
		return a.Value(i)
	case *array.Int32:
		return a.Value(i)
	case *array.Int64:
		return a.Value(i)
	case *array.Uint8:
		return a.Value(i)
	case *array.Uint16:
		return a.Value(i)
	case *array.Uint32:
		return a.Value(i)
	case *array.Uint64:
		return a.Value(i)
	case *array.Float32:
		return a.Value(i)
	case *array.Float64:
		return a.Value(i)
	case *array.Decimal128:
		return a.Value(i)
	case *array.Date32:
		return a.Value(i)
	case *array.Time32:
		return a.Value(i)
	case *array.Timestamp:
		return a.Value(i)
	case *array.String:
		return strings.Clone(a.Value(i))
	case *array.LargeString:
		return strings.Clone(a.Value(i))
	case *array.Binary:
		return append([]byte{}, a.Value(i)...)
	case *array.FixedSizeBinary:
		return append([]byte{}, a.Value(i)...)
	case *array.Map:
		from, to := a.ValueOffsets(i)
		m := rowmerge.Map{}
		for at := int(from); at < int(to); at++ {
			m = append(m, rowmerge.Entry{Key: valueAt(a.Keys(), at), Value: valueAt(a.Items(), at)})
		}
		return m
	case array.ListLike:
		from, to := a.ValueOffsets(i)
		list := rowmerge.List{}
		for at := int(from); at < int(to); at++ {
			list = append(list, valueAt(a.ListValues(), at))
		}
		return list
	case *array.Struct:
		row := rowmerge.Struct{}
		for f := range a.NumField() {
			row = append(row, valueAt(a.Field(f), i))
		}
		return row
	}
	panic("no value of " + a.DataType().String())
}
