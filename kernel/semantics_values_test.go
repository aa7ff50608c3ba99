package kernel_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// Types and values as worked examples write them:
//
//	boolean                         true
//	tinyint int bigint              7
//	float double                    -0.0  Inf  NaN
//	decimal(4, 2)                   19.50, all digits of the scale
//	string                          a  "a, b"  "\t", quoted as in Go
//	bytes                           0x7f00  0x7f00 01ff
//	array<T>                        [1, NULL]
//	map<K, V>                       {a: 1, b: NULL}
//	row<x T, y T>                   (1, a)
//
// NULL is a value of every type. A cell may stand in backquotes.

// plainTypes are the types with one word.
var plainTypes = map[string]arrow.DataType{
	"boolean": arrow.FixedWidthTypes.Boolean, "tinyint": arrow.PrimitiveTypes.Int8, "int": arrow.PrimitiveTypes.Int32,
	"bigint": arrow.PrimitiveTypes.Int64, "float": arrow.PrimitiveTypes.Float32, "double": arrow.PrimitiveTypes.Float64,
	"string": arrow.BinaryTypes.String, "bytes": arrow.BinaryTypes.Binary,
}

// docType reads a type.
func docType(text string) (arrow.DataType, error) {
	if t, ok := plainTypes[text]; ok {
		return t, nil
	}
	if digits, ok := strings.CutPrefix(text, "decimal("); ok {
		t := &arrow.Decimal128Type{}
		_, err := fmt.Sscanf(strings.ReplaceAll(digits, " ", ""), "%d,%d)", &t.Precision, &t.Scale)
		return t, err
	}
	name, rest, _ := strings.Cut(text, "<")
	inner, closed := strings.CutSuffix(rest, ">")
	if !closed {
		return nil, fmt.Errorf("%q is no type", text)
	}
	parts := splitList(inner)
	types := make([]arrow.DataType, len(parts))
	names := make([]string, len(parts))
	for i, part := range parts {
		if name == "row" {
			names[i], part, _ = strings.Cut(part, " ")
		}
		var err error
		if types[i], err = docType(part); err != nil {
			return nil, err
		}
	}
	switch {
	case name == "array" && len(types) == 1:
		return arrow.ListOf(types[0]), nil
	case name == "map" && len(types) == 2:
		return arrow.MapOf(types[0], types[1]), nil
	case name == "row":
		var fields []arrow.Field
		for i, t := range types {
			fields = append(fields, arrow.Field{Name: names[i], Type: t, Nullable: true})
		}
		return arrow.StructOf(fields...), nil
	}
	return nil, fmt.Errorf("%q is no type", text)
}

// splitList splits at the commas that no bracket encloses, and cuts blanks off.
func splitList(text string) []string {
	var parts []string
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case strings.ContainsRune("(<", c):
			depth++
		case strings.ContainsRune(")>", c):
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return append(parts, strings.TrimSpace(text[from:]))
}

var kindTexts = []string{"+I", "-U", "+U", "-D"}

// appendKind appends a row kind.
func appendKind(b array.Builder, cell string) error {
	kind := slices.Index(kindTexts, cell)
	if kind < 0 {
		return errors.New("no row kind")
	}
	b.(*array.Int8Builder).Append(int8(kind))
	return nil
}

// appendCell appends the value of a cell.
func appendCell(b array.Builder, cell string) error {
	r := cellReader{rest: strings.Trim(cell, "`")}
	if err := r.value(b, ""); err != nil {
		return err
	}
	if r.rest != "" {
		return fmt.Errorf("%q is left over", r.rest)
	}
	return nil
}

// cellReader is the part of a cell that has not been read.
type cellReader struct{ rest string }

// value reads a value and appends it. Plain ones end before one of the characters of stops.
func (r *cellReader) value(b array.Builder, stops string) error {
	word, quoted, err := r.word(stops)
	switch {
	case err != nil:
		return err
	case word == "NULL" && !quoted:
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.BinaryBuilder:
		if word == "" && strings.HasPrefix(r.rest, "{") {
			return r.bitmap(b)
		}
	case *array.MapBuilder:
		b.Append(true)
		return r.list(word, "{}", func(int) error {
			if err := r.value(b.KeyBuilder(), ":"); err != nil {
				return err
			}
			if err := r.skip(":"); err != nil {
				return err
			}
			return r.value(b.ItemBuilder(), ",}")
		})
	case *array.ListBuilder:
		b.Append(true)
		return r.list(word, "[]", func(int) error { return r.value(b.ValueBuilder(), ",]") })
	case *array.StructBuilder:
		b.Append(true)
		n := 0
		err := r.list(word, "()", func(i int) error {
			if n++; i >= b.NumField() {
				return errors.New("too many fields")
			}
			return r.value(b.FieldBuilder(i), ",)")
		})
		if err == nil && n != b.NumField() {
			err = fmt.Errorf("%d fields, want %d", n, b.NumField())
		}
		return err
	}
	return appendWord(b, word)
}

