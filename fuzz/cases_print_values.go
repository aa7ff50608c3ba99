package fuzz

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// typeText is the text that parseField reads for a field, or for one of another layout that has the same values. It fails
// for types that case files have no name for.
func typeText(f arrow.Field) (string, error) {
	text, ok := f.Metadata.GetValue("paimon.type")
	if !ok {
		var err error
		if text, err = typeName(f.Type); err != nil {
			return "", err
		}
	}
	if !f.Nullable {
		text += " NOT NULL"
	}
	return text, nil
}

func typeName(t arrow.DataType) (string, error) {
	for name, simple := range simpleTypes {
		if arrow.TypeEqual(t, simple) {
			return name, nil
		}
	}
	switch t := t.(type) {
	case *arrow.LargeStringType:
		return "STRING", nil
	case *arrow.LargeBinaryType:
		return "BYTES", nil
	case *arrow.FixedSizeBinaryType:
		return fmt.Sprintf("BINARY(%d)", t.ByteWidth), nil
	case *arrow.Decimal128Type:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.Precision, t.Scale), nil
	case *arrow.Time32Type:
		if t.Unit == arrow.Millisecond {
			return "TIME", nil
		}
	case *arrow.TimestampType:
		digits := map[arrow.TimeUnit]int{arrow.Second: 0, arrow.Millisecond: 3, arrow.Microsecond: 6, arrow.Nanosecond: 9}[t.Unit]
		switch t.TimeZone {
		case "":
			return fmt.Sprintf("TIMESTAMP(%d)", digits), nil
		case "UTC":
			return fmt.Sprintf("TIMESTAMP_LTZ(%d)", digits), nil
		}
	case *arrow.ListType:
		return typeOf("ARRAY", false, t.ElemField())
	case *arrow.MapType:
		key := t.KeyField()
		key.Nullable = true // keys never are NULL, which goes without saying
		return typeOf("MAP", false, key, t.ItemField())
	case *arrow.StructType:
		return typeOf("ROW", true, t.Fields()...)
	}
	return "", fmt.Errorf("case files have no name for type %s", t)
}

// typeOf is the text of a type of other types.
func typeOf(word string, named bool, fields ...arrow.Field) (string, error) {
	var parts []string
	for _, f := range fields {
		text, err := typeText(f)
		if err != nil {
			return "", err
		}
		if named {
			text = f.Name + " " + text
		}
		parts = append(parts, text)
	}
	return word + "<" + strings.Join(parts, ",") + ">", nil
}

// jsonRow gives values as caseRow reads them.
func jsonRow(fields []arrow.Field, values []any) ([]any, error) {
	row := []any{}
	for i, v := range values {
		value, err := jsonValue(fields[i].Type, v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fields[i].Name, err)
		}
		row = append(row, value)
	}
	return row, nil
}

// jsonValue gives a value as caseValue reads it.
func jsonValue(t arrow.DataType, v any) (any, error) {
	switch v := v.(type) {
	case float32:
		return jsonFloat(float64(v), 32), nil
	case float64:
		return jsonFloat(v, 64), nil
	case string:
		if !utf8.ValidString(v) {
			return nil, errors.New("text that is not UTF-8")
		}
	case []byte:
		return hex.EncodeToString(v), nil
	case decimal128.Num:
		return jsonDecimal(v, t.(*arrow.Decimal128Type).Scale), nil
	case arrow.Timestamp:
		return jsonTimestamp(v, t.(*arrow.TimestampType).Unit)
	case rowmerge.List:
		return jsonList(t.(*arrow.ListType).Elem(), v)
	case rowmerge.Struct:
		return jsonRow(t.(*arrow.StructType).Fields(), v)
	case rowmerge.Map:
		return jsonMap(t.(*arrow.MapType), v)
	}
	return v, nil
}

func jsonList(elem arrow.DataType, list []any) (any, error) {
	out := []any{}
	for _, e := range list {
		value, err := jsonValue(elem, e)
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	return out, nil
}

func jsonMap(t *arrow.MapType, m rowmerge.Map) (any, error) {
	out := []any{}
	for _, e := range m {
		pair, err := jsonRow([]arrow.Field{t.KeyField(), t.ItemField()}, []any{e.Key, e.Value})
		if err != nil {
			return nil, err
		}
		out = append(out, pair)
	}
	return out, nil
}

// jsonFloat gives what JSON numbers cannot say as text.
func jsonFloat(f float64, bits int) any {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0 && math.Signbit(f):
		return "-0.0"
	case bits == 32:
		return float32(f)
	}
	return f
}

// jsonDecimal gives plain notation with as many fraction digits as the scale says.
func jsonDecimal(v decimal128.Num, scale int32) string {
	n := v.BigInt()
	digits := new(big.Int).Abs(n).String()
	if missing := int(scale) + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	if scale > 0 {
		digits = digits[:len(digits)-int(scale)] + "." + digits[len(digits)-int(scale):]
	}
	if n.Sign() < 0 {
		return "-" + digits
	}
	return digits
}

// jsonTimestamp gives milliseconds and the nanoseconds inside the millisecond. It fails where the milliseconds need more
// than 64 bits.
func jsonTimestamp(v arrow.Timestamp, unit arrow.TimeUnit) (string, error) {
	nanos := new(big.Int).Mul(big.NewInt(int64(v)), big.NewInt(int64(unit.Multiplier())))
	millis, rest := new(big.Int).DivMod(nanos, big.NewInt(1e6), new(big.Int))
	if !millis.IsInt64() {
		return "", fmt.Errorf("a timestamp of %s milliseconds is out of range", millis)
	}
	return millis.String() + ":" + strconv.FormatInt(rest.Int64(), 10), nil
}
