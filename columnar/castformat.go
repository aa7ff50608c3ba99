package columnar

import (
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// formatCast returns how values that are no texts are written, nil if they are not.
func formatCast(file arrow.Field) format {
	switch t := file.Type.(type) {
	case *arrow.Int8Type:
		return formatInts[int8]
	case *arrow.Int16Type:
		return formatInts[int16]
	case *arrow.Int32Type:
		return formatInts[int32]
	case *arrow.Int64Type:
		return formatInts[int64]
	case *arrow.BooleanType:
		return formatBools
	case *arrow.Decimal128Type:
		if plainDecimal(t) {
			return formatDecimals(int(t.Scale))
		}
	case *arrow.Date32Type:
		return formatDates
	case *arrow.Time32Type:
		return formatTimes[int32](t.Unit, declaredOf(file).digits(t.Unit))
	case *arrow.Time64Type:
		return formatTimes[int64](t.Unit, declaredOf(file).digits(t.Unit))
	case *arrow.TimestampType:
		return formatTimestamps(t.Unit, declaredOf(file).digits(t.Unit))
	}
	return nil
}

// maxIntText is the longest text of an int64.
const maxIntText = len("-9223372036854775808")

func formatInts[S int8 | int16 | int32 | int64](c *casting, out *textWriter) {
	for i, x := range input[S](c) {
		if c.view.IsNull(c.from + i) {
			out.endNull()
			continue
		}
		if !out.end(strconv.AppendInt(out.room(maxIntText), int64(x), 10)) {
			return
		}
	}
}

func formatBools(c *casting, out *textWriter) {
	for row := c.from; row < c.to; row++ {
		if c.view.IsNull(row) {
			out.endNull()
			continue
		}
		if !out.end(strconv.AppendBool(out.room(len("false")), c.view.Bool(row))) {
			return
		}
	}
}

// copyText copies texts, to be cut or filled up.
func copyText(c *casting, out *textWriter) {
	for row := c.from; row < c.to; row++ {
		if c.view.IsNull(row) {
			out.endNull()
			continue
		}
		text := c.view.Text(row)
		if !out.end(append(out.room(len(text)), text...)) {
			return
		}
	}
}

func formatDecimals(scale int) format {
	return func(c *casting, out *textWriter) {
		for i, x := range input[decimal128.Num](c) {
			if c.view.IsNull(c.from + i) {
				out.endNull()
				continue
			}
			if !out.end(appendDecimal(out.room(maxDecimalText), x, scale)) {
				return
			}
		}
	}
}

// maxDecimalText is the longest text of a decimal: a sign, a 0 before the point, the point, and 39 digits.
const maxDecimalText = 42

// appendDecimal appends the plain digits of a decimal, so many of them behind the point.
func appendDecimal(b []byte, d decimal128.Num, scale int) []byte {
	size, negative := parts(d)
	if negative {
		b = append(b, '-')
	}
	var digits [3 * wordPower]byte
	at := len(digits)
	for written := 0; written <= scale || size != (uint128{}); {
		var word uint64
		size, word = size.over(powers10[wordPower].lo)
		for range wordPower {
			at--
			digits[at] = byte('0' + word%10)
			word /= 10
		}
		written += wordPower
	}
	point := len(digits) - scale
	for at < point-1 && digits[at] == '0' {
		at++
	}
	b = append(b, digits[at:point]...)
	if scale > 0 {
		b = append(append(b, '.'), digits[point:]...)
	}
	return b
}
