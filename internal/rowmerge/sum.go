package rowmerge

import (
	"math/big"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// newSum makes sum: addition, and subtraction for retracts.
func newSum(c column, o *functionOptions) (*Function, *Error) {
	if _, ok := integerOf(c.typ); ok {
		return integerSum(c.typ), nil
	}
	switch t := c.typ.(type) {
	case *arrow.Float32Type:
		return floatSum[float32](), nil
	case *arrow.Float64Type:
		return floatSum[float64](), nil
	case *arrow.Decimal128Type:
		return decimalSum(t, o.strict), nil
	}
	return nil, configf("Data type for sum column must be 'NumericType' but was '%s'.", c.sql)
}

// sumOf makes a sum of its three operations on values that are not NULL.
func sumOf(add, subtract func(a, b any) (any, *Error), negate func(a any) (any, *Error)) *Function {
	return &Function{
		agg: withNulls(add),
		retract: func(acc, in any) (any, *Error) {
			switch {
			case in == nil:
				return acc, nil
			case acc == nil:
				return negate(in)
			}
			return subtract(acc, in)
		},
	}
}

func integerSum(t arrow.DataType) *Function {
	width, _ := integerOf(t)
	return sumOf(
		func(a, b any) (any, *Error) { return width.put(new(big.Int).Add(bigOf(a), bigOf(b))) },
		func(a, b any) (any, *Error) { return width.put(new(big.Int).Sub(bigOf(a), bigOf(b))) },
		func(a any) (any, *Error) { return width.put(new(big.Int).Neg(bigOf(a))) },
	)
}

func floatSum[T float32 | float64]() *Function {
	return sumOf(
		func(a, b any) (any, *Error) { return a.(T) + b.(T), nil },
		func(a, b any) (any, *Error) { return a.(T) - b.(T), nil },
		func(a any) (any, *Error) { return -a.(T), nil },
	)
}

// decimalSum keeps, up to 18 digits, a sum that has too many digits as long as its unscaled value fits 64 bits; strict mode
// and wider types give NULL.
func decimalSum(t *arrow.Decimal128Type, strict bool) *Function {
	put := func(n *big.Int) (any, *Error) {
		if t.Precision <= 18 && !strict && n.IsInt64() {
			return decimal128.FromBigInt(n), nil
		}
		return putDecimal(t, n), nil
	}
	return sumOf(
		func(a, b any) (any, *Error) { return put(new(big.Int).Add(bigOf(a), bigOf(b))) },
		func(a, b any) (any, *Error) { return put(new(big.Int).Sub(bigOf(a), bigOf(b))) },
		func(a any) (any, *Error) { return a.(decimal128.Num).Negate(), nil },
	)
}
