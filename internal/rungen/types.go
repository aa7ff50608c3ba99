package rungen

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// keyTypes are the types a key, sequence or value column may have. A spec names them as Arrow prints them.
var keyTypes = []arrow.DataType{
	arrow.PrimitiveTypes.Int64, // the first is what a column without a type gets
	arrow.BinaryTypes.String,
	arrow.PrimitiveTypes.Int32,
	arrow.PrimitiveTypes.Int16,
	arrow.PrimitiveTypes.Int8,
	arrow.PrimitiveTypes.Uint64,
	arrow.PrimitiveTypes.Uint32,
	arrow.PrimitiveTypes.Uint16,
	arrow.PrimitiveTypes.Uint8,
	arrow.FixedWidthTypes.Boolean,
	arrow.PrimitiveTypes.Float32,
	arrow.PrimitiveTypes.Float64,
	arrow.FixedWidthTypes.Date32,
	arrow.FixedWidthTypes.Date64,
	arrow.FixedWidthTypes.Time32s,
	arrow.FixedWidthTypes.Time32ms,
	arrow.FixedWidthTypes.Time64us,
	arrow.FixedWidthTypes.Time64ns,
	&arrow.TimestampType{Unit: arrow.Second},
	&arrow.TimestampType{Unit: arrow.Millisecond},
	&arrow.TimestampType{Unit: arrow.Microsecond},
	&arrow.TimestampType{Unit: arrow.Nanosecond},
	&arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"},
	&arrow.Decimal128Type{Precision: 9, Scale: 2},
	&arrow.Decimal128Type{Precision: 18, Scale: 4},
	&arrow.Decimal128Type{Precision: 38, Scale: 10},
	&arrow.Decimal128Type{Precision: 38, Scale: 0},
	arrow.BinaryTypes.Binary,
	arrow.BinaryTypes.LargeString,
	arrow.BinaryTypes.LargeBinary,
	&arrow.FixedSizeBinaryType{ByteWidth: 1},
	&arrow.FixedSizeBinaryType{ByteWidth: 3},
	&arrow.FixedSizeBinaryType{ByteWidth: 8},
	&arrow.FixedSizeBinaryType{ByteWidth: 16},
	&arrow.FixedSizeBinaryType{ByteWidth: 20},
	&arrow.FixedSizeBinaryType{ByteWidth: 32},
	&arrow.FixedSizeBinaryType{ByteWidth: 40},
}

var typesByName = func() map[string]arrow.DataType {
	m := map[string]arrow.DataType{"": keyTypes[0], arrow.Null.String(): arrow.Null}
	for _, dt := range slices.Concat(keyTypes, nestedTypes) {
		m[dt.String()] = dt
	}
	return m
}()

// typeNamed finds a type by its name. The null type serves value columns only, nested types those and sequence columns.
func typeNamed(name string) (arrow.DataType, error) {
	if dt, ok := typesByName[name]; ok {
		return dt, nil
	}
	return nil, fmt.Errorf("no type %q", name)
}

// TypeNames lists the types that key columns may have.
func TypeNames() []string {
	names := make([]string, len(keyTypes))
	for i, dt := range keyTypes {
		names[i] = dt.String()
	}
	return names
}

// domainBits is the size of a type's domain, as the number of bits of its value: 1 for a bool, 8 for an int8.
func domainBits(dt arrow.DataType) int {
	switch dt := dt.(type) {
	case arrow.FixedWidthDataType:
		return dt.BitWidth()
	default:
		return 128
	}
}
