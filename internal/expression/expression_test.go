package expression_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/expression"
)

var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "v", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "small", Type: arrow.PrimitiveTypes.Int8, Nullable: true},
	{Name: "u", Type: arrow.PrimitiveTypes.Uint64, Nullable: true},
	{Name: "f", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "g", Type: arrow.PrimitiveTypes.Float32, Nullable: true},
	{Name: "d", Type: &arrow.Decimal128Type{Precision: 6, Scale: 2}, Nullable: true},
	{Name: "t", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "word", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, Nullable: true},
	{Name: "b", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	{Name: "day", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
	{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Millisecond}, Nullable: true},
	{Name: "bin", Type: arrow.BinaryTypes.Binary, Nullable: true},
	{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int64), Nullable: true},
	{Name: "and", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
}, nil)

// rows are the rows that expressions are evaluated over.
const rows = `[
 {"id": 1, "v": 10, "small": 1, "u": 18446744073709551615, "f": 0.5, "g": 0.5, "d": "1.50", "t": "a", "word": "x", "b": true,
  "day": "2024-02-29", "at": "2024-02-29 12:00:00.5", "bin": "YQ==", "list": [1], "and": 7},
 {"id": 2, "v": null, "small": 127, "u": 2, "f": -0.0, "g": null, "d": null, "t": null, "word": null, "b": null,
  "day": null, "at": null, "bin": null, "list": null, "and": null},
 {"id": 3, "v": -3, "small": -128, "u": 0, "f": null, "g": 1.5, "d": "-0.01", "t": "ab", "word": "y", "b": false,
  "day": "1969-12-31", "at": "1969-12-31 23:59:59", "bin": "", "list": [], "and": 0}
]`

// record builds the rows; a slice of a longer record if sliced.
func record(t testing.TB, mem memory.Allocator, sliced bool) arrow.Record {
	t.Helper()
	rec, _, err := array.RecordFromJSON(mem, schema, strings.NewReader(rows), array.WithUseNumber())
	if err != nil {
		t.Fatal(err)
	}
	if !sliced {
		return rec
	}
	defer rec.Release()
	parts := make([]arrow.Array, rec.NumCols())
	for i, col := range rec.Columns() {
		twice, err := array.Concatenate([]arrow.Array{col, col}, mem)
		if err != nil {
			t.Fatal(err)
		}
		parts[i] = array.NewSlice(twice, 3, 6)
		twice.Release()
		defer parts[i].Release()
	}
	return array.NewRecord(schema, parts, 3)
}

// evaluate gives the values of an expression as those of a column of the type, or of a condition if the type is nil.
func evaluate(t testing.TB, text string, typ arrow.DataType, sliced bool, active []uint64) (string, error) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	e, err := expression.Parse(text, expression.Scope{Table: schema})
	if err != nil {
		return "", err
	}
	if typ != nil {
		if e, err = e.As(typ); err != nil {
			return "", err
		}
	} else if _, err := e.Condition(); err != nil {
		return "", err
	}
	rec := record(t, mem, sliced)
	defer rec.Release()
	var types []arrow.DataType
	for _, r := range e.Refs() {
		types = append(types, schema.Field(schema.FieldIndices(r.Name)[0]).Type)
	}
	f, err := expression.NewFrame(types, mem)
	if err != nil {
		return "", err
	}
	defer f.Release()
	f.Reset(int(rec.NumRows()))
	at := map[expression.Ref]int{}
	for i, r := range e.Refs() {
		at[r] = i
		if err := f.Set(i, rec.Column(schema.FieldIndices(r.Name)[0]).Data()); err != nil {
			return "", err
		}
	}
	v := e.NewEvaluator(func(r expression.Ref) int { return at[r] })
	if typ != nil {
		d, err := v.Values(f, active, nil)
		if err != nil {
			return "", err
		}
		defer d.Release()
		a := array.MakeFromData(d)
		defer a.Release()
		return a.String(), nil
	}
	mask, err := v.True(f, active)
	if err != nil {
		return "", err
	}
	return shown(f.Rows(), mask, v.Known()), nil
}

