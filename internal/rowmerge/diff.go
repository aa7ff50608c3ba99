package rowmerge

import (
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// RowsOf decodes a record that a merge has given: the named value columns, and kind, sequence number and key where the
// record has the system columns. Without them a row is +I, its number -1, its key empty.
func RowsOf(rec arrow.Record, columns []string, primaryKey []string) ([]Row, error) {
	values := make([]arrow.Array, len(columns))
	for c, name := range columns {
		if values[c] = columnNamed(rec, name); values[c] == nil && rec.NumRows() > 0 {
			return nil, failf(KindSchema, "column %q is missing", name)
		}
	}
	var keys []arrow.Array
	for _, name := range primaryKey {
		if a := columnNamed(rec, keyPrefix+name); a != nil {
			keys = append(keys, a)
		}
	}
	sequence, _ := columnNamed(rec, sequenceColumn).(*array.Int64)
	kind, _ := columnNamed(rec, kindColumn).(*array.Int8)
	rows := make([]Row, rec.NumRows())
	room := make([]any, (len(values)+len(keys))*len(rows))
	for i := range rows {
		row := &rows[i]
		var err *Error
		if row.Values, err = decodeRow(values, i, &room); err != nil {
			return nil, err
		}
		if row.Key, err = decodeRow(keys, i, &room); err != nil {
			return nil, err
		}
		row.Sequence = -1
		if sequence != nil && sequence.IsValid(i) {
			row.Sequence = sequence.Value(i)
		}
		if kind != nil && kind.IsValid(i) {
			row.Kind = kind.Value(i)
		}
	}
	return rows, nil
}

// decodeRow gives the values in row i of some columns, in a part of room.
func decodeRow(columns []arrow.Array, i int, room *[]any) ([]any, *Error) {
	if len(columns) == 0 {
		return nil, nil
	}
	values := (*room)[:len(columns):len(columns)]
	*room = (*room)[len(columns):]
	for c, a := range columns {
		var err *Error
		if values[c], err = decode(a, i); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Comparison says what Diff looks at beside the values.
type Comparison struct {
	Kinds     bool
	Sequences bool
	Keys      bool
	Unordered func(column int) bool                // lists and maps of the column compare as multisets; nil: none
	AnyNaN    func(column int) bool                // a NaN in the column equals every NaN; nil: none
	Same      func(column int, want, got any) bool // takes values that differ for equal; nil: never
	Columns   []string                             // names for the text, may be nil
}

// Diff compares two answers row by row, values bit for bit. It gives "" when they are equal, else the first difference.
func Diff(want, got []Row, c Comparison) string {
	for i := range min(len(want), len(got)) {
		if d := c.diffRow(want[i], got[i]); d != "" {
			return fmt.Sprintf("row %d: %s\n  want %s\n  got  %s", i, d, FormatRow(want[i]), FormatRow(got[i]))
		}
	}
	switch {
	case len(want) > len(got):
		return fmt.Sprintf("%d rows, want %d; the first missing is %s", len(got), len(want), FormatRow(want[len(got)]))
	case len(want) < len(got):
		return fmt.Sprintf("%d rows, want %d; the first too many is %s", len(got), len(want), FormatRow(got[len(want)]))
	}
	return ""
}

func (c Comparison) diffRow(want, got Row) string {
	switch {
	case c.Kinds && want.Kind != got.Kind:
		return "kind"
	case c.Sequences && want.Sequence != got.Sequence:
		return "sequence number"
	case c.Keys && !identicalAll(want.Key, got.Key):
		return "key"
	case len(want.Values) != len(got.Values):
		return "number of values"
	}
	for i := range want.Values {
		w, g := want.Values[i], got.Values[i]
		if c.AnyNaN != nil && c.AnyNaN(i) {
			w, g = oneNaN(w), oneNaN(g)
		}
		switch {
		case Identical(w, g):
		case c.Unordered != nil && c.Unordered(i) && SameElements(w, g):
		case c.Same != nil && c.Same(i, w, g):
		default:
			return fmt.Sprintf("column %s: want %s, got %s", c.name(i), Format(w), Format(g))
		}
	}
	return ""
}

// oneNaN puts one NaN in the place of every NaN of a value.
func oneNaN(v any) any {
	switch v := v.(type) {
	case float32:
		if v != v {
			return float32(math.NaN())
		}
	case float64:
		if v != v {
			return math.NaN()
		}
	case List:
		return List(oneNaNs(v))
	case Struct:
		return Struct(oneNaNs(v))
	case Map:
		m := Map{}
		for _, e := range v {
			m = append(m, Entry{oneNaN(e.Key), oneNaN(e.Value)})
		}
		return m
	}
	return v
}

func oneNaNs(vs []any) []any {
	out := []any{}
	for _, v := range vs {
		out = append(out, oneNaN(v))
	}
	return out
}

func (c Comparison) name(i int) string {
	if i < len(c.Columns) {
		return fmt.Sprintf("%q", c.Columns[i])
	}
	return fmt.Sprint(i)
}

// SameElements reports whether two lists or maps hold the same elements, in any order, each as often.
func SameElements(a, b any) bool {
	switch a := a.(type) {
	case List:
		b, ok := b.(List)
		return ok && samePool(a, b)
	case Map:
		b, ok := b.(Map)
		return ok && samePool(entries(a), entries(b))
	}
	return Identical(a, b)
}

func entries(m Map) []any {
	var list []any
	for _, e := range m {
		list = append(list, Struct{e.Key, e.Value})
	}
	return list
}

func samePool(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	left := append([]any{}, b...)
next:
	for _, v := range a {
		for i, w := range left {
			if SameElements(v, w) {
				left = append(left[:i], left[i+1:]...)
				continue next
			}
		}
		return false
	}
	return true
}

// FormatRow shows a row for people.
func FormatRow(r Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s #%d ", kindText(r.Kind), r.Sequence)
	if r.Key != nil {
		b.WriteString("key " + formatValues(r.Key) + " ")
	}
	b.WriteString(formatValues(r.Values))
	return b.String()
}

func kindText(kind int8) string {
	if kind < Insert || kind > Delete {
		return fmt.Sprintf("kind %d", kind)
	}
	return []string{"+I", "-U", "+U", "-D"}[kind]
}
