package rowmerge

import (
	"math/big"

	"github.com/apache/arrow/go/v17/arrow"
)

// newProduct makes product: multiplication, and division for retracts.
func newProduct(c column, o *functionOptions) (*Function, *Error) {
	if width, ok := integerOf(c.typ); ok {
		return productOf(width.multiply, width.divide), nil
	}
	switch t := c.typ.(type) {
	case *arrow.Float32Type:
		return floatProduct[float32](), nil
	case *arrow.Float64Type:
		return floatProduct[float64](), nil
	case *arrow.Decimal128Type:
		d := decimalType{t}
		return productOf(d.multiply, d.divide), nil
	}
	return nil, configf("Data type for product column must be 'NumericType' but was '%s'.", c.sql)
}

// productOf makes a product of its operations on values that are not NULL. A retract with NULL on either side changes
// nothing.
func productOf(multiply, divide func(a, b any) (any, *Error)) *Function {
	return &Function{
		agg: withNulls(multiply),
		retract: func(acc, in any) (any, *Error) {
			if acc == nil || in == nil {
				return acc, nil
			}
			return divide(acc, in)
		},
	}
}

func floatProduct[T float32 | float64]() *Function {
	return productOf(
		func(a, b any) (any, *Error) { return a.(T) * b.(T), nil },
		func(a, b any) (any, *Error) { return a.(T) / b.(T), nil },
	)
}

func (t integer) multiply(a, b any) (any, *Error) {
	return t.put(new(big.Int).Mul(bigOf(a), bigOf(b)))
}

// divide truncates towards zero.
func (t integer) divide(a, b any) (any, *Error) {
	if bigOf(b).Sign() == 0 {
		return nil, failf(KindArithmetic, "/ by zero")
	}
	return t.put(new(big.Int).Quo(bigOf(a), bigOf(b)))
}

// decimalType multiplies and divides decimals of one type; a result that needs more digits than the type has is NULL.
type decimalType struct{ *arrow.Decimal128Type }

func (t decimalType) multiply(a, b any) (any, *Error) {
	exact := new(big.Rat).SetFrac(new(big.Int).Mul(bigOf(a), bigOf(b)), pow10(t.Scale))
	return putDecimal(t.Decimal128Type, roundHalfUp(exact)), nil
}

// divide needs a quotient with an end: one whose denominator has no other prime factors than 2 and 5.
func (t decimalType) divide(a, b any) (any, *Error) {
	x, y := bigOf(a), bigOf(b)
	if y.Sign() == 0 {
		return nil, failf(KindArithmetic, "Division by zero")
	}
	denominator := new(big.Rat).SetFrac(x, y).Denom()
	for _, prime := range []int64{2, 5} {
		p := big.NewInt(prime)
		for new(big.Int).Rem(denominator, p).Sign() == 0 {
			denominator = new(big.Int).Quo(denominator, p)
		}
	}
	if denominator.Cmp(big.NewInt(1)) != 0 {
		return nil, failf(KindArithmetic, "Non-terminating decimal expansion; no exact representable decimal result.")
	}
	scaled := new(big.Rat).SetFrac(new(big.Int).Mul(x, pow10(t.Scale)), y)
	return putDecimal(t.Decimal128Type, roundHalfUp(scaled)), nil
}

// roundHalfUp rounds to the nearest integer, a half away from zero.
func roundHalfUp(r *big.Rat) *big.Int {
	twice := new(big.Int).Mul(new(big.Int).Abs(r.Num()), big.NewInt(2))
	rounded := new(big.Int).Quo(twice.Add(twice, r.Denom()), new(big.Int).Mul(r.Denom(), big.NewInt(2)))
	if r.Sign() < 0 {
		rounded.Neg(rounded)
	}
	return rounded
}