// conditions are conditions and what they are in the three rows: t, f, or - for NULL.
var conditions = []struct{ text, want string }{
	{"id > 1", "ftt"}, {"id >= 2 AND id <= 2", "ftf"}, {"1 < id", "ftt"}, {"id <> 2", "tft"}, {"id != 2", "tft"}, {"id = 3", "fft"},
	{"v > 0", "t-f"}, {"NOT v > 0", "f-t"}, {"v IS NULL", "ftf"}, {"v is not null", "tft"},
	{"v > 0 OR id = 2", "ttf"}, {"v > 0 AND id = 2", "f-f"}, {"v > 0 OR id = 9", "t-f"}, {"id = 2 AND v > 0", "f-f"},
	{"id IN (1, 3)", "tft"}, {"id IN (NULL, 2)", "-t-"}, {"small IN (NULL, 127, id)", "tt-"}, {"v IN (10, NULL)", "t--"}, {"v NOT IN (10, NULL)", "f--"}, {"v IN (10, id)", "t-f"}, {"id IN (v / 10)", "t-f"},
	{"NULL IN (1)", "---"}, {"NULL = NULL", "---"}, {"NULL IS NULL", "ttt"}, {"NULL", "---"}, {"TRUE", "ttt"}, {"1 = 0", "fff"},
	{"id + 1 = 3", "ftf"}, {"-id = -3", "fft"}, {"- -id = 3", "fft"}, {"id - 1 - 1 = 1", "fft"}, {"2 * id + 1 = 5", "ftf"}, {"id / 2 = 1", "ftt"}, {"v / 2 = -1", "f-t"},
	{"small = -128", "fft"}, {"small + 1 = 128", "ftf"}, {"u > 9223372036854775807", "tff"}, {"u + 1 = 18446744073709551616", "tff"}, {"u = 0", "fft"},
	{"f = 0.0", "ft-"}, {"f = -0.0", "ft-"}, {"f < 0", "ff-"}, {"f = 0.5", "tf-"}, {"f / 0.0 > 1e308", "tt-"}, {"f / 0.0 = f / 0.0", "tt-"}, {"g = 1.5", "f-t"}, {"f = g", "t--"},
	{"-f = 0", "ft-"}, {"1 / (0 - f) < 0", "tf-"}, {"1e300 < f", "ff-"},
	{"d = 1.5", "t-f"}, {"d = 1.500", "t-f"}, {"d > 0.001", "t-f"}, {"d * 2 = 3", "t-f"}, {"d + 0.001 = 1.501", "t-f"}, {"d / 3 = 0.5", "t-f"}, {"d / 3 = -0.003333", "f-t"},
	{"d < id", "f-t"}, {"d = f", "f--"}, {"d < 99999999999999999999999999999999999999", "t-t"}, {"-d = 0.01", "f-t"}, {"d - d = 0", "t-t"},
	{"d < 0.00000000000000000000000000000000000001", "f-t"},
	{"t = 'a'", "t-f"}, {"t < 'ab'", "t-f"}, {"t >= 'ab'", "f-t"}, {"t || '!' = 'a!'", "t-f"}, {"concat(t, t, t) = 'aaa'", "t-f"}, {"t = ''", "f-f"}, {"t = 'it''s'", "f-f"}, {"'a' = t", "t-f"},
	{"word = 'x'", "t-f"}, {"word = t", "f-f"}, {"word IS NULL", "ftf"}, {"bin = 'a'", "t-f"}, {"bin || 'b' = 'ab'", "t-f"}, {"t || NULL IS NULL", "ttt"},
	{"b", "t-f"}, {"NOT b", "f-t"}, {"b = TRUE", "t-f"}, {"b < TRUE", "f-t"}, {"b AND id < 3", "t-f"}, {"b IS NULL", "ftf"}, {"b = (id = 1)", "t-t"},
	{"day = '2024-02-29'", "t-f"}, {"day < '1970-01-01'", "f-t"}, {"'1970-01-01' > day", "f-t"}, {"day IN ('1969-12-31')", "f-t"}, {"at = '2024-02-29T12:00:00.500'", "t-f"}, {"at < '1970-01-01'", "f-t"},
	{"list IS NULL", "ftf"}, {`"and" = 7`, "t-f"}, {"`and` = 7", "t-f"}, {`"id" = 1`, "tff"},
	{"id = 9 AND id / 0 = 1", "fff"}, {"id < 9 OR 1 / (id - 2) = 1", "ttt"}, {"id = 2 OR 1 / (id - 2) = 1", "ftt"}, {"id <> 2 AND 1 / (id - 2) = 1", "fft"}, {"id IN (2, 3 / (id - 2))", "ftt"},
	{"(id) > ((1))", "ftt"}, {"id>1and id<3", "ftf"}, {"FALSE AND id / 0 = 1", "fff"}, {"v + NULL IS NULL", "ttt"}, {"9223372036854775807 > id", "ttt"}, {"id > -9223372036854775808", "ttt"},
}

