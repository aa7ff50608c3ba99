package workload

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// sequenceColumn is the first column of the plain sets. It rises with the recency of rows, so that systems that have no runs can
// tell versions apart.
var sequenceColumn = column{name: "seq", typ: int64Type, function: "max", fill: func(v *value, r *row, _ uint64) { v.number = r.sequence() }}

// mixedColumns are five 8-byte columns, of which one is half NULL, and a text of 13 bytes.
func mixedColumns() []column {
	return []column{
		sequenceColumn,
		{name: "v1", typ: int64Type, function: "sum", fill: fillInt},
		{name: "v2", typ: int64Type, function: "min", fill: fillInt},
		{name: "v3", typ: int64Type, function: "sum", fill: fillInt, nulls: 0.5},
		{name: "v4", typ: int64Type, function: "max", fill: fillInt},
		{name: "text", typ: textType, function: "last_value", fill: func(v *value, _ *row, h uint64) {
			v.text = appendDigits(append(v.text[:0], "val-"...), within(h, 1_000_000_000), 9)
		}},
	}
}

// alike are four columns of one type.
func alike(t arrow.DataType, function string, fill func(*value, *row, uint64)) []column {
	columns := []column{sequenceColumn}
	for i := range 4 {
		columns = append(columns, column{name: fmt.Sprintf("v%d", i+1), typ: t, function: function, fill: fill, nulls: 0.05})
	}
	return columns
}

func fillInt(v *value, _ *row, h uint64)  { v.number = within(h, 1_000_000) }
func fillBool(v *value, _ *row, h uint64) { v.number = int64(h & 1) }

// textOf makes text of a length.
func textOf(length int) func(*value, *row, uint64) {
	return func(v *value, _ *row, h uint64) {
		v.text = v.text[:0]
		for len(v.text) < length {
			v.text = appendHex(v.text, h, min(16, length-len(v.text)))
			h = mix(h)
		}
	}
}

// fillList makes a list of up to seven numbers.
func fillList(v *value, _ *row, h uint64) {
	v.list = v.list[:0]
	for range h % 8 {
		h = mix(h)
		v.list = append(v.list, within(h, 1_000_000))
	}
}

// ycsbColumns are ten fields of 100 bytes.
func ycsbColumns(supplied func(i int) func(*row) bool) []column {
	columns := []column{sequenceColumn}
	for i := range 10 {
		c := column{name: fmt.Sprintf("field%d", i), typ: textType, fill: textOf(100)}
		if supplied != nil {
			c.supplied = supplied(i)
		}
		columns = append(columns, c)
	}
	return columns
}

// oneField: the first version of a key has all fields, each later one a single field.
func oneField(i int) func(*row) bool {
	return func(r *row) bool { return r.version == 0 || within(r.hash, 10) == int64(i) }
}

// streamColumns are columns that come from several streams, of which a run carries one: the other columns are NULL there.
func streamColumns(n, streams int, t arrow.DataType, fill func(*value, *row, uint64)) []column {
	columns := []column{sequenceColumn}
	for i := range n {
		columns = append(columns, column{name: fmt.Sprintf("c%02d", i), typ: t, fill: fill,
			supplied: func(r *row) bool { return r.run%streams == i%streams }})
	}
	return columns
}

// metricColumns are ten floats that are half NULL.
func metricColumns() []column {
	columns := []column{sequenceColumn}
	for i := range 10 {
		columns = append(columns, column{name: fmt.Sprintf("f%d", i), typ: arrow.PrimitiveTypes.Float64, nulls: 0.5,
			fill: func(v *value, _ *row, h uint64) { v.number = within(h, 1<<40) }})
	}
	return columns
}

// customerColumns are columns of a customer as TPC-C has them, without those that never change.
func customerColumns() []column {
	money := &arrow.Decimal128Type{Precision: 12, Scale: 2}
	cents := func(v *value, _ *row, h uint64) { v.number = within(h, 5_000_000) - 1_000 }
	return []column{
		sequenceColumn,
		{name: "c_last", typ: textType, fill: func(v *value, _ *row, h uint64) { v.text = appendSyllables(v.text[:0], h) }},
		{name: "c_credit", typ: textType, fill: func(v *value, _ *row, h uint64) { v.text = append(v.text[:0], "BC"[h%10/9], 'C') }},
		{name: "c_discount", typ: &arrow.Decimal128Type{Precision: 4, Scale: 4}, fill: func(v *value, _ *row, h uint64) { v.number = within(h, 5_001) }},
		{name: "c_balance", typ: money, fill: cents},
		{name: "c_ytd_payment", typ: money, fill: cents},
		{name: "c_payment_cnt", typ: arrow.PrimitiveTypes.Int32, fill: func(v *value, _ *row, h uint64) { v.number = within(h, 2_000) }},
		{name: "c_since", typ: timestampType, fill: func(v *value, _ *row, h uint64) { v.number = 1_600_000_000_000_000 + within(h, 1<<47) }},
		{name: "c_data", typ: textType, fill: func(v *value, r *row, h uint64) { textOf(int(30+h%70))(v, r, h) }},
	}
}

var syllables = []string{"BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"}

// appendSyllables makes a last name of three syllables.
func appendSyllables(text []byte, h uint64) []byte {
	for _, digit := range []uint64{h % 10, h / 10 % 10, h / 100 % 10} {
		text = append(text, syllables[digit]...)
	}
	return text
}
