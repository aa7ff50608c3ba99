package aggfuncs

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// newProduct makes product: multiplication, and division by what is taken back. A NULL on either side of a division changes
// nothing.
func newProduct(f arrow.Field, o Options) (Rule, error) {
	switch storage(f.Type).ID() {
	case arrow.INT8:
		return integerProduct[int8](f.Type, o), nil
	case arrow.INT16:
		return integerProduct[int16](f.Type, o), nil
	case arrow.INT32:
		return integerProduct[int32](f.Type, o), nil
	case arrow.INT64:
		return integerProduct[int64](f.Type, o), nil
	case arrow.UINT8:
		return integerProduct[uint8](f.Type, o), nil
	case arrow.UINT16:
		return integerProduct[uint16](f.Type, o), nil
	case arrow.UINT32:
		return integerProduct[uint32](f.Type, o), nil
	case arrow.UINT64:
		return integerProduct[uint64](f.Type, o), nil
	case arrow.FLOAT32:
		return floatProduct[float32](f.Type, o), nil
	case arrow.FLOAT64:
		return floatProduct[float64](f.Type, o), nil
	case arrow.DECIMAL128:
		return Rule{Function: &product[decimal128.Num]{t: f.Type, options: o, groups: multiplyDecimals}}, nil
	}
	return Rule{}, errNotNumeric
}

func integerProduct[T integer](t arrow.DataType, o Options) Rule {
	return Rule{Function: &numberProduct[T]{product: product[T]{t: t, options: o, groups: multiplyIntegers[T]}, rest: taken(multiplyIntegersTo[T])}}
}

func floatProduct[T float](t arrow.DataType, o Options) Rule {
	return Rule{Function: &numberProduct[T]{product: product[T]{t: t, options: o, groups: multiplyFloats[T]}, rest: taken(multiplyFloatsTo[T])}}
}

// product multiplies numbers of one type, row by row. groups works a whole window out; it is called once for each.
type product[T any] struct {
	t       arrow.DataType
	options Options
	groups  func(t arrow.DataType, steps []step, in, out []T, has []uint64) error
	masks   rowMasks
}

// Fold is Function.Fold. A product is the same in any order, so late rows change nothing.
func (p *product[T]) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	buffer, out := newValues[T](g, mem)
	steps, has := p.masks.stepsOf(g, in, p.options.IgnoreRetract), p.masks.noHits(g)
	if err := p.groups(p.t, steps, columnar.Fixed[T](in), out, has); err != nil {
		buffer.Release()
		return nil, err
	}
	return finish[T](outcome{p.t, buffer, has}, g, mem), nil
}

// numberProduct is a product of numbers that have a width of the processor.
type numberProduct[T integer | float] struct {
	product[T]
	rest foldRest[T]
}

// FoldRest is RestFolder.FoldRest. A product that does not fit, or is NaN, is trouble.
func (p *numberProduct[T]) FoldRest(results []byte, r *Rest) (ok bool) {
	return p.rest.fold(results, r)
}

// multiplyIntegersTo multiplies those of their groups by values, and says whether a product did not fit.
func multiplyIntegersTo[T integer](out, in []T, of []uint32) (overflows bool) {
	of = of[:len(in)]
	for i, x := range in {
		acc, ok := &out[of[i]], true
		if *acc, ok = multiply(*acc, x); !ok {
			return true
		}
	}
	return false
}

// multiplyFloatsTo multiplies those of their groups by values, and says whether a product is NaN.
func multiplyFloatsTo[T float](out, in []T, of []uint32) (trouble bool) {
	of = of[:len(in)]
	for i, x := range in {
		acc := &out[of[i]]
		p := *acc * x
		trouble = trouble || p != p
		*acc = p
	}
	return trouble
}

func multiplyIntegers[T integer](t arrow.DataType, steps []step, in, out []T, has []uint64) error {
	var acc T
	group, full := 0, false
	for row, x := range in {
		st, ok, before := steps[row], true, acc
		if st&stepReset != 0 {
			full = false
		}
		if st&stepSet != 0 {
			acc, before, full = x, x, st&stepNull == 0
		}
		switch {
		case st&(stepSkip|stepNull) != 0, !full && st&stepRetract != 0:
		case st&stepRetract != 0 && x == 0:
			return fault(row, ErrDivideByZero, "%d / 0", acc)
		case st&stepRetract != 0:
			if acc, ok = divide(before, x); !ok {
				return fault(row, ErrOverflow, "%d / %d does not fit type %s", before, x, t)
			}
		case !full:
			acc, full = x, true
		default:
			if acc, ok = multiply(before, x); !ok {
				return fault(row, ErrOverflow, "%d * %d does not fit type %s", before, x, t)
			}
		}
		if st&stepEnd != 0 {
			out[group] = acc
			if full {
				has[row>>6] |= 1 << (row & 63)
			}
			group++
			full = false
		}
	}
	return nil
}

func multiplyFloats[T float](_ arrow.DataType, steps []step, in, out []T, has []uint64) error {
	var acc T
	group, full := 0, false
	for row, x := range in {
		st := steps[row]
		if st&stepReset != 0 {
			full = false
		}
		if st&stepSet != 0 {
			acc, full = x, st&stepNull == 0
		}
		switch {
		case st&(stepSkip|stepNull) != 0, !full && st&stepRetract != 0:
		case st&stepRetract != 0:
			acc /= x
		case full:
			acc *= x
		default:
			acc, full = x, true
		}
		if st&stepEnd != 0 {
			out[group] = acc
			if full {
				has[row>>6] |= 1 << (row & 63)
			}
			group++
			full = false
		}
	}
	return nil
}

// multiplyDecimals multiplies decimals. A product or quotient that has more digits than the type is NULL, and the next value
// starts anew.
func multiplyDecimals(t arrow.DataType, steps []step, in, out []decimal128.Num, has []uint64) error {
	d, _ := isDecimal(t)
	var acc decimal128.Num
	group, full := 0, false
	for row, x := range in {
		st := steps[row]
		if st&stepReset != 0 {
			full = false
		}
		if st&stepSet != 0 {
			acc, full = x, st&stepNull == 0
		}
		switch {
		case st&(stepSkip|stepNull) != 0, !full && st&stepRetract != 0:
		case st&stepRetract != 0:
			if err := mayDivide(row, acc, x, d.Scale); err != nil {
				return err
			}
			acc, full = divideDecimal(acc, x, d.Precision, d.Scale)
		case full:
			acc, full = multiplyDecimal(acc, x, d.Precision, d.Scale)
		default:
			acc, full = x, true
		}
		if st&stepEnd != 0 {
			out[group] = acc
			if full {
				has[row>>6] |= 1 << (row & 63)
			}
			group++
			full = false
		}
	}
	return nil
}

// mayDivide makes an error of a division by zero and of a quotient without end.
func mayDivide(row int, a, b decimal128.Num, scale int32) error {
	x, _ := magnitude(a)
	y, _ := magnitude(b)
	switch {
	case y.isZero():
		return fault(row, ErrDivideByZero, "%s / 0", a.ToString(scale))
	case !hasEnd(x, y):
		return fault(row, ErrInexact, "%s / %s", a.ToString(scale), b.ToString(scale))
	}
	return nil
}
