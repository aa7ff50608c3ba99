package columnar

import (
	"bytes"
	"cmp"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// Order is how the values of a type compare (docs/semantics.md, "Order of keys").
type Order uint8

const (
	OrderNone Order = iota // the type cannot be a key
	OrderBool              // false < true
	OrderInt8              // signed; also dates, times and timestamps
	OrderInt16
	OrderInt32
	OrderInt64
	OrderUint8
	OrderUint16
	OrderUint32
	OrderUint64
	OrderFloat32 // total order: -Inf ... -0.0 < 0.0 ... +Inf < NaN, all NaN equal
	OrderFloat64
	OrderDecimal128
	OrderText // unsigned bytes, the shorter prefix first
)

// OrderOf returns how the values of a type compare, OrderNone when they are no keys. An extension type compares as its storage.
func OrderOf(t arrow.DataType) Order {
	if e, ok := t.(arrow.ExtensionType); ok {
		return OrderOf(e.StorageType())
	}
	switch t.ID() {
	case arrow.BOOL:
		return OrderBool
	case arrow.INT8:
		return OrderInt8
	case arrow.INT16:
		return OrderInt16
	case arrow.INT32, arrow.DATE32, arrow.TIME32:
		return OrderInt32
	case arrow.INT64, arrow.DATE64, arrow.TIME64, arrow.TIMESTAMP:
		return OrderInt64
	case arrow.UINT8:
		return OrderUint8
	case arrow.UINT16:
		return OrderUint16
	case arrow.UINT32:
		return OrderUint32
	case arrow.UINT64:
		return OrderUint64
	case arrow.FLOAT32:
		return OrderFloat32
	case arrow.FLOAT64:
		return OrderFloat64
	case arrow.DECIMAL128:
		return OrderDecimal128
	case arrow.STRING, arrow.BINARY, arrow.LARGE_STRING, arrow.LARGE_BINARY, arrow.FIXED_SIZE_BINARY:
		return OrderText
	}
	return OrderNone
}

// Compare compares a value of a with a value of b, which must be of the same order: negative, 0 or positive. NULL is below
// every value and equal to NULL.
func Compare(a *View, i int, b *View, j int) int { return a.Order.compare(a, i, b, j) }

// compare compares two values as those of an order, which has their width whatever the arrays say of their type.
func (o Order) compare(a *View, i int, b *View, j int) int {
	if a.Nulls > 0 || b.Nulls > 0 {
		if c, decided := compareNulls(a, i, b, j); decided {
			return c
		}
	}
	switch o {
	case OrderText:
		return bytes.Compare(a.Text(i), b.Text(j))
	case OrderDecimal128:
		return Fixed[decimal128.Num](a)[i].Cmp(Fixed[decimal128.Num](b)[j])
	}
	return cmp.Compare(o.normal(a, i), o.normal(b, j))
}

// compareNulls compares two values of which one is NULL or both are; decided is false if neither is.
func compareNulls(a *View, i int, b *View, j int) (c int, decided bool) {
	switch an, bn := a.IsNull(i), b.IsNull(j); {
	case an && bn:
		return 0, true
	case an:
		return -1, true
	case bn:
		return 1, true
	}
	return 0, false
}

// Normal maps a value to an unsigned integer of the same order, if its type is not text or decimal and it is not NULL.
func (v *View) Normal(row int) (normal uint64, ok bool) {
	if v.Order == OrderNone || v.Order == OrderText || v.Order == OrderDecimal128 || v.IsNull(row) {
		return 0, false
	}
	return v.normal(row), true
}

// normal maps a value that is not NULL, of any order but text and decimal, to an unsigned integer of the same order.
func (v *View) normal(i int) uint64 { return v.Order.normal(v, i) }

// normal is View.normal for a value as one of an order.
func (o Order) normal(v *View, i int) uint64 {
	switch o {
	case OrderBool:
		if v.Bool(i) {
			return 1
		}
		return 0
	case OrderInt8:
		return signed(Fixed[int8](v)[i])
	case OrderInt16:
		return signed(Fixed[int16](v)[i])
	case OrderInt32:
		return signed(Fixed[int32](v)[i])
	case OrderInt64:
		return signed(Fixed[int64](v)[i])
	case OrderUint8:
		return uint64(v.fixed[i])
	case OrderUint16:
		return uint64(Fixed[uint16](v)[i])
	case OrderUint32:
		return uint64(Fixed[uint32](v)[i])
	case OrderUint64:
		return Fixed[uint64](v)[i]
	case OrderFloat32:
		return ordered32(Fixed[float32](v)[i])
	default:
		return ordered64(Fixed[float64](v)[i])
	}
}

const signBit = 1 << 63

func signed[T int8 | int16 | int32 | int64](x T) uint64 { return uint64(int64(x)) ^ signBit }

// ordered64 flips the bits of negative numbers and the sign of the others, which puts IEEE numbers in order.
func ordered64(x float64) uint64 {
	if x != x {
		return math.MaxUint64
	}
	u := math.Float64bits(x)
	return u ^ (uint64(int64(u)>>63) | signBit)
}

func ordered32(x float32) uint64 {
	if x != x {
		return math.MaxUint32
	}
	u := math.Float32bits(x)
	return uint64(u ^ (uint32(int32(u)>>31) | 1<<31))
}
