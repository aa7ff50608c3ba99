package columnar

import (
	"strconv"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// compactDigits is the precision up to which a decimal is an int64 where tables are written.
const compactDigits = 18

// plainDecimal says whether a decimal is one that tables have: up to 38 digits, none to up to all of them after the point.
func plainDecimal(t *arrow.Decimal128Type) bool {
	return t.Precision >= 1 && t.Precision <= maxPower && t.Scale >= 0 && t.Scale <= t.Precision
}

// decimalCast returns the cast to a decimal, nil if there is none.
func decimalCast(file arrow.DataType, to *arrow.Decimal128Type) cast {
	if !plainDecimal(to) {
		return nil
	}
	scale, precision := int(to.Scale), int(to.Precision)
	switch from := file.(type) {
	case *arrow.BooleanType:
		return boolToDecimal(scale, precision)
	case *arrow.Int8Type:
		return intToDecimal[int8](scale, precision)
	case *arrow.Int16Type:
		return intToDecimal[int16](scale, precision)
	case *arrow.Int32Type:
		return intToDecimal[int32](scale, precision)
	case *arrow.Int64Type:
		return intToDecimal[int64](scale, precision)
	case *arrow.Decimal128Type:
		if !plainDecimal(from) {
			return nil
		}
		if by := scale - int(from.Scale); by >= 0 {
			return scaleDecimal(by, precision)
		}
		return roundDecimal(int(from.Scale)-scale, precision)
	}
	return nil
}

// boolToDecimal casts to 0 and 1, where 1 does not fit without a digit before the point.
func boolToDecimal(scale, precision int) cast {
	one := powers10[scale].signed(false)
	return func(c *casting) (arrow.ArrayData, error) {
		values, dst := output[decimal128.Num](c)
		for i := range dst {
			dst[i] = decimal128.Num{}
			if !c.view.Bool(c.from + i) {
				continue
			}
			dst[i] = one
			if scale == precision {
				c.misfit(i)
			}
		}
		return c.doneNulls(values), nil
	}
}

func intToDecimal[S int8 | int16 | int32 | int64](scale, precision int) cast {
	factor, limit := powers10[scale], powers10[precision-scale]
	return func(c *casting) (arrow.ArrayData, error) {
		values, dst := output[decimal128.Num](c)
		for i, x := range input[S](c) {
			size := uint128{lo: magnitude(int64(x))}
			if !size.less(limit) {
				c.misfit(i)
			}
			dst[i] = size.times(factor).signed(x < 0)
		}
		return c.doneNulls(values), nil
	}
}

// scaleDecimal adds digits after the point. Without any the file's values are shared, and only looked at.
func scaleDecimal(by, precision int) cast {
	factor, limit := powers10[by], powers10[max(precision-by, 0)]
	return func(c *casting) (arrow.ArrayData, error) {
		var values *memory.Buffer
		var dst []decimal128.Num
		if by > 0 {
			values, dst = output[decimal128.Num](c)
		} else {
			values = c.shareValues()
		}
		for i, x := range input[decimal128.Num](c) {
			size, negative := parts(x)
			if !size.less(limit) {
				c.misfit(i)
			}
			if by > 0 {
				dst[i] = size.times(factor).signed(negative)
			}
		}
		return c.doneNulls(values), nil
	}
}

// roundDecimal takes digits after the point away, rounding half away from zero.
func roundDecimal(by, precision int) cast {
	limit := powers10[precision]
	return func(c *casting) (arrow.ArrayData, error) {
		values, dst := output[decimal128.Num](c)
		for i, x := range input[decimal128.Num](c) {
			size, negative := parts(x)
			size = size.rounded(by)
			if !size.less(limit) {
				c.misfit(i)
			}
			dst[i] = size.signed(negative)
		}
		return c.doneNulls(values), nil
	}
}

// shareValues returns the bytes of the excerpt's fixed-width values, which are the file's own.
func (c *casting) shareValues() *memory.Buffer {
	width := c.view.Layout.Width
	return memory.SliceBuffer(c.data.Buffers()[1], (c.data.Offset()+c.from)*width, c.rows()*width)
}

// decimalToFloatCast returns the cast from a decimal to a float, nil if there is none.
func decimalToFloatCast(from *arrow.Decimal128Type, to arrow.Type) cast {
	if !plainDecimal(from) {
		return nil
	}
	switch to {
	case arrow.FLOAT32:
		return decimalToFloat[float32](from)
	case arrow.FLOAT64:
		return decimalToFloat[float64](from)
	}
	return nil
}

func decimalToFloat[D float32 | float64](from *arrow.Decimal128Type) cast {
	scale, compact := int(from.Scale), from.Precision <= compactDigits
	divisor := float64(0)
	if compact {
		divisor = float64(powers10[scale].lo)
	}
	return func(c *casting) (arrow.ArrayData, error) {
		values, dst := output[D](c)
		var digits [maxDecimalText]byte
		for i, x := range input[decimal128.Num](c) {
			if low := int64(x.LowBits()); compact && x.HighBits() == low>>63 {
				dst[i] = D(float64(low) / divisor)
				continue
			}
			text := appendDecimal(digits[:0], x, scale)
			f, _ := strconv.ParseFloat(unsafe.String(unsafe.SliceData(text), len(text)), 64) // digits, far from infinity
			dst[i] = D(f)
		}
		return c.done(values), nil
	}
}