func TestConditions(t *testing.T) {
	for _, c := range conditions {
		for _, sliced := range []bool{false, true} {
			got, err := evaluate(t, c.text, nil, sliced, nil)
			if err != nil || got != c.want {
				t.Errorf("%s: %s, %v, want %s", c.text, got, err, c.want)
			}
		}
	}
}

// TestFramesOfAnySize evaluates the conditions over frames of one and more rows in turn, which makes no difference to the rows.
func TestFramesOfAnySize(t *testing.T) {
	for _, c := range conditions {
		if got := inFrames(t, c.text, [][2]int{{0, 3}, {0, 1}, {1, 2}, {2, 3}, {0, 2}, {2, 3}, {0, 3}}); got != strings.Repeat(c.want, 4) {
			t.Errorf("%s: %s, want %s in every three rows", c.text, got, c.want)
		}
	}
}

// inFrames gives a condition in frames of some of the rows, evaluated one after another by one evaluator.
func inFrames(t *testing.T, text string, frames [][2]int) (out string) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	e, err := expression.Parse(text, expression.Scope{Table: schema})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Condition(); err != nil {
		t.Fatal(err)
	}
	rec := record(t, mem, false)
	defer rec.Release()
	var types []arrow.DataType
	at := map[expression.Ref]int{}
	for i, r := range e.Refs() {
		types, at[r] = append(types, schema.Field(schema.FieldIndices(r.Name)[0]).Type), i
	}
	f, err := expression.NewFrame(types, mem)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Release()
	v := e.NewEvaluator(func(r expression.Ref) int { return at[r] })
	for _, rows := range frames {
		part := rec.NewSlice(int64(rows[0]), int64(rows[1]))
		f.Reset(rows[1] - rows[0])
		for r, i := range at {
			if err := f.Set(i, part.Column(schema.FieldIndices(r.Name)[0]).Data()); err != nil {
				t.Fatal(err)
			}
		}
		mask, err := v.True(f, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		out += shown(f.Rows(), mask, v.Known())
		part.Release()
	}
	return out
}

// shown writes what a condition is in each row.
func shown(rows int, mask, known []uint64) (out string) {
	for row := range rows {
		switch {
		case mask[0]>>row&1 != 0:
			out += "t"
		case known != nil && known[0]>>row&1 == 0:
			out += "-"
		default:
			out += "f"
		}
	}
	return out
}