// word reads a plain value, or nothing where a bracket opens.
func (r *cellReader) word(stops string) (word string, quoted bool, err error) {
	if strings.HasPrefix(r.rest, `"`) {
		prefix, err := strconv.QuotedPrefix(r.rest)
		if err != nil {
			return "", true, err
		}
		r.rest = r.rest[len(prefix):]
		word, err = strconv.Unquote(prefix)
		return word, true, err
	}
	end := len(r.rest)
	if strings.ContainsAny(r.rest[:min(1, end)], "[{(") {
		end = 0
	} else if i := strings.IndexAny(r.rest, stops); i >= 0 {
		end = i
	}
	word, r.rest = r.rest[:end], r.rest[end:]
	return word, false, nil
}

// bitmap reads numbers in braces as the bytes of a bitmap of supplied columns.
func (r *cellReader) bitmap(b *array.BinaryBuilder) error {
	end := strings.IndexByte(r.rest, '}') + 1
	if end == 0 {
		return fmt.Errorf("%q has no end", r.rest)
	}
	value, err := bitmapCell(r.rest[:end])
	r.rest = r.rest[end:]
	b.Append(value)
	return err
}

// list reads values between two brackets. word is what has been read in front of them.
func (r *cellReader) list(word, brackets string, value func(i int) error) error {
	if word != "" {
		return fmt.Errorf("%q, want a value in %s", word, brackets)
	}
	if err := r.skip(brackets[:1]); err != nil {
		return err
	}
	for i := 0; !strings.HasPrefix(r.rest, brackets[1:]); i++ {
		if i > 0 {
			if err := r.skip(","); err != nil {
				return err
			}
		}
		if err := value(i); err != nil {
			return err
		}
	}
	return r.skip(brackets[1:])
}

// skip reads a sign, and the blanks after it.
func (r *cellReader) skip(sign string) error {
	rest, ok := strings.CutPrefix(r.rest, sign)
	if !ok {
		return fmt.Errorf("%q, want %q", r.rest, sign)
	}
	if r.rest = rest; sign == "," || sign == ":" {
		r.rest = strings.TrimLeft(rest, " ")
	}
	return nil
}

// appendWord appends a plain value.
func appendWord(b array.Builder, word string) error {
	switch b := b.(type) {
	case *array.StringBuilder:
		b.Append(word)
		return nil
	case *array.BinaryBuilder:
		digits, ok := strings.CutPrefix(word, "0x")
		value, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
		if !ok {
			err = errors.New("bytes begin with 0x")
		}
		b.Append(value)
		return err
	case *array.Decimal128Builder:
		whole, fraction, _ := strings.Cut(word, ".")
		n, ok := new(big.Int).SetString(whole+fraction, 10)
		if scale := int(b.Type().(*arrow.Decimal128Type).Scale); !ok || len(fraction) != scale {
			return fmt.Errorf("no number with %d digits after the point", scale)
		}
		b.Append(decimal128.FromBigInt(n))
		return nil
	}
	return b.AppendValueFromString(word)
}

