package columnar

import (
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
)

// isTime says whether a type is a time of the day.
func isTime(t arrow.DataType) bool { return t.ID() == arrow.TIME32 || t.ID() == arrow.TIME64 }

// unitOf returns the unit of a time or timestamp.
func unitOf(t arrow.DataType) arrow.TimeUnit { return t.(arrow.TemporalWithUnit).TimeUnit() }

// timeCast returns the cast to a time of a finer unit, nil for a coarser one.
func timeCast(from, to arrow.DataType) cast {
	by := unitDigits(unitOf(to)) - unitDigits(unitOf(from))
	switch {
	case by < 0:
		return nil
	case from.ID() == arrow.TIME64:
		return scaleUp[int64, int64](power10(by))
	case to.ID() == arrow.TIME64:
		return scaleUp[int32, int64](power10(by))
	}
	return scaleUp[int32, int32](power10(by))
}

// timestampCast returns the cast between timestamps of two precisions, and whether there is anything to do.
func timestampCast(file, table arrow.Field) (cast, bool) {
	fromUnit, toUnit := unitDigits(unitOf(file.Type)), unitDigits(unitOf(table.Type))
	declaredFrom := declaredOf(file)
	from, to := declaredFrom.digits(unitOf(file.Type)), declaredOf(table).digits(unitOf(table.Type))
	if fromUnit == toUnit && (from <= to || declaredFrom.name == "") {
		return nil, false
	}
	to = min(to, toUnit)
	if from <= to && fromUnit <= toUnit {
		return scaleUp[int64, int64](power10(toUnit - fromUnit)), true
	}
	return coarsen(fromUnit, min(to, fromUnit), toUnit), true
}

// scaleUp multiplies by a positive factor.
func scaleUp[S, D int32 | int64](factor int64) cast {
	return func(c *casting) (arrow.ArrayData, error) {
		values, dst := output[D](c)
		least, most := int64(math.MinInt64), int64(math.MaxInt64)
		if unsafe.Sizeof(D(0)) == 4 {
			least, most = math.MinInt32, math.MaxInt32
		}
		least, most = least/factor, most/factor
		for i, x := range input[S](c) {
			if v := int64(x); v < least || v > most {
				c.misfit(i)
			}
			dst[i] = D(int64(x) * factor)
		}
		return c.done(values), nil
	}
}

// millis is how many digits of a second are kept by cutting towards the past; fewer are cut towards 1970.
const millis = 3

// coarsen cuts timestamps from so many digits of a second down to digits, and stores them with
// unit digits, at least as many.
//
//	-1.5s    from 3 to 0 digits    -1500 ms -> -1 s
//	-1.5ms   from 6 to 3 digits    -1500 us -> -2 ms
func coarsen(from, digits, unit int) cast {
	floor := power10(from - max(digits, min(from, millis)))
	cut := power10(max(0, min(from, millis)-digits))
	factor := power10(unit - digits)
	least, most := math.MinInt64/factor, math.MaxInt64/factor
	return func(c *casting) (arrow.ArrayData, error) {
		values, dst := output[int64](c)
		for i, v := range input[int64](c) {
			v = floorDiv(v, floor) / cut
			if v < least || v > most {
				c.misfit(i)
			}
			dst[i] = v * factor
		}
		return c.done(values), nil
	}
}

// floorDiv divides by a positive number, rounding towards the past.
func floorDiv(v, d int64) int64 {
	q := v / d
	if v%d < 0 {
		q--
	}
	return q
}
