package rowmerge_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// layout is a column in some Arrow layout, as JSON for the builder, and the values of its rows.
type layout struct {
	name string
	typ  arrow.DataType
	json string
	want []any
}

func layouts() []layout {
	type list = rowmerge.List
	type row = rowmerge.Struct
	item := arrow.PrimitiveTypes.Int32
	pair := arrow.StructOf(arrow.Field{Name: "a", Type: item, Nullable: true},
		arrow.Field{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true})
	date := &arrow.TimestampType{Unit: arrow.Microsecond}
	return []layout{
		{"null", arrow.Null, `[null, null]`, []any{nil, nil}},
		{"bool", arrow.FixedWidthTypes.Boolean, `[true, null, false]`, []any{true, nil, false}},
		{"int8", arrow.PrimitiveTypes.Int8, `[-128, null]`, []any{int8(-128), nil}},
		{"int16", arrow.PrimitiveTypes.Int16, `[-7]`, []any{int16(-7)}},
		{"int32", item, `[7]`, []any{int32(7)}},
		{"int64", arrow.PrimitiveTypes.Int64, `[-4294967297]`, []any{int64(-4294967297)}},
		{"uint8", arrow.PrimitiveTypes.Uint8, `[255]`, []any{uint8(255)}},
		{"uint16", arrow.PrimitiveTypes.Uint16, `[65535]`, []any{uint16(65535)}},
		{"uint32", arrow.PrimitiveTypes.Uint32, `[4294967295]`, []any{uint32(math.MaxUint32)}},
		{"uint64", arrow.PrimitiveTypes.Uint64, `[9223372036854775808]`, []any{uint64(1 << 63)}},
		{"float16", arrow.FixedWidthTypes.Float16, `[0.5]`, []any{float16.New(0.5)}},
		{"float32", arrow.PrimitiveTypes.Float32, `[0.5, -0.0]`, []any{float32(0.5), float32(math.Copysign(0, -1))}},
		{"float64", arrow.PrimitiveTypes.Float64, `[0.1, null]`, []any{0.1, nil}},
		{"decimal128", &arrow.Decimal128Type{Precision: 4, Scale: 2}, `["1.25"]`, []any{decimal128.FromI64(125)}},
		{"decimal256", &arrow.Decimal256Type{Precision: 40, Scale: 1}, `["1.5"]`, []any{decimal256.FromI64(15)}},
		{"utf8", arrow.BinaryTypes.String, `["", null, "ab"]`, []any{"", nil, "ab"}},
		{"large utf8", arrow.BinaryTypes.LargeString, `["ab", null]`, []any{"ab", nil}},
		{"utf8 view", arrow.BinaryTypes.StringView, `["ab", null, "a text of more than twelve bytes"]`,
			[]any{"ab", nil, "a text of more than twelve bytes"}},
		{"binary", arrow.BinaryTypes.Binary, `["AQI=", ""]`, []any{[]byte{1, 2}, []byte{}}},
		{"large binary", arrow.BinaryTypes.LargeBinary, `["AQI="]`, []any{[]byte{1, 2}}},
		{"binary view", arrow.BinaryTypes.BinaryView, `["AQI="]`, []any{[]byte{1, 2}}},
		{"fixed-size binary", &arrow.FixedSizeBinaryType{ByteWidth: 2}, `["AQI=", null]`, []any{[]byte{1, 2}, nil}},
		{"date32", arrow.FixedWidthTypes.Date32, `["1970-01-03"]`, []any{arrow.Date32(2)}},
		{"date64", arrow.FixedWidthTypes.Date64, `["1970-01-02"]`, []any{arrow.Date64(86400000)}},
		{"time32", arrow.FixedWidthTypes.Time32ms, `["00:00:01"]`, []any{arrow.Time32(1000)}},
		{"time64", arrow.FixedWidthTypes.Time64us, `["00:00:01"]`, []any{arrow.Time64(1000000)}},
		{"timestamp", date, `["1969-12-31 23:59:59"]`, []any{arrow.Timestamp(-1000000)}},
		{"duration", arrow.FixedWidthTypes.Duration_ms, `["5ms"]`, []any{arrow.Duration(5)}},
		{"month interval", arrow.FixedWidthTypes.MonthInterval, `[{"months": 3}]`, []any{arrow.MonthInterval(3)}},
		{"day time interval", arrow.FixedWidthTypes.DayTimeInterval, `[{"days": 1, "milliseconds": 2}]`,
			[]any{arrow.DayTimeInterval{Days: 1, Milliseconds: 2}}},
		{"month day nano interval", arrow.FixedWidthTypes.MonthDayNanoInterval, `[{"months": 1, "days": 2, "nanoseconds": 3}]`,
			[]any{arrow.MonthDayNanoInterval{Months: 1, Days: 2, Nanoseconds: 3}}},
		{"list", arrow.ListOf(item), `[[1, null], null, []]`, []any{list{int32(1), nil}, nil, list{}}},
		{"large list", arrow.LargeListOf(item), `[[1], [2, 3]]`, []any{list{int32(1)}, list{int32(2), int32(3)}}},
		{"list view", arrow.ListViewOf(item), `[[1], null, [2, 3]]`, []any{list{int32(1)}, nil, list{int32(2), int32(3)}}},
		{"large list view", arrow.LargeListViewOf(item), `[[], [2]]`, []any{list{}, list{int32(2)}}},
		{"fixed-size list", arrow.FixedSizeListOf(2, item), `[[1, 2], null, [3, null]]`,
			[]any{list{int32(1), int32(2)}, nil, list{int32(3), nil}}},
		{"struct", pair, `[{"a": 1, "b": "x"}, null, {"a": null, "b": "y"}]`,
			[]any{row{int32(1), "x"}, nil, row{nil, "y"}}},
		{"list of struct", arrow.ListOf(pair), `[[{"a": 1, "b": "x"}, null]]`, []any{list{row{int32(1), "x"}, nil}}},
		{"map", arrow.MapOf(arrow.BinaryTypes.String, item), `[[{"key": "b", "value": 1}, {"key": "a", "value": null}], null]`,
			[]any{rowmerge.Map{{Key: "b", Value: int32(1)}, {Key: "a"}}, nil}},
		{"dictionary", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
			`["x", null, "y", "x"]`, []any{"x", nil, "y", "x"}},
	}
}