// TestSemanticsValues reads values of every type, and what is none.
func TestSemanticsValues(t *testing.T) {
	for _, c := range []struct {
		typ, cell string
		want      string // as the row merger shows it; empty for an error
	}{
		{"boolean", "true", "true"},
		{"boolean", "yes", ""},
		{"tinyint", "-128", "-128"},
		{"tinyint", "128", ""},
		{"int", "NULL", "NULL"},
		{"int", "1 2", ""},
		{"bigint", "9223372036854775807", "9223372036854775807"},
		{"float", "0.1", "0.1"},
		{"double", "-0.0", "-0"},
		{"double", "NaN", "NaN(0x7ff8000000000001)"},
		{"double", "-Inf", "-Inf"},
		{"decimal(4,2)", "-0.05", "-5u"},
		{"decimal(4, 2)", "199.98", "19998u"},
		{"decimal(4, 2)", "1.5", ""},
		{"decimal(4)", "1", ""},
		{"string", "a, b", `"a, b"`},
		{"string", `"NULL"`, `"NULL"`},
		{"string", `"\u00a0"`, `"\u00a0"`},
		{"string", `""`, `""`},
		{"string", `"a" b`, ""},
		{"bytes", "`0x00ff 10`", "0x00ff10"},
		{"bytes", "0x", "0x"},
		{"bytes", "00ff", ""},
		{"bytes", "0x0", ""},
		{"array<int>", "[1, NULL, 3]", "[1, NULL, 3]"},
		{"array<int>", "[]", "[]"},
		{"array<int>", "[1", ""},
		{"array<int>", "[1]]", ""},
		{"array<int>", "1", ""},
		{"array<string>", `["a, b", c]`, `["a, b", "c"]`},
		{"map<string, int>", "{b: 1, a: NULL}", `{"b": 1, "a": NULL}`},
		{"map<string, int>", "{b}", ""},
		{"map<int, row<x int, y array<string>>>", "{1: (2, [a, b]), 2: NULL}", `{1: (2, ["a", "b"]), 2: NULL}`},
		{"row<x decimal(3, 1), y bytes>", "(1.0, 0xff)", "(10u, 0xff)"},
		{"row<x int, y int>", "(1)", ""},
		{"row<x int, y int>", "(1, 2, 3)", ""},
		{"row<x int>", "[1]", ""},
		{"array<>", "[]", ""},
		{"array<int", "[]", ""},
		{"number", "1", ""},
	} {
		got, err := readValue(c.typ, c.cell)
		if (err != nil) != (c.want == "") || err == nil && got != c.want {
			t.Errorf("%s as %s is %q, error %v, want %q", c.cell, c.typ, got, err, c.want)
		}
	}
}

func readValue(typ, cell string) (string, error) {
	t, err := docType(typ)
	if err != nil {
		return "", err
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "v", Type: t, Nullable: true}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	if err := appendCell(b.Field(0), cell); err != nil {
		return "", err
	}
	rec := b.NewRecord()
	defer rec.Release()
	rows, err := rowmerge.RowsOf(rec, []string{"v"}, nil)
	if err != nil {
		return "", err
	}
	return rowmerge.Format(rows[0].Values[0]), nil
}

// TestSemanticsCheckerFailsOnValues shows the checker results of wrong values of every type, next to the one they are made
// from, which is right.
func TestSemanticsCheckerFailsOnValues(t *testing.T) {
	const header = "| run | k | l | m | r | d | f | b |\n|---|---|---|---|---|---|---|---|\n"
	const right = "# Made up\n```merge\nmerge-engine = aggregation\n" +
		"columns: k int, l array<int>, m map<string, int>, r row<x int, y double>, d decimal(4, 2), f double, b bytes\n" +
		"fields.l.aggregate-function = collect\nfields.m.aggregate-function = merge_map\n" +
		"fields.d.aggregate-function = sum\nfields.f.aggregate-function = sum\n```\n\n" + header +
		"| 0 | 1 | [1, NULL] | {a: 1} | (1, 0.0) | 1.50 | Inf | 0x01ff |\n" +
		"| 1 | 1 | [2] | {b: 2} | NULL | 2.25 | -Inf | NULL |\n\nResult:\n\n" +
		"| k | l | m | r | d | f | b |\n|---|---|---|---|---|---|---|\n"
	const result = "| 1 | [1, NULL, 2] | {a: 1, b: 2} | (1, 0.0) | 3.75 | NaN | 0x01ff |\n"
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"[1, NULL, 2]", "[1, 2, NULL]", `column "l": want [1, 2, NULL], got [1, NULL, 2]`},
		{"[1, NULL, 2]", "[1, NULL]", `column "l"`},
		{"[1, NULL, 2]", "[1, NULL, 2", `l: "[1, NULL, 2"`},
		{"{a: 1, b: 2}", "{b: 2, a: 1}", `column "m"`},
		{"{a: 1, b: 2}", "{a: 1, b: 3}", `column "m"`},
		{"(1, 0.0)", "(1, -0.0)", `column "r": want (1, -0), got (1, 0)`},
		{"(1, 0.0)", "NULL", `column "r"`},
		{"3.75", "3.76", `column "d": want 376u, got 375u`},
		{"3.75", "3.7", "2 digits after the point"},
		{"NaN", "Inf", `column "f": want +Inf, got NaN`},
		{"NaN", "NULL", `column "f"`},
		{"0x01ff", "0x01fe", `column "b"`},
		{"0x01ff", "01ff", "bytes begin with 0x"},
	} {
		examples, err := readExamples(right + strings.Replace(result, c.old, c.new, 1))
		if err != nil {
			t.Fatal(err)
		}
		err = examples[0].check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want one with %q", c.new, c.old, err, c.want)
		}
	}
}
