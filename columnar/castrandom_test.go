package columnar_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// randomCasts are pairs whose values are drawn at random; the row-wise cast below knows all of them.
var randomCasts = func() (pairs [][2]string) {
	ints := []string{"int8", "int16", "int32", "int64"}
	decimals := []string{"decimal(3,1)", "decimal(9,0)", "decimal(18,18)", "decimal(18,4)", "decimal(19,4)", "decimal(38,0)", "decimal(38,19)", "decimal(38,30)"}
	cross := func(from, to []string) {
		for _, f := range from {
			for _, t := range to {
				pairs = append(pairs, [2]string{f, t})
			}
		}
	}
	for i, from := range ints {
		cross([]string{from}, ints[i:])
	}
	cross(append(ints, "bool"), append([]string{"float32", "float64", "utf8", "large_utf8"}, decimals...))
	cross([]string{"bool"}, ints)
	cross([]string{"float32"}, []string{"float64"})
	cross(decimals, append([]string{"float32", "float64", "utf8"}, decimals...))
	stamps := []string{"ts[s]", "ts[ms]", "ts[us]", "ts[ns]"}
	cross(append(stamps, "date"), append([]string{"utf8"}, stamps...))
	cross([]string{"time32[s]", "time32[ms]", "time64[us]"}, []string{"utf8", "time64[ns]"})
	cross([]string{"utf8", "large_utf8"}, []string{"utf8", "large_utf8"})
	cross([]string{"binary", "large_binary", "fixed(3)"}, []string{"binary", "large_binary"})
	return pairs
}()

// TestRandomCasts compares with the row-wise cast.
func TestRandomCasts(t *testing.T) {
	misfits := 0
	for _, pair := range randomCasts {
		from, to := field(t, pair[0]), field(t, pair[1])
		for seed := range uint64(30) {
			rng := rand.New(rand.NewPCG(seed, 2))
			raws := randomRaws(rng, from.Type, rng.IntN(70))
			if rng.IntN(2) == 0 {
				small(raws, from.Type)
			}
			misfits += compareCast(t, fmt.Sprintf("%s to %s, seed %d", pair[0], pair[1], seed), rng, from, to, raws)
		}
	}
	if misfits < 100 {
		t.Errorf("only %d batches with a value that does not fit", misfits)
	}
}

// small makes numbers of more than a byte fit most types.
func small(raws [][]byte, dt arrow.DataType) {
	for _, raw := range raws {
		if len(raw) < 2 || isText(dt) || strings.HasPrefix(dt.String(), "f") {
			continue
		}
		fill(raw[min(len(raw)/2, 3):], 0)
		if raw[0]&1 != 0 {
			fill(raw[min(len(raw)/2, 3):], 0xff)
		}
	}
}

func compareCast(t *testing.T, name string, rng *rand.Rand, from, to arrow.Field, raws [][]byte) (misfits int) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	file := newArray(rng, mem, from.Type, raws)
	defer file.Release()
	var want []string
	misfit := -1
	for row, value := range valuesOf(file) {
		text, fits := castValue(value, from.Type, to.Type)
		if !fits && misfit < 0 {
			misfit = row
		}
		want = append(want, text)
	}
	got, err := mapColumn(mem, from, to, file)
	if misfit >= 0 {
		if !errors.Is(err, columnar.ErrTooLarge) || !strings.Contains(err.Error(), fmt.Sprintf("row %d:", misfit)) {
			t.Fatalf("%s: got error %v, want one for row %d", name, err, misfit)
		}
		return 1
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer got.Release()
	if text := show(got); text != strings.Join(want, "|") {
		t.Fatalf("%s:\nin   %s\ngot  %s\nwant %s", name, show(file), text, strings.Join(want, "|"))
	}
	return 0
}

// castValue casts one value and shows the result; it is false for one that must be refused.
func castValue(value any, from, to arrow.DataType) (string, bool) {
	if value == nil {
		return "NULL", true
	}
	switch to := to.(type) {
	case *arrow.StringType, *arrow.LargeStringType, *arrow.BinaryType, *arrow.LargeBinaryType:
		return castToText(value, from)
	case *arrow.Decimal128Type:
		return castToDecimal(value, from, to), true
	case *arrow.TimestampType:
		return castToTimestamp(value, from, to)
	case *arrow.Time64Type:
		unit := from.(arrow.TemporalWithUnit).TimeUnit().Multiplier()
		n := new(big.Int).Mul(integer(value), big.NewInt(int64(unit)))
		return n.String(), n.IsInt64()
	case *arrow.Float32Type:
		return showValue(float32(floatOf(value, from, 32))), true
	case *arrow.Float64Type:
		return showValue(floatOf(value, from, 64)), true
	}
	return integer(value).String(), true
}

