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
	var rows []Row
	for i := range int(rec.NumRows()) {
		row := Row{Sequence: -1}
		for _, name := range columns {
			v, err := named(rec, name, i)
			if err != nil {
				return nil, err
			}
			row.Values = append(row.Values, v)
		}
		for _, name := range primaryKey {
			if v, err := named(rec, keyPrefix+name, i); err == nil {
				row.Key = append(row.Key, v)
			}
		}
		if a, ok := columnNamed(rec, sequenceColumn).(*array.Int64); ok && a.IsValid(i) {
			row.Sequence = a.Value(i)
		}
		if a, ok := columnNamed(rec, kindColumn).(*array.Int8); ok && a.IsValid(i) {
			row.Kind = a.Value(i)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// named decodes a cell of a column by name.
func named(rec arrow.Record, name string, i int) (any, error) {
	a := columnNamed(rec, name)
	if a == nil {
		return nil, failf(KindSchema, "column %q is missing", name)
	}
	v, err := decode(a, i)
	if err != nil {
		return nil, err
	}
	return v, nil
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
