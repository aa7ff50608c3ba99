package rungen

import (
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// The nested types that value and sequence columns may have, by what a function asks for.
var (
	listTypes = slices.Concat([]arrow.DataType{
		arrow.ListOf(arrow.PrimitiveTypes.Int64),
		arrow.ListOf(arrow.BinaryTypes.String),
		arrow.ListOf(arrow.BinaryTypes.Binary),
		arrow.ListOf(arrow.PrimitiveTypes.Float64),
		arrow.ListOf(arrow.FixedWidthTypes.Boolean),
		arrow.ListOf(&arrow.Decimal128Type{Precision: 9, Scale: 2}),
		arrow.ListOf(arrow.ListOf(arrow.PrimitiveTypes.Int64)),
		arrow.ListOf(mapTypes[0]),
	}, tableTypes)
	mapTypes = []arrow.DataType{
		arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64),
		arrow.MapOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String),
		arrow.MapOf(arrow.BinaryTypes.Binary, arrow.ListOf(arrow.PrimitiveTypes.Int64)),
		arrow.MapOf(arrow.PrimitiveTypes.Float64, rowType),
	}
	rowType = structOf("k", arrow.PrimitiveTypes.Int32, "l", arrow.BinaryTypes.String, "n", arrow.PrimitiveTypes.Int64)
	// tableTypes are lists of rows, which have fields k, l and n.
	tableTypes = []arrow.DataType{
		arrow.ListOf(rowType),
		arrow.ListOf(structOf("k", arrow.PrimitiveTypes.Float64, "l", arrow.BinaryTypes.Binary, "n", arrow.BinaryTypes.String,
			"m", arrow.ListOf(arrow.PrimitiveTypes.Int64))),
	}
	// timedTypes are maps of rows whose fields t and l are text.
	timedTypes = []arrow.DataType{
		arrow.MapOf(arrow.BinaryTypes.String, structOf("n", arrow.PrimitiveTypes.Int64, "l", arrow.BinaryTypes.String, "t", arrow.BinaryTypes.String)),
		arrow.MapOf(arrow.PrimitiveTypes.Int32, structOf("t", arrow.BinaryTypes.String, "r", rowType, "l", arrow.BinaryTypes.String)),
		arrow.MapOf(arrow.BinaryTypes.Binary, structOf("l", arrow.BinaryTypes.String, "m", arrow.ListOf(arrow.PrimitiveTypes.Int64),
			"t", arrow.BinaryTypes.String)),
	}
	nestedTypes = slices.Concat(listTypes, mapTypes, []arrow.DataType{rowType}, timedTypes)
)

// structOf makes a struct type of names and types in turn, all nullable.
func structOf(parts ...any) arrow.DataType {
	var fields []arrow.Field
	for pair := range slices.Chunk(parts, 2) {
		fields = append(fields, arrow.Field{Name: pair[0].(string), Type: pair[1].(arrow.DataType), Nullable: true})
	}
	return arrow.StructOf(fields...)
}

// maxNested bounds the values of a pool of a nested type.
const maxNested = 64

// isNested says whether values of the type have values inside.
func isNested(dt arrow.DataType) bool {
	_, nested := dt.(arrow.NestedType)
	return nested
}

// entries is a value of a map type: pairs of key and value.
type entries [][2]any

// nestedPool makes a pool of values of a nested type, which have no order and may be equal.
func nestedPool(dt arrow.DataType, size int, src *source) *pool {
	p := &pool{dt: dt, size: min(size, maxNested)}
	p.keys = p.size
	for range p.size {
		p.nested = append(p.nested, nestedValue(dt, src))
	}
	return p
}

// nestedValue draws a value: []any for a list or a struct, entries for a map, else what a builder of the type appends.
// Lists and maps are short and their elements few, so that many are equal.
func nestedValue(dt arrow.DataType, src *source) any {
	switch dt := dt.(type) {
	case *arrow.MapType:
		value := entries{}
		for _, i := range src.permutation(5)[:src.intn(4)] {
			value = append(value, [2]any{scalar(dt.KeyType(), i), element(dt.ItemType(), src)})
		}
		return value
	case *arrow.ListType:
		value := []any{}
		for range pick(src, 0, 1, 1, 2, 3, 5) {
			value = append(value, element(dt.Elem(), src))
		}
		return value
	case *arrow.StructType:
		value := []any{}
		for _, f := range dt.Fields() {
			value = append(value, element(f.Type, src))
		}
		return value
	default:
		return scalar(dt, src.intn(7))
	}
}

// element draws a value inside another, which may be NULL.
func element(dt arrow.DataType, src *source) any {
	if src.oneIn(7) {
		return nil
	}
	return nestedValue(dt, src)
}

// scalar returns the i-th of a few values of a type that is not nested; different ones for different i below 7,
// but for the two of a bool.
func scalar(dt arrow.DataType, i int) any {
	switch dt.ID() {
	case arrow.INT32:
		return int32(i - 2)
	case arrow.INT64:
		return int64(i - 2)
	case arrow.FLOAT64:
		return []float64{0, math.Copysign(0, -1), math.NaN(), 1.5, -2, math.Inf(1), math.MaxFloat64}[i]
	case arrow.BOOL:
		return i%2 == 0
	case arrow.DECIMAL128:
		return decimal128.FromI64(int64(100*i - 150))
	case arrow.BINARY:
		return [][]byte{{}, {0}, {0, 0}, {1}, {0xff}, {'a'}, {'a', 0}}[i]
	default:
		return []string{"", " ", "a", "b", "ab", "a,b", "\x00"}[i]
	}
}

// gatherNested makes an array of the values at the given positions. Under a NULL lies the value of its position.
func (p *pool) gatherNested(mem memory.Allocator, at []int32, valid *memory.Buffer, nulls int) arrow.Array {
	b := array.NewBuilder(mem, p.dt)
	defer b.Release()
	for _, i := range at {
		appendNested(b, p.nested[i])
	}
	all := b.NewArray()
	defer all.Release()
	buffers := slices.Clone(all.Data().Buffers())
	buffers[0] = valid
	data := array.NewData(p.dt, len(at), buffers, all.Data().Children(), nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// appendNested appends a value that nestedValue has made for the builder's type.
func appendNested(b array.Builder, value any) {
	if value == nil {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.MapBuilder:
		b.Append(true)
		for _, e := range value.(entries) {
			appendNested(b.KeyBuilder(), e[0])
			appendNested(b.ItemBuilder(), e[1])
		}
	case *array.StructBuilder:
		b.Append(true)
		for i, v := range value.([]any) {
			appendNested(b.FieldBuilder(i), v)
		}
	case *array.ListBuilder:
		b.Append(true)
		for _, v := range value.([]any) {
			appendNested(b.ValueBuilder(), v)
		}
	case *array.BooleanBuilder:
		b.Append(value.(bool))
	case *array.Decimal128Builder:
		b.Append(value.(decimal128.Num))
	case *array.Int32Builder:
		b.Append(value.(int32))
	case *array.Int64Builder:
		b.Append(value.(int64))
	case *array.Float64Builder:
		b.Append(value.(float64))
	case *array.BinaryBuilder:
		b.Append(value.([]byte))
	case *array.StringBuilder:
		b.Append(value.(string))
	}
}