// TestValues has expressions as the values of columns.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		text string
		typ  arrow.DataType
		want string
	}{
		{"v + 1", arrow.PrimitiveTypes.Int64, "[11 (null) -2]"},
		{"id", arrow.PrimitiveTypes.Int8, "[1 2 3]"},
		{"id - 4", arrow.PrimitiveTypes.Int16, "[-3 -2 -1]"},
		{"v", arrow.PrimitiveTypes.Float32, "[10 (null) -3]"},
		{"v", arrow.PrimitiveTypes.Float64, "[10 (null) -3]"},
		{"d", arrow.PrimitiveTypes.Float64, "[1.5 (null) -0.01]"},
		{"u", arrow.PrimitiveTypes.Uint64, "[18446744073709551615 2 0]"},
		{"u / 1 * 0 + 1.0", arrow.PrimitiveTypes.Float64, "[1 1 1]"},
		{"id", arrow.PrimitiveTypes.Uint64, "[1 2 3]"},
		{"d + 0.005", &arrow.Decimal128Type{Precision: 6, Scale: 2}, "[{151 0} (null) {18446744073709551615 -1}]"},
		{"id", &arrow.Decimal128Type{Precision: 3, Scale: 1}, "[{10 0} {20 0} {30 0}]"},
		{"t || word", arrow.BinaryTypes.String, `["ax" (null) "aby"]`},
		{"t || word", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, `["ax" (null) "aby"]`},
		{"t", arrow.BinaryTypes.LargeString, `["a" (null) "ab"]`},
		{"'x'", arrow.BinaryTypes.Binary, `["x" "x" "x"]`},
		{"'xy'", &arrow.FixedSizeBinaryType{ByteWidth: 2}, `["xy" "xy" "xy"]`},
		{"'2024-03-01'", arrow.FixedWidthTypes.Date32, "[19783 19783 19783]"},
		{"day", arrow.FixedWidthTypes.Date32, "[19782 (null) -1]"},
		{"v > 0", arrow.FixedWidthTypes.Boolean, "[true (null) false]"},
		{"list", arrow.ListOf(arrow.PrimitiveTypes.Int64), "[[1] (null) []]"},
		{"NULL", arrow.ListOf(arrow.PrimitiveTypes.Int64), "[(null) (null) (null)]"},
		{"NULL", arrow.PrimitiveTypes.Int32, "[(null) (null) (null)]"},
		{"1", arrow.PrimitiveTypes.Uint16, "[1 1 1]"},
		{"1", arrow.PrimitiveTypes.Uint8, "[1 1 1]"},
		{"1", arrow.PrimitiveTypes.Uint32, "[1 1 1]"},
		{"-1", arrow.PrimitiveTypes.Int32, "[-1 -1 -1]"},
	} {
		for _, sliced := range []bool{false, true} {
			got, err := evaluate(t, c.text, c.typ, sliced, nil)
			if err != nil || got != c.want {
				t.Errorf("%s as %s: %s, %v, want %s", c.text, c.typ, got, err, c.want)
			}
		}
	}
}

// TestRefuses has texts and types that are refused before a row is looked at.
func TestRefuses(t *testing.T) {
	deep := strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200)
	for _, c := range []struct {
		text string
		typ  arrow.DataType
		want error
		says string
	}{
		{"", nil, expression.ErrExpression, "the end at byte 0"},
		{"id >", nil, expression.ErrExpression, "the end at byte 4"},
		{"id > 1 2", nil, expression.ErrExpression, `"2" at byte 7`},
		{"id", nil, expression.ErrExpression, "integer, not a condition"},
		{"id = 'a'", nil, expression.ErrExpression, "does not compare integer with text"},
		{"t > 1", nil, expression.ErrExpression, "does not compare text with integer"},
		{"t + 1 = 2", nil, expression.ErrExpression, "works on numbers, not on text"},
		{"NOT id", nil, expression.ErrExpression, "works on conditions, not on integer"},
		{"id AND b", nil, expression.ErrExpression, "AND works on conditions"},
		{"t || 1 = 'a'", nil, expression.ErrExpression, "joins texts, not integer"},
		{"t || bin = 'a'", nil, expression.ErrExpression, "text with binary"},
		{"list = list", nil, expression.ErrExpression, "does not work on"},
		{"day = at", nil, expression.ErrExpression, "does not compare"},
		{"day = '2024-02-30'", nil, expression.ErrExpression, "is no date32"},
		{"at = '2024-02-29 12:00:00.0001'", nil, expression.ErrExpression, "finer than"},
		{"at = '2024-02-29 12:00:00Z'", nil, expression.ErrExpression, "has a time zone"},
		{"day + 1 = day", nil, expression.ErrExpression, "works on numbers"},
		{"id = 1 = 1", nil, expression.ErrExpression, "an operator or the end"},
		{"id IN ()", nil, expression.ErrExpression, "a value, a column or a bracket"},
		{"id IN (1", nil, expression.ErrExpression, "where ) is expected"},
		{"upper(t) = 'A'", nil, expression.ErrExpression, `no function "upper"`},
		{"concat(t) = 'A'", nil, expression.ErrExpression, "one argument"},
		{"id ~ 1", nil, expression.ErrExpression, "means nothing"},
		{"t = 'a", nil, expression.ErrExpression, "never closed"},
		{"id = 1e999", nil, expression.ErrExpression, "no number"},
		{"id = 123456789012345678901234567890123456789.0", nil, expression.ErrExpression, "digits"},
		{deep, nil, expression.ErrExpression, "more than 100 brackets"},
		{strings.Repeat("NOT ", 200) + "b", nil, expression.ErrExpression, "inside one another"},
		{strings.Repeat("-", 1) + strings.Repeat(" -", 200) + "id = 1", nil, expression.ErrExpression, "inside one another"},
		{"id" + strings.Repeat(" + id", 2000) + " = 1", nil, expression.ErrExpression, "more than 1000 operators"},
		{strings.Repeat(" ", 1<<17), nil, expression.ErrExpression, "bytes, more than"},
		{"id IN (SELECT 1)", nil, expression.ErrNotSelfMerge, "subquery"},
		{"EXISTS (SELECT 1)", nil, expression.ErrNotSelfMerge, "subquery"},
		{"id = (SELECT max(id) FROM x)", nil, expression.ErrNotSelfMerge, "subquery"},
		{"other = 1", nil, expression.ErrNotSelfMerge, `no column "other"`},
		{"x.id = 1", nil, expression.ErrNotSelfMerge, "alias of the source"},
		{"s.id = 1", nil, expression.ErrNotSelfMerge, `no column "s.id"`},
		{"rand() < 0.1", nil, expression.ErrNotSelfMerge, "another value every time"},
		{"id = 1 / 0", nil, expression.ErrDivideByZero, "1 / 0"},
		{"id = 9223372036854775807 + 1", nil, expression.ErrOverflow, "9223372036854775807 + 1"},
		{"id = -9223372036854775808 / -1", nil, expression.ErrOverflow, "does not fit integer"},
		{"1.5", arrow.PrimitiveTypes.Int64, expression.ErrExpression, "does not become int64"},
		{"f", arrow.PrimitiveTypes.Int64, expression.ErrExpression, "does not become int64"},
		{"d", arrow.PrimitiveTypes.Uint64, expression.ErrExpression, "does not become uint64"},
		{"'a'", arrow.PrimitiveTypes.Int64, expression.ErrExpression, "does not become int64"},
		{"t", arrow.BinaryTypes.Binary, expression.ErrExpression, "does not become binary"},
		{"id", arrow.FixedWidthTypes.Date32, expression.ErrExpression, "does not become date32"},
		{"list", arrow.ListOf(arrow.PrimitiveTypes.Int32), expression.ErrExpression, "does not become list"},
		{"300", arrow.PrimitiveTypes.Int8, expression.ErrOverflow, "300 does not fit int8"},
		{"-1", arrow.PrimitiveTypes.Uint64, expression.ErrOverflow, "-1 does not fit uint64"},
		{"1000", &arrow.Decimal128Type{Precision: 3, Scale: 1}, expression.ErrOverflow, "1000.0 does not fit"},
		{"'xyz'", &arrow.FixedSizeBinaryType{ByteWidth: 2}, expression.ErrOverflow, "3 bytes do not fit"},
	} {
		_, err := evaluate(t, c.text, c.typ, false, nil)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.60s: %v, want %v with %q", c.text, err, c.want, c.says)
		}
	}
}