func integer(value any) *big.Int {
	switch v := value.(type) {
	case bool:
		if v {
			return big.NewInt(1)
		}
		return big.NewInt(0)
	case decimal128.Num:
		return v.BigInt()
	}
	return big.NewInt(reflect.ValueOf(value).Int())
}

func pow10(n int32) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func castToDecimal(value any, from arrow.DataType, to *arrow.Decimal128Type) string {
	exact := new(big.Rat).SetInt(integer(value))
	if d, ok := from.(*arrow.Decimal128Type); ok {
		if d.Precision == to.Precision && d.Scale == to.Scale {
			return integer(value).String()
		}
		exact.Quo(exact, new(big.Rat).SetInt(pow10(d.Scale)))
	}
	text := exact.FloatString(int(to.Scale)) // rounds half away from zero
	unscaled, _ := new(big.Int).SetString(strings.Replace(text, ".", "", 1), 10)
	if new(big.Int).Abs(unscaled).Cmp(pow10(to.Precision)) >= 0 {
		return "NULL"
	}
	return unscaled.String()
}

func floatOf(value any, from arrow.DataType, bits int) float64 {
	if f, ok := value.(float32); ok {
		return float64(f)
	}
	n := integer(value)
	d, ok := from.(*arrow.Decimal128Type)
	switch {
	case !ok && bits == 32:
		return float64(float32(n.Int64()))
	case !ok:
		return float64(n.Int64())
	case d.Precision <= 18 && n.IsInt64():
		unit, _ := new(big.Float).SetInt(pow10(d.Scale)).Float64()
		return float64(n.Int64()) / unit
	}
	f, _ := new(big.Rat).SetFrac(n, pow10(d.Scale)).Float64()
	return f
}

func castToTimestamp(value any, from arrow.DataType, to *arrow.TimestampType) (string, bool) {
	n := integer(value)
	unit := big.NewInt(int64(to.TimeUnit().Multiplier())) // nanoseconds
	if from.ID() == arrow.DATE32 {
		n.Mul(n, big.NewInt(int64(24*time.Hour)))
	} else if unit := from.(*arrow.TimestampType).Unit; unit == to.Unit {
		return n.String(), true
	} else {
		n.Mul(n, big.NewInt(int64(unit.Multiplier())))
	}
	if to.Unit == arrow.Second {
		n.Div(n, big.NewInt(int64(time.Millisecond))) // rounds down: the divisor is positive
		n.Quo(n, big.NewInt(1000))
	} else {
		n.Div(n, unit)
	}
	return n.String(), n.IsInt64()
}

func castToText(value any, from arrow.DataType) (string, bool) {
	switch from := from.(type) {
	case *arrow.Decimal128Type:
		return new(big.Rat).SetFrac(integer(value), pow10(from.Scale)).FloatString(int(from.Scale)), true
	case *arrow.Date32Type:
		day := time.Unix(integer(value).Int64()*86400, 0).UTC()
		return day.Format("2006-01-02"), day.Year() >= 0 && day.Year() <= 9999
	case *arrow.TimestampType:
		at := timeOf(integer(value), from.Unit)
		text := at.Format("2006-01-02 15:04:05")
		if nanos := fmt.Sprintf("%09d", at.Nanosecond()); from.Unit > 0 {
			for len(nanos) > 3*int(from.Unit) && strings.HasSuffix(nanos, "0") {
				nanos = nanos[:len(nanos)-1]
			}
			text += "." + nanos
		}
		return text, at.Year() >= 0 && at.Year() <= 9999
	case arrow.TemporalWithUnit:
		at := timeOf(integer(value), from.TimeUnit())
		text := at.Format("15:04:05")
		if from.TimeUnit() > 0 {
			fraction := strings.TrimRight(fmt.Sprintf("%09d", at.Nanosecond()), "0")
			text += "." + fraction
			if fraction == "" {
				text += "0"
			}
		}
		return text, true
	}
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	}
	return integer(value).String(), true
}

// timeOf returns the instant of so many units since 1970.
func timeOf(n *big.Int, unit arrow.TimeUnit) time.Time {
	seconds, rest := new(big.Int).DivMod(n, big.NewInt(int64(time.Second/unit.Multiplier())), new(big.Int))
	return time.Unix(seconds.Int64(), rest.Int64()*int64(unit.Multiplier())).UTC()
}
