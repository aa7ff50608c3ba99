package expression

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

func constantNull() *term {
	return &term{op: opConstant, value: &vector{rows: 1, valid: []uint64{0}}}
}

func constantBool(b bool) *term {
	v := &vector{rows: 1, bits: []uint64{0}}
	if b {
		v.bits[0] = 1
	}
	return &term{op: opConstant, typ: Type{Kind: KindBool}, value: v}
}

func constantText(text string) *term {
	return &term{op: opConstant, typ: Type{Kind: KindText}, value: &vector{rows: 1, texts: texts{one: []byte(text)}}}
}

// number makes the constant of a number: an integer if it has neither point nor exponent and fits, a float if it has an
// exponent, else a decimal.
func number(s *syntax) (*term, error) {
	if strings.ContainsAny(s.text, "eE") {
		f, err := strconv.ParseFloat(s.text, 64)
		if err != nil {
			return nil, fmt.Errorf("%w: %s at byte %d is no number that a float can hold", ErrExpression, s.text, s.at)
		}
		return &term{op: opConstant, typ: Type{Kind: KindFloat}, value: &vector{rows: 1, floats: []float64{f}}}, nil
	}
	whole, fraction, point := strings.Cut(s.text, ".")
	if i, err := strconv.ParseInt(whole, 10, 64); err == nil && !point {
		return &term{op: opConstant, typ: Type{Kind: KindInt}, value: &vector{rows: 1, ints: []int64{i}}}, nil
	}
	n, ok := new(big.Int), false
	if len(whole)+len(fraction) <= 2*maxDigits {
		n, ok = n.SetString(whole+fraction, 10)
	}
	if !ok || len(fraction) > maxScale || !fits(n) {
		return nil, fmt.Errorf("%w: %s at byte %d has more than %d digits", ErrExpression, s.text, s.at, maxDigits)
	}
	typ := Type{Kind: KindDecimal, Scale: int32(len(fraction))}
	return &term{op: opConstant, typ: typ, value: &vector{rows: 1, decimals: []decimal128.Num{decimal128.FromBigInt(n)}}}, nil
}

// parseTime reads a constant text as a number of a date's, time's or timestamp's unit.
func parseTime(text string, t arrow.DataType) (int64, error) {
	switch t := t.(type) {
	case *arrow.Date32Type:
		at, err := time.Parse(time.DateOnly, text)
		return floorDiv(at.Unix(), 24*60*60), noTime(text, t, err)
	case *arrow.Date64Type:
		at, err := time.Parse(time.DateOnly, text)
		return at.UnixMilli(), noTime(text, t, err)
	case *arrow.Time32Type:
		return parseClock(text, t, t.Unit)
	case *arrow.Time64Type:
		return parseClock(text, t, t.Unit)
	case *arrow.TimestampType:
		return parseTimestamp(text, t)
	}
	return 0, fmt.Errorf("text does not become %s", t)
}

func noTime(text string, t arrow.DataType, err error) error {
	if err != nil {
		return fmt.Errorf("%q is no %s", text, t)
	}
	return nil
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// parseClock reads a time of day. More digits than the unit has are refused.
func parseClock(text string, t arrow.DataType, unit arrow.TimeUnit) (int64, error) {
	at, err := time.Parse("15:04:05", text)
	if err != nil {
		return 0, noTime(text, t, err)
	}
	midnight := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	return inUnit(text, t, at.Sub(midnight), unit)
}

func inUnit(text string, t arrow.DataType, d time.Duration, unit arrow.TimeUnit) (int64, error) {
	if d%unit.Multiplier() != 0 {
		return 0, fmt.Errorf("%q is finer than %s", text, t)
	}
	return int64(d / unit.Multiplier()), nil
}

// timestampForms are the ways to write a timestamp; a fraction may follow the seconds.
var timestampForms = []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z07:00", time.DateOnly}

// parseTimestamp reads a timestamp; without a zone of its own it is in UTC, and with one only a column with a zone has it.
func parseTimestamp(text string, t *arrow.TimestampType) (int64, error) {
	for i, form := range timestampForms {
		at, err := time.Parse(form, text)
		if err != nil {
			continue
		}
		if (i == 2 || i == 3) && t.TimeZone == "" {
			return 0, fmt.Errorf("%q has a time zone, %s has none", text, t)
		}
		fraction, err := inUnit(text, t, time.Duration(at.Nanosecond()), t.Unit)
		whole := new(big.Int).Mul(big.NewInt(at.Unix()), big.NewInt(int64(time.Second/t.Unit.Multiplier())))
		whole.Add(whole, big.NewInt(fraction))
		if err == nil && !whole.IsInt64() {
			err = fmt.Errorf("%q is out of the range of %s", text, t)
		}
		return whole.Int64(), err
	}
	return 0, fmt.Errorf("%q is no %s", text, t)
}
