package workload

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"github.com/braidmerge/braid/bench/rowhash"
)

// value is a cell. Which of its parts count is said by the type of its column: text and binary are in text, lists in list, all
// else in number.
type value struct {
	null   bool
	number int64
	text   []byte
	list   []int64
}

// copyFrom takes over another cell, with memory of its own.
func (v *value) copyFrom(w *value) {
	v.null, v.number = w.null, w.number
	v.text = append(v.text[:0], w.text...)
	v.list = append(v.list[:0], w.list...)
}

// layout says how the values of a type are appended to an array, and hashed.
type layout struct {
	append func(array.Builder, *value)
	hash   func(*value) uint64
}

// layoutOf returns the layout of a type that columns here have.
func layoutOf(t arrow.DataType) layout {
	number := func(v *value) uint64 { return rowhash.Integer(v.number) }
	text := func(v *value) uint64 { return rowhash.Bytes(v.text) }
	switch t.ID() {
	case arrow.BOOL:
		return layout{func(b array.Builder, v *value) { b.(*array.BooleanBuilder).Append(v.number != 0) }, number}
	case arrow.INT8:
		return layout{func(b array.Builder, v *value) { b.(*array.Int8Builder).Append(int8(v.number)) }, number}
	case arrow.INT32:
		return layout{func(b array.Builder, v *value) { b.(*array.Int32Builder).Append(int32(v.number)) }, number}
	case arrow.INT64:
		return layout{func(b array.Builder, v *value) { b.(*array.Int64Builder).Append(v.number) }, number}
	case arrow.FLOAT64:
		return layout{func(b array.Builder, v *value) { b.(*array.Float64Builder).Append(float64(v.number) / 64) },
			func(v *value) uint64 { return float(float64(v.number) / 64) }}
	case arrow.DATE32:
		return layout{func(b array.Builder, v *value) { b.(*array.Date32Builder).Append(arrow.Date32(v.number)) }, number}
	case arrow.TIMESTAMP:
		return layout{func(b array.Builder, v *value) { b.(*array.TimestampBuilder).Append(arrow.Timestamp(v.number)) }, number}
	case arrow.DECIMAL128:
		return layout{func(b array.Builder, v *value) { b.(*array.Decimal128Builder).Append(decimal128.FromI64(v.number)) },
			func(v *value) uint64 { return rowhash.Wide(uint64(v.number), v.number>>63) }}
	case arrow.STRING:
		return layout{func(b array.Builder, v *value) { b.(*array.StringBuilder).BinaryBuilder.Append(v.text) }, text}
	case arrow.BINARY:
		return layout{func(b array.Builder, v *value) { b.(*array.BinaryBuilder).Append(v.text) }, text}
	case arrow.LIST:
		return layout{appendList, hashList}
	}
	panic(fmt.Sprintf("a column of type %s", t))
}

func appendList(b array.Builder, v *value) {
	list := b.(*array.ListBuilder)
	list.Append(true)
	list.ValueBuilder().(*array.Int64Builder).AppendValues(v.list, nil)
}

func hashList(v *value) uint64 {
	h := rowhash.Integer(int64(len(v.list)))
	for _, item := range v.list {
		h = rowhash.Join(h, rowhash.Integer(item))
	}
	return h
}

func float(f float64) uint64 { return rowhash.Integer(int64(math.Float64bits(f))) }