// TestFaults has errors that a row is to blame for, and the same where that row does not count.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		text string
		typ  arrow.DataType
		want error
		row  int
	}{
		{"1 / (id - 2)", arrow.PrimitiveTypes.Int64, expression.ErrDivideByZero, 1},
		{"9223372036854775805 + id", arrow.PrimitiveTypes.Int64, expression.ErrOverflow, 2},
		{"-9223372036854775806 - id", arrow.PrimitiveTypes.Int64, expression.ErrOverflow, 2},
		{"4611686018427387904 * (id - 1)", arrow.PrimitiveTypes.Int64, expression.ErrOverflow, 2},
		{"-(-9223372036854775811 + id)", arrow.PrimitiveTypes.Int64, expression.ErrExpression, -1},
		{"-(-9223372036854775807 + (id - 2))", arrow.PrimitiveTypes.Int64, expression.ErrOverflow, 0},
		{"(-9223372036854775807 + (id - 2)) / -1", arrow.PrimitiveTypes.Int64, expression.ErrOverflow, 0},
		{"small + 1", arrow.PrimitiveTypes.Int8, expression.ErrOverflow, 1},
		{"small", arrow.PrimitiveTypes.Uint8, expression.ErrOverflow, 2},
		{"id - 2", arrow.PrimitiveTypes.Uint64, expression.ErrOverflow, 0},
		{"u + 1", arrow.PrimitiveTypes.Uint64, expression.ErrOverflow, 0},
		{"1 / (d + 0.01)", arrow.PrimitiveTypes.Float64, expression.ErrDivideByZero, 2},
		{"d * 10000", &arrow.Decimal128Type{Precision: 6, Scale: 2}, expression.ErrOverflow, 0},
		{"99999999999999999999999999999999999999 * (d + 0.01)", &arrow.Decimal128Type{Precision: 38, Scale: 2}, expression.ErrOverflow, 0},
		{"99999999999999999999999999999999999999 + id", &arrow.Decimal128Type{Precision: 38}, expression.ErrOverflow, 0},
		{"-99999999999999999999999999999999999999 - id", &arrow.Decimal128Type{Precision: 38}, expression.ErrOverflow, 0},
		{"99999999999999999999999999999999999.9 + d", &arrow.Decimal128Type{Precision: 38, Scale: 2}, nil, -1},
	} {
		_, err := evaluate(t, c.text, c.typ, false, nil)
		if c.row < 0 {
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", c.text, err, c.want)
			}
			continue
		}
		var f *expression.Fault
		if !errors.Is(err, c.want) || !errors.As(err, &f) || f.Row != c.row {
			t.Errorf("%s: %v, want %v in row %d", c.text, err, c.want, c.row)
		}
		without := []uint64{0b111 &^ (1 << c.row)}
		if _, err := evaluate(t, c.text, c.typ, false, without); err != nil && errors.As(err, &f) && f.Row == c.row {
			t.Errorf("%s: row %d does not count and fails: %v", c.text, c.row, err)
		}
	}
}

