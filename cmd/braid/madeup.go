package main

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// madeUpColumn is a type of column that gen can fill: a value comes from a hash.
type madeUpColumn struct {
	dt    arrow.DataType
	value func(array.Builder, uint64)
}

// madeUp are the types that gen knows.
var madeUp = map[string]madeUpColumn{
	"bool":  {arrow.FixedWidthTypes.Boolean, func(b array.Builder, h uint64) { b.(*array.BooleanBuilder).Append(h&1 == 1) }},
	"int8":  {arrow.PrimitiveTypes.Int8, func(b array.Builder, h uint64) { b.(*array.Int8Builder).Append(int8(h)) }},
	"int16": {arrow.PrimitiveTypes.Int16, func(b array.Builder, h uint64) { b.(*array.Int16Builder).Append(int16(h)) }},
	"int32": {arrow.PrimitiveTypes.Int32, func(b array.Builder, h uint64) { b.(*array.Int32Builder).Append(int32(h % 1000)) }},
	"int64": {arrow.PrimitiveTypes.Int64, func(b array.Builder, h uint64) { b.(*array.Int64Builder).Append(int64(h % 1_000_000_000)) }},
	"float32": {arrow.PrimitiveTypes.Float32, func(b array.Builder, h uint64) {
		b.(*array.Float32Builder).Append(float32(h%100_000) / 8)
	}},
	"float64": {arrow.PrimitiveTypes.Float64, func(b array.Builder, h uint64) {
		b.(*array.Float64Builder).Append(float64(h%10_000_000) / 100)
	}},
	"decimal": {&arrow.Decimal128Type{Precision: 18, Scale: 2}, func(b array.Builder, h uint64) {
		b.(*array.Decimal128Builder).Append(decimal128.FromU64(h % 10_000_000))
	}},
	"date": {arrow.FixedWidthTypes.Date32, func(b array.Builder, h uint64) {
		b.(*array.Date32Builder).Append(arrow.Date32(10957 + h%9131)) // 2000 to 2024
	}},
	"timestamp": {&arrow.TimestampType{Unit: arrow.Microsecond}, func(b array.Builder, h uint64) {
		b.(*array.TimestampBuilder).Append(arrow.Timestamp(946_684_800_000_000 + h%788_918_400_000_000)) // 2000 to 2024
	}},
	"string": {arrow.BinaryTypes.String, func(b array.Builder, h uint64) {
		var text [32]byte
		b.(*array.StringBuilder).Append(string(appendWords(text[:0], h)))
	}},
	"binary": {arrow.BinaryTypes.Binary, func(b array.Builder, h uint64) {
		var bytes [16]byte
		for i := range bytes {
			bytes[i] = byte(mix(h) >> (i % 8 * 8))
		}
		b.(*array.BinaryBuilder).Append(bytes[:4+h%12])
	}},
}

var (
	adjectives = []string{"amber", "brave", "calm", "dusty", "eager", "faint", "green", "hollow", "icy", "jolly", "kind", "lucky", "mild", "noble", "odd", "proud"}
	animals    = []string{"ant", "badger", "crane", "dingo", "eel", "falcon", "gecko", "heron", "ibis", "jackal", "koala", "lynx", "mole", "newt", "otter", "puffin"}
)

// appendWords appends a name such as "calm-otter-417".
func appendWords(dst []byte, h uint64) []byte {
	dst = append(append(dst, adjectives[h%16]...), '-')
	dst = append(append(dst, animals[(h>>4)%16]...), '-')
	n := (h >> 8) % 1000
	return append(dst, byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
}
