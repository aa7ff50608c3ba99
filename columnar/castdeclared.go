package columnar

import (
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// declaredTypeKey is the field metadata with the type a column has in the table, where the Arrow type says less.
const declaredTypeKey = "paimon.type"

// declared is the type a column has in the table: the words before the parenthesis and the first number inside.
//
//	VARCHAR(10) NOT NULL                  VARCHAR 10
//	TIMESTAMP(3) WITH LOCAL TIME ZONE     TIMESTAMP 3
//	STRING                                STRING -1
type declared struct {
	name   string // upper case; empty if nothing is declared
	number int    // -1 if there is none
}

func declaredOf(f arrow.Field) declared {
	text, _ := f.Metadata.GetValue(declaredTypeKey)
	name, rest, _ := strings.Cut(text, "(")
	name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	number, err := strconv.Atoi(rest[:max(end, 0)])
	if err != nil {
		number = -1
	}
	return declared{name: strings.ToUpper(name), number: number}
}

// limit is the length that the values of a declared type have at most, or exactly if it pads.
type limit struct {
	on    bool
	n     int  // characters of text, bytes of binary
	chars bool // counted in characters
	pads  bool
	pad   byte // what a shorter value is filled up with
}

// limit returns the limit of a declared type; off for a type without one.
func (d declared) limit() limit {
	if d.number < 0 || d.number == math.MaxInt32 {
		return limit{}
	}
	switch d.name {
	case "CHAR":
		return limit{on: true, n: d.number, chars: true, pads: true, pad: ' '}
	case "VARCHAR":
		return limit{on: true, n: d.number, chars: true}
	case "BINARY":
		return limit{on: true, n: d.number, pads: true}
	case "VARBINARY":
		return limit{on: true, n: d.number}
	}
	return limit{}
}

// within says whether values of this limit are values of the other as they are.
func (l limit) within(table limit) bool {
	switch {
	case !table.on:
		return true
	case table.pads:
		return l == table
	}
	return l.on && l.n <= table.n
}

// digits returns how many decimal digits of a second a time or timestamp has: as many as are declared, else as many as its
// unit holds.
func (d declared) digits(unit arrow.TimeUnit) int {
	if strings.HasPrefix(d.name, "TIME") && d.number >= 0 && d.number <= 9 {
		return d.number
	}
	return unitDigits(unit)
}

// unitDigits returns the decimal digits of a second that a unit holds: 0 for seconds, 9 for nanoseconds.
func unitDigits(unit arrow.TimeUnit) int { return 3 * int(unit) }
