package columnar_test

import (
	"cmp"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// rowOf makes a struct type of fields a, b and so on.
func rowOf(types ...arrow.DataType) arrow.DataType {
	var fields []arrow.Field
	for i, t := range types {
		fields = append(fields, arrow.Field{Name: string(rune('a' + i)), Type: t, Nullable: true})
	}
	return arrow.StructOf(fields...)
}

// ascendingNested are values of nested types, as JSON, in ascending order, to be read beside the text of the semantics.
var ascendingNested = []struct {
	name string
	t    arrow.DataType
	rows []string
}{
	{"array", arrow.ListOf(arrow.PrimitiveTypes.Int32), []string{
		"null", "[]", "[null]", "[null, null]", "[null, 7]", "[-5]", "[-5, 0, 0]", "[1]", "[1, null]", "[1, 0]", "[2]"}},
	{"large array", arrow.LargeListOf(arrow.BinaryTypes.String), []string{
		"null", "[]", `[""]`, `["", "a"]`, `["A"]`, `["a"]`, `["a", "b"]`, `["aa"]`, `["é"]`, `["日"]`}},
	{"vector", arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int8), []string{
		"null", "[null, null]", "[null, 1]", "[-1, 5]", "[1, null]", "[1, -128]", "[1, 127]"}},
	{"array of doubles", arrow.ListOf(arrow.PrimitiveTypes.Float64), []string{"[null]", "[-1.5]", "[-0.0]", "[0.0]", "[0.0, 0.0]", "[1.5]"}},
	{"array of decimals", arrow.ListOf(&arrow.Decimal128Type{Precision: 38, Scale: 2}), []string{
		`["-99999999999999999999.00"]`, `["-1.00"]`, `["0.01"]`, `["0.01", null]`, `["99999999999999999999.00"]`}},
	{"wide decimal", &arrow.Decimal256Type{Precision: 70, Scale: 0}, []string{
		"null", `"-99999999999999999999999999999999999999999999999999"`, `"-1"`, `"0"`, `"1"`, `"99999999999999999999999999999999999999999999999999"`}},
	{"array of wide decimals", arrow.ListOf(&arrow.Decimal256Type{Precision: 70, Scale: 0}), []string{
		"[]", "[null]", `["-99999999999999999999999999999999999999999999999999"]`, `["-1"]`, `["-1", "-1"]`, `["99999999999999999999999999999999999999999999999999"]`}},
	{"array of fixed bytes", arrow.ListOf(&arrow.FixedSizeBinaryType{ByteWidth: 2}), []string{`["AAA="]`, `["AAE="]`, `["f/8="]`, `["gAA="]`, `["gAA=", null]`}},
	{"row", rowOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String), []string{
		"null", `{"a": null, "b": null}`, `{"a": null, "b": "z"}`, `{"a": -1, "b": "z"}`, `{"a": 1, "b": null}`, `{"a": 1, "b": ""}`,
		`{"a": 1, "b": "b"}`, `{"a": 2, "b": "a"}`}},
	{"row without fields", arrow.StructOf(), []string{"null", "{}"}},
	{"map", arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64), []string{
		"null", "[]", `[{"key": "a", "value": null}]`, `[{"key": "a", "value": -1}]`, `[{"key": "a", "value": 9}]`,
		`[{"key": "z", "value": 0}]`, `[{"key": "a", "value": 9}, {"key": "b", "value": 9}]`,
		`[{"key": "a", "value": 1}, {"key": "c", "value": null}]`, `[{"key": "a", "value": 1}, {"key": "c", "value": 0}]`,
		`[{"key": "a", "value": 2}, {"key": "c", "value": -1}]`, `[{"key": "c", "value": 0}, {"key": "a", "value": 0}]`,
		`[{"key": "a", "value": 0}, {"key": "a", "value": 0}, {"key": "a", "value": 0}]`}},
	{"array of arrays", arrow.ListOf(arrow.ListOf(arrow.PrimitiveTypes.Int32)), []string{
		"null", "[]", "[null]", "[null, [1]]", "[[]]", "[[], []]", "[[null]]", "[[1]]", "[[1], null]", "[[1], [0]]", "[[1, 0]]", "[[2]]"}},
	{"array of maps of rows", arrow.ListOf(arrow.MapOf(arrow.PrimitiveTypes.Int32, rowOf(arrow.FixedWidthTypes.Boolean))), []string{
		"[[]]", `[[{"key": 5, "value": null}]]`, `[[{"key": 5, "value": {"a": null}}]]`, `[[{"key": 5, "value": {"a": false}}]]`,
		`[[{"key": 5, "value": {"a": true}}]]`, `[[{"key": 6, "value": null}], null]`,
		`[[{"key": 1, "value": null}, {"key": 2, "value": null}]]`}},
	{"row of a row of an array", rowOf(rowOf(arrow.ListOf(arrow.FixedWidthTypes.Date32)), arrow.PrimitiveTypes.Uint8), []string{
		`{"a": null, "b": 200}`, `{"a": {"a": null}, "b": 9}`, `{"a": {"a": []}, "b": 1}`, `{"a": {"a": []}, "b": 200}`,
		`{"a": {"a": ["1969-12-31"]}, "b": 1}`, `{"a": {"a": ["1970-01-01"]}, "b": null}`}},
	{"extension of an array of extensions", &money{arrow.ExtensionBase{Storage: arrow.ListOf(&money{arrow.ExtensionBase{Storage: arrow.PrimitiveTypes.Int16}})}},
		[]string{"null", "[]", "[-300]", "[-1]", "[-1, null]", "[300]"}},
}

