package rowmerge

import (
	"math/big"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// integer is what an integer type can hold.
type integer struct {
	name     string
	min, max *big.Int
	value    func(n *big.Int) any // n as a value of the type; n fits
}

// integerOf describes an integer type; ok is false for any other.
func integerOf(t arrow.DataType) (integer, bool) {
	switch t.ID() {
	case arrow.INT8:
		return signed("byte", 8, func(n *big.Int) any { return int8(n.Int64()) }), true
	case arrow.INT16:
		return signed("short", 16, func(n *big.Int) any { return int16(n.Int64()) }), true
	case arrow.INT32:
		return signed("int", 32, func(n *big.Int) any { return int32(n.Int64()) }), true
	case arrow.INT64:
		return signed("long", 64, func(n *big.Int) any { return n.Int64() }), true
	case arrow.UINT8:
		return unsigned("unsigned byte", 8, func(n *big.Int) any { return uint8(n.Uint64()) }), true
	case arrow.UINT16:
		return unsigned("unsigned short", 16, func(n *big.Int) any { return uint16(n.Uint64()) }), true
	case arrow.UINT32:
		return unsigned("unsigned int", 32, func(n *big.Int) any { return uint32(n.Uint64()) }), true
	case arrow.UINT64:
		return unsigned("unsigned long", 64, func(n *big.Int) any { return n.Uint64() }), true
	}
	return integer{}, false
}

func signed(name string, bits uint, value func(*big.Int) any) integer {
	half := new(big.Int).Lsh(big.NewInt(1), bits-1)
	return integer{name, new(big.Int).Neg(half), new(big.Int).Sub(half, big.NewInt(1)), value}
}

func unsigned(name string, bits uint, value func(*big.Int) any) integer {
	end := new(big.Int).Lsh(big.NewInt(1), bits)
	return integer{name, new(big.Int), end.Sub(end, big.NewInt(1)), value}
}

// put gives n as a value of the type, or an error if it does not fit.
func (t integer) put(n *big.Int) (any, *Error) {
	if n.Cmp(t.min) < 0 || n.Cmp(t.max) > 0 {
		return nil, failf(KindArithmetic, "%s overflow: %s", t.name, n)
	}
	return t.value(n), nil
}

// bigOf gives an integer value, or the unscaled value of a decimal.
func bigOf(v any) *big.Int {
	switch v := v.(type) {
	case int8:
		return big.NewInt(int64(v))
	case int16:
		return big.NewInt(int64(v))
	case int32:
		return big.NewInt(int64(v))
	case int64:
		return big.NewInt(v)
	case uint8:
		return big.NewInt(int64(v))
	case uint16:
		return big.NewInt(int64(v))
	case uint32:
		return big.NewInt(int64(v))
	case uint64:
		return new(big.Int).SetUint64(v)
	case decimal128.Num:
		return v.BigInt()
	}
	panic("rowmerge: not an integer: " + Format(v))
}

// pow10 is 10 to the power of n.
func pow10(n int32) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// putDecimal gives an unscaled value as a decimal, NULL if it needs more than the type's digits.
func putDecimal(t *arrow.Decimal128Type, unscaled *big.Int) any {
	if new(big.Int).Abs(unscaled).Cmp(pow10(t.Precision)) >= 0 {
		return nil
	}
	return decimal128.FromBigInt(unscaled)
}