// TestMayBeTrue has conditions over rows of which bounds are known: v int64 in [10, 20] without NULLs, f in [1, 2], t from
// "b" to "d", small all NULL, nothing of the others.
func TestMayBeTrue(t *testing.T) {
	one := func(typ arrow.DataType, text string) arrow.Array {
		a, _, err := array.FromJSON(memory.DefaultAllocator, typ, strings.NewReader("["+text+"]"))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	int64s, floats, texts := arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64, arrow.BinaryTypes.String
	known := map[string]expression.Bounds{
		"v":     {Min: one(int64s, "10"), Max: one(int64s, "20"), NoNull: true},
		"f":     {Min: one(floats, "1"), Max: one(floats, "2")},
		"t":     {Min: one(texts, `"b"`), Max: one(texts, `"d"`)},
		"small": {AllNull: true},
		"and":   {Min: one(arrow.PrimitiveTypes.Int32, "1"), Max: one(arrow.PrimitiveTypes.Int32, "2")}, // another type: a cast
		"b":     {Min: one(arrow.FixedWidthTypes.Boolean, "false"), Max: one(arrow.FixedWidthTypes.Boolean, "false"), NoNull: true},
		"d":     {Min: one(&arrow.Decimal128Type{Precision: 6, Scale: 2}, `"1.00"`), Max: one(&arrow.Decimal128Type{Precision: 6, Scale: 2}, `"2.00"`)},
		"day":   {Min: one(arrow.FixedWidthTypes.Date32, "19000"), Max: one(arrow.FixedWidthTypes.Date32, "19001"), NoNull: true},
	}
	for _, c := range []struct {
		text string
		want bool
	}{
		{"v > 20", false}, {"v > 19", true}, {"v >= 20", true}, {"v >= 21", false}, {"v < 10", false}, {"v < 11", true}, {"v <= 9", false}, {"v <= 10", true},
		{"v = 9", false}, {"v = 15", true}, {"v = 21", false}, {"v <> 15", true}, {"20 < v", false}, {"21 > v", true}, {"v IN (1, 2, 30)", false}, {"v IN (1, 20)", true}, {"v NOT IN (1, 20)", true},
		{"v IS NULL", false}, {"v IS NOT NULL", true}, {"NOT v > 9", false}, {"NOT v > 15", true}, {"NOT (v > 9 OR id = 1)", false}, {"v > 20 AND id = 1", false}, {"v > 20 OR id = 1", true},
		{"v > 20.5", false}, {"v > 19.5", true}, {"v > 2e1", false}, {"v + 1 > 100", true}, {"v = NULL", false},
		{"f > 2", true}, {"f > 100", true}, {"f < 1", false}, {"f <= 1", true}, {"f = 3", true}, {"f = 0", false}, {"NOT f < 100", true}, {"f IS NULL", true},
		{"t < 'b'", false}, {"t > 'd'", false}, {"t = 'c'", true}, {"t = 'da'", false}, {"t >= 'd'", true},
		{"small = 1", false}, {"small IS NULL", true}, {"small IS NOT NULL", false}, {"NOT small = 1", false}, {"small = 1 OR v = 15", true}, {"small IN (1, 2)", false},
		{"\"and\" = 7", true}, {"u = 7", true}, {"b", false}, {"NOT b", true}, {"b = TRUE", false}, {"b AND v = 15", false},
		{"d > 2.001", false}, {"d > 1.999", true}, {"d > 5 AND f > 0", false}, {"d > v", false}, {"d < v", true}, {"day = '2022-01-08'", true}, {"day > '2022-01-09'", false}, {"day < '1970-01-01'", false},
		{"1 = 0", false}, {"NULL", false}, {"TRUE", true}, {"v IN (NULL, 1)", false}, {"list IS NULL", true},
	} {
		e, err := expression.Parse(c.text, expression.Scope{Table: schema})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := e.MayBeTrue(func(r expression.Ref) expression.Bounds { return known[r.Name] }); got != c.want {
			t.Errorf("%s: %v", c.text, got)
		}
	}
	cut := map[string]expression.Bounds{
		"t": {Min: one(texts, `"b"`), Max: one(texts, `"d"`), MaxOpen: true},
		"f": {Min: one(floats, "1"), Max: one(floats, "2"), NoNaN: true},
		"v": {Min: one(int64s, "null"), Max: one(int64s, "20")},
	}
	for text, want := range map[string]bool{"t = 'da'": true, "t = 'a'": false, "t > 'x'": true, "f > 2": false, "v = 1": true, "v > 20": false} {
		e, err := expression.Parse(text, expression.Scope{Table: schema})
		if err != nil {
			t.Fatal(err)
		}
		if got := e.MayBeTrue(func(r expression.Ref) expression.Bounds { return cut[r.Name] }); got != want {
			t.Errorf("%s with other bounds: %v", text, got)
		}
	}
}

func TestCondition(t *testing.T) {
	for text, want := range map[string]expression.Truth{"1 = 0": expression.Never, "NULL": expression.Never, "TRUE": expression.Always,
		"2 > 1 OR id = 1": expression.Always, "id = 1 AND FALSE": expression.Never, "id = 1 AND TRUE": expression.Varies, "id = id": expression.Varies} {
		e, err := expression.Parse(text, expression.Scope{Table: schema})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.Condition(); got != want || err != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	e, err := expression.Parse("id + v > id AND t IS NULL", expression.Scope{Table: schema})
	if err != nil || fmt.Sprint(e.Refs()) != "[id v t]" {
		t.Errorf("%v, %v", e.Refs(), err)
	}
}

// FuzzParse wants an error or an expression that can be evaluated, of any text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"id > 1 AND NOT t = 'a' || word", "v IN (1, 2.5e3, -d) OR b", "concat(t, 'x') IS NOT NULL", "at < '2024-01-01'", "-(id / 0)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = evaluate(t, text, nil, false, nil)
		_, _ = evaluate(t, text, arrow.BinaryTypes.String, true, nil)
		_, _ = evaluate(t, text, &arrow.Decimal128Type{Precision: 6, Scale: 2}, true, nil)
	})
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"t": 0, "'abc'": 3, "t || 'ab' || word || 'c'": 3, "'a' || 'b'": 2, "id + 1": 0} {
		e, err := expression.Parse(text, expression.Scope{Table: schema})
		if err != nil || e.Width() != want {
			t.Errorf("%s: %d, %v", text, e.Width(), err)
		}
	}
}

func TestParseAssignment(t *testing.T) {
	for _, c := range []struct{ text, column, value string }{{"v = v + 1", "v", " v + 1"}, {`"and"=id`, "and", "id"}, {"b = id = 1", "b", " id = 1"}} {
		column, e, err := expression.ParseAssignment(c.text, expression.Scope{Table: schema})
		if err != nil || column != c.column || e.String() != c.value {
			t.Errorf("%s: %q, %v, %v", c.text, column, e, err)
		}
	}
	for _, text := range []string{"", "v", "v 1", "1 = v", "= 1", "v = ", "v == 1"} {
		if _, _, err := expression.ParseAssignment(text, expression.Scope{Table: schema}); !errors.Is(err, expression.ErrExpression) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