// arrayOf reads an array from JSON values. An extension array has that of its storage; the caller releases it.
func arrayOf(t *testing.T, mem memory.Allocator, dt arrow.DataType, rows []string) arrow.Array {
	t.Helper()
	storage := bareType(dt)
	a, _, err := array.FromJSON(mem, storage, strings.NewReader("["+strings.Join(rows, ",")+"]"), array.WithUseNumber())
	if err != nil {
		t.Fatalf("%s: %v", dt, err)
	}
	return a
}

// bareType takes extension types off, at every level of lists.
func bareType(dt arrow.DataType) arrow.DataType {
	switch dt := dt.(type) {
	case arrow.ExtensionType:
		return bareType(dt.StorageType())
	case *arrow.ListType:
		return arrow.ListOf(bareType(dt.Elem()))
	}
	return dt
}

func orderingOf(t *testing.T, dt arrow.DataType) *columnar.Ordering {
	t.Helper()
	o, ok := columnar.OrderingOf(dt)
	if !ok {
		t.Fatalf("%s has no order", dt)
	}
	return &o
}

// TestOrderingAscending compares every value of the table with every other, in one array, in two, and in slices of either.
func TestOrderingAscending(t *testing.T) {
	for _, c := range ascendingNested {
		t.Run(c.name, func(t *testing.T) {
			mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
			defer mem.AssertSize(t, 0)
			o := orderingOf(t, c.t)
			whole := arrayOf(t, mem, c.t, c.rows)
			defer whole.Release()
			for from := range c.rows {
				part := array.NewSlice(whole, int64(from), int64(len(c.rows)))
				again := arrayOf(t, mem, c.t, append([]string{c.rows[0], c.rows[from]}, c.rows...))
				a, b := viewOf(t, part), viewOf(t, again)
				for i := range a.Rows {
					for j := range c.rows {
						there, back, want := o.Compare(&a, i, &b, j+2), o.Compare(&b, j+2, &a, i), cmp.Compare(i+from, j)
						if sign(there) != want || sign(back) != -want {
							t.Errorf("%s and %s compare %d, and %d the other way, want %d", c.rows[i+from], c.rows[j], there, back, want)
						}
					}
				}
				part.Release()
				again.Release()
			}
		})
	}
}

// TestOrderingOf has types that compare and types that do not.
func TestOrderingOf(t *testing.T) {
	union := arrow.DenseUnionOf([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int8}}, []arrow.UnionTypeCode{0})
	without := []arrow.DataType{arrow.Null, arrow.FixedWidthTypes.Float16, arrow.FixedWidthTypes.Duration_s, arrow.FixedWidthTypes.MonthInterval,
		arrow.FixedWidthTypes.DayTimeInterval, arrow.FixedWidthTypes.MonthDayNanoInterval, union}
	for _, dt := range without {
		for _, in := range []arrow.DataType{dt, arrow.ListOf(dt), arrow.LargeListOf(dt), arrow.FixedSizeListOf(2, dt), rowOf(arrow.PrimitiveTypes.Int8, dt),
			arrow.MapOf(dt, arrow.PrimitiveTypes.Int8), arrow.MapOf(arrow.PrimitiveTypes.Int8, dt), arrow.ListOf(rowOf(arrow.ListOf(dt)))} {
			if _, ok := columnar.OrderingOf(in); ok {
				t.Errorf("%s has an order", in)
			}
		}
	}
	for _, dt := range keyTypes {
		o, whole := orderingOf(t, dt), orderingOf(t, arrow.ListOf(dt))
		order := columnar.OrderOf(dt)
		if want := order != columnar.OrderText && order != columnar.OrderDecimal128; o.Numeric() != want || whole.Numeric() {
			t.Errorf("%s: numeric is %v, want %v, and in lists %v", dt, o.Numeric(), want, whole.Numeric())
		}
	}
	if orderingOf(t, &arrow.Decimal256Type{Precision: 70}).Numeric() {
		t.Error("wide decimals are numeric")
	}
}