// TestDecode reads every layout, whole and as slices of longer arrays.
func TestDecode(t *testing.T) {
	for _, l := range layouts() {
		t.Run(l.name, func(t *testing.T) {
			mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
			defer mem.AssertSize(t, 0)
			b := array.NewBuilder(mem, l.typ)
			defer b.Release()
			for range 2 {
				if err := b.UnmarshalJSON([]byte(l.json)); err != nil {
					t.Fatal(err)
				}
			}
			a := b.NewArray()
			defer a.Release()
			n := len(l.want)
			for from := range n {
				slice := array.NewSlice(a, int64(from), int64(from+n))
				defer slice.Release()
				wantColumn(t, slice, append(append([]any{}, l.want[from:]...), l.want[:from]...))
			}
		})
	}
}

// wantColumn merges a run with the array as a value column, each row with a key of its own.
func wantColumn(t *testing.T, a arrow.Array, want []any) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	keys := array.NewInt32Builder(mem)
	defer keys.Release()
	for i := range a.Len() {
		keys.Append(int32(i))
	}
	k := keys.NewArray()
	defer k.Release()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "k", Type: arrow.PrimitiveTypes.Int32}, {Name: "v", Type: a.DataType(), Nullable: true}}, nil)
	rec := array.NewRecord(schema, []arrow.Array{k, a}, int64(a.Len()))
	defer rec.Release()
	p := rowmerge.Problem{Schema: schema, PrimaryKey: []string{"k"}, Runs: []rowmerge.Run{{Records: []arrow.Record{rec}}}}
	rows, err := p.Merge()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if !rowmerge.Identical(row.Values[1], want[i]) {
			t.Errorf("row %d: got %s, want %s", i, rowmerge.Format(row.Values[1]), rowmerge.Format(want[i]))
		}
	}
}

