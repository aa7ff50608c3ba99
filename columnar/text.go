package columnar

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// maxText is how many bytes of a value an error shows.
const maxText = 40

// String shows a value of a type that can be a key, for errors: numbers as they are stored, text quoted and shortened,
// other bytes in hexadecimal.
func (v *View) String(row int) string {
	if v.IsNull(row) {
		return "NULL"
	}
	switch v.Order {
	case OrderBool:
		return strconv.FormatBool(v.Bool(row))
	case OrderText:
		text, more := v.Text(row), ""
		cut := min(len(text), maxText)
		for cut > 0 && cut < len(text) && !utf8.RuneStart(text[cut]) {
			cut--
		}
		if cut < len(text) {
			text, more = text[:cut], "..."
		}
		if utf8.Valid(text) {
			return strconv.Quote(string(text)) + more
		}
		return fmt.Sprintf("0x%x%s", text, more)
	case OrderDecimal128:
		return Fixed[decimal128.Num](v)[row].BigInt().String()
	case OrderFloat32:
		return fmt.Sprint(Fixed[float32](v)[row])
	case OrderFloat64:
		return fmt.Sprint(Fixed[float64](v)[row])
	case OrderUint8, OrderUint16, OrderUint32, OrderUint64:
		return strconv.FormatUint(v.normal(row), 10)
	case OrderNone:
		return "?"
	}
	return strconv.FormatInt(int64(v.normal(row)^signBit), 10)
}