// nestedValue reads a value as []any of its parts, nil for NULL: of a map its size, its keys and its values.
func nestedValue(a arrow.Array, row int) any {
	if a.IsNull(row) {
		return nil
	}
	switch a := a.(type) {
	case *array.Map:
		from, to := a.ValueOffsets(row)
		return []any{int64(to - from), items(a.Keys(), from, to), items(a.Items(), from, to)}
	case array.ListLike:
		from, to := a.ValueOffsets(row)
		return items(a.ListValues(), from, to)
	case *array.Struct:
		value := []any{}
		for i := range a.NumField() {
			value = append(value, nestedValue(a.Field(i), row))
		}
		return value
	}
	return valueOf(a, row)
}

func items(a arrow.Array, from, to int64) []any {
	value := []any{}
	for i := from; i < to; i++ {
		value = append(value, nestedValue(a, int(i)))
	}
	return value
}

// compareParts is the order of values that nestedValue reads.
func compareParts(a, b any) int {
	x, nested := a.([]any)
	y, both := b.([]any)
	if !nested || !both {
		return compareValues(valueOrNil(a, nested), valueOrNil(b, both))
	}
	for i := range min(len(x), len(y)) {
		if c := compareParts(x[i], y[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}

// valueOrNil makes a value that compareValues takes: a list that is compared with NULL is any number.
func valueOrNil(v any, list bool) any {
	if list {
		return int64(0)
	}
	return v
}

// TestOrderingRandom compares random values of two arrays of every nested type with the naive order.
func TestOrderingRandom(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	equal := 0
	for _, dt := range nestedTypes {
		o := orderingOf(t, dt)
		for seed := range uint64(10) {
			rng := rand.New(rand.NewPCG(seed, 11))
			a, b := randomPart(mem, dt, rng), randomPart(mem, dt, rng)
			va, vb := viewOf(t, a), viewOf(t, b)
			for i := range va.Rows {
				for j := range vb.Rows {
					there, want := o.Compare(&va, i, &vb, j), compareParts(nestedValue(a, i), nestedValue(b, j))
					if sign(there) != want {
						t.Fatalf("seed %d, %s: %s and %s compare %d, want %d", seed, dt, a.ValueStr(i), b.ValueStr(j), there, want)
					}
					if want == 0 && va.Layout.Form != columnar.FormStruct && !va.IsNull(i) {
						equal++
					}
				}
			}
			a.Release()
			b.Release()
		}
	}
	if equal == 0 {
		t.Error("no two values are equal")
	}
}

// TestOrderingOfForgedData compares rows of data whose children are of other types of the same layout, or hold NULL where no
// value may be.
func TestOrderingOfForgedData(t *testing.T) {
	i16, i32 := arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32
	entry := arrow.MapOf(i32, i32).Elem()
	child := func(dt arrow.DataType, rows, width int) arrow.ArrayData {
		return forgedData(dt, rows, 0, nil, nil, zeros(rows*width))
	}
	for name, c := range map[string]struct {
		t arrow.DataType
		d arrow.ArrayData
	}{
		"halves for integers": {arrow.ListOf(i16), forgedData(arrow.ListOf(i16), 2, 0,
			[]arrow.ArrayData{child(arrow.FixedWidthTypes.Float16, 4, 2)}, nil, offsets32(0, 2, 4))},
		"months for integers": {arrow.FixedSizeListOf(2, i32), forgedData(arrow.FixedSizeListOf(2, i32), 2, 0,
			[]arrow.ArrayData{child(arrow.FixedWidthTypes.MonthInterval, 4, 4)}, nil)},
		"bytes for decimals": {rowOf(&arrow.Decimal256Type{Precision: 70}), forgedData(rowOf(&arrow.Decimal256Type{Precision: 70}), 2, 0,
			[]arrow.ArrayData{child(&arrow.FixedSizeBinaryType{ByteWidth: 32}, 2, 32)}, nil)},
		"NULL entries and keys": {arrow.MapOf(i32, i32), forgedData(arrow.MapOf(i32, i32), 2, 0, []arrow.ArrayData{forgedData(entry, 4, 0,
			[]arrow.ArrayData{forgedData(i32, 4, 0, nil, zeros(1), zeros(16)), child(i32, 4, 4)}, zeros(1))}, nil, offsets32(0, 2, 4))},
		"no entries": {arrow.MapOf(i32, i32), forgedData(arrow.MapOf(i32, i32), 2, 0, []arrow.ArrayData{forgedData(entry, 0, 0, nil, nil)}, nil, offsets32(0, 0, 0))},
		"no items":   {arrow.ListOf(arrow.ListOf(i32)), forgedData(arrow.ListOf(arrow.ListOf(i32)), 2, 0, []arrow.ArrayData{forgedData(arrow.ListOf(i32), 0, 0, nil, nil)}, nil, offsets32(0, 0, 0))},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := columnar.NewView(c.d)
			if err != nil {
				t.Fatal(err)
			}
			if got := orderingOf(t, c.t).Compare(&v, 0, &v, 1); got != 0 {
				t.Errorf("they compare %d, want 0", got)
			}
		})
	}
}