// TestDecodeDictionaryWithNull reads a NULL that stands among a dictionary's values.
func TestDecodeDictionaryWithNull(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	values := array.NewStringBuilder(mem)
	defer values.Release()
	values.Append("x")
	values.AppendNull()
	indices := array.NewInt8Builder(mem)
	defer indices.Release()
	indices.AppendValues([]int8{0, 1}, nil)
	v, i := values.NewArray(), indices.NewArray()
	defer v.Release()
	defer i.Release()
	a := array.NewDictionaryArray(&arrow.DictionaryType{IndexType: i.DataType(), ValueType: v.DataType()}, i, v)
	defer a.Release()
	wantColumn(t, a, []any{"x", nil})
}

// TestDecodeRunEndEncoded reads x x NULL y y y, whole and sliced.
func TestDecodeRunEndEncoded(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	values := array.NewStringBuilder(mem)
	defer values.Release()
	values.AppendStringValues([]string{"x", "", "y"}, []bool{true, false, true})
	ends := array.NewInt16Builder(mem)
	defer ends.Release()
	ends.AppendValues([]int16{2, 3, 6}, nil)
	v, e := values.NewArray(), ends.NewArray()
	defer v.Release()
	defer e.Release()
	a := array.NewRunEndEncodedArray(e, v, 6, 0)
	defer a.Release()
	want := []any{"x", "x", nil, "y", "y", "y"}
	for from := range want {
		for to := from; to <= len(want); to++ {
			slice := array.NewSlice(a, int64(from), int64(to))
			defer slice.Release()
			wantColumn(t, slice, want[from:to])
		}
	}
}

// tinyType is an extension type that stores int8.
type tinyType struct{ arrow.ExtensionBase }

type tinyArray struct{ array.ExtensionArrayBase }

func newTinyType() *tinyType {
	return &tinyType{arrow.ExtensionBase{Storage: arrow.PrimitiveTypes.Int8}}
}

func (*tinyType) ArrayType() reflect.Type { return reflect.TypeOf(tinyArray{}) }
func (*tinyType) ExtensionName() string   { return "tiny" }
func (*tinyType) ExtensionEquals(other arrow.ExtensionType) bool {
	return other.ExtensionName() == "tiny"
}
func (*tinyType) Serialize() string { return "" }
func (*tinyType) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) {
	return newTinyType(), nil
}

// TestDecodeExtension reads what an extension type stores.
func TestDecodeExtension(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	b := array.NewInt8Builder(mem)
	defer b.Release()
	b.AppendValues([]int8{1, 0}, nil)
	storage := b.NewArray()
	defer storage.Release()
	a := array.NewExtensionArrayWithStorage(newTinyType(), storage)
	defer a.Release()
	wantColumn(t, a, []any{int8(1), int8(0)})
}

// TestDecodeRefusesUnions finds that a union has no values to merge.
func TestDecodeRefusesUnions(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	union := arrow.SparseUnionOf([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int32}}, []arrow.UnionTypeCode{0})
	schema := arrow.NewSchema([]arrow.Field{{Name: "k", Type: arrow.PrimitiveTypes.Int32}, {Name: "v", Type: union}}, nil)
	b := array.NewRecordBuilder(mem, schema)
	defer b.Release()
	b.Field(0).(*array.Int32Builder).Append(1)
	v := b.Field(1).(*array.SparseUnionBuilder)
	v.Append(0)
	v.Child(0).(*array.Int32Builder).Append(1)
	rec := b.NewRecord()
	defer rec.Release()
	p := rowmerge.Problem{Schema: schema, PrimaryKey: []string{"k"}, Runs: []rowmerge.Run{{Records: []arrow.Record{rec}}}}
	_, err := p.Merge()
	wantKind(t, rowmerge.KindSchema, err)
}
