package arrow18_test

import (
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"
)

// layout is one Arrow type, written down for both sides, and values for it as JSON. Each side builds its own array from the
// JSON, with its own builders, so the one is the measure of what crosses from the other.
type layout struct {
	name   string
	v17    arrow.DataType
	v18    v18arrow.DataType
	values string
}

var layouts = []layout{
	{"null", arrow.Null, v18arrow.Null, `[null, null, null, null, null]`},
	{"bool", arrow.FixedWidthTypes.Boolean, v18arrow.FixedWidthTypes.Boolean, `[true, null, false, true, true, null, false, true, true, false]`},
	{"int8", arrow.PrimitiveTypes.Int8, v18arrow.PrimitiveTypes.Int8, `[-128, null, 0, 127, 5]`},
	{"int16", arrow.PrimitiveTypes.Int16, v18arrow.PrimitiveTypes.Int16, `[-32768, null, 0, 32767, 5]`},
	{"int32", arrow.PrimitiveTypes.Int32, v18arrow.PrimitiveTypes.Int32, `[-2147483648, null, 0, 2147483647, 5]`},
	{"int64", arrow.PrimitiveTypes.Int64, v18arrow.PrimitiveTypes.Int64, `[-9007199254740991, null, 0, 9007199254740991, 5]`},
	{"uint8", arrow.PrimitiveTypes.Uint8, v18arrow.PrimitiveTypes.Uint8, `[0, null, 255, 7, 5]`},
	{"uint16", arrow.PrimitiveTypes.Uint16, v18arrow.PrimitiveTypes.Uint16, `[0, null, 65535, 7, 5]`},
	{"uint32", arrow.PrimitiveTypes.Uint32, v18arrow.PrimitiveTypes.Uint32, `[0, null, 4294967295, 7, 5]`},
	{"uint64", arrow.PrimitiveTypes.Uint64, v18arrow.PrimitiveTypes.Uint64, `[0, null, 9007199254740991, 7, 5]`},
	{"float16", arrow.FixedWidthTypes.Float16, v18arrow.FixedWidthTypes.Float16, `[0.5, null, -2, 1024, 5]`},
	{"float32", arrow.PrimitiveTypes.Float32, v18arrow.PrimitiveTypes.Float32, `[0.5, null, -2, 1024, 5]`},
	{"float64", arrow.PrimitiveTypes.Float64, v18arrow.PrimitiveTypes.Float64, `[0.5, null, -2, 1e300, 5]`},
	{"decimal128", &arrow.Decimal128Type{Precision: 38, Scale: 2}, &v18arrow.Decimal128Type{Precision: 38, Scale: 2}, `["1.25", null, "-99999999999999999999.01", "0.00", "7.00"]`},
	{"decimal256", &arrow.Decimal256Type{Precision: 76, Scale: 3}, &v18arrow.Decimal256Type{Precision: 76, Scale: 3}, `["1.250", null, "-99999999999999999999999999999999999999999999.001", "0.000", "7.000"]`},
	{"date32", arrow.PrimitiveTypes.Date32, v18arrow.PrimitiveTypes.Date32, `["1970-01-01", null, "2024-02-29", "1969-12-31", "2001-01-01"]`},
	{"date64", arrow.PrimitiveTypes.Date64, v18arrow.PrimitiveTypes.Date64, `["1970-01-01", null, "2024-02-29", "1969-12-31", "2001-01-01"]`},
	{"time32[s]", arrow.FixedWidthTypes.Time32s, v18arrow.FixedWidthTypes.Time32s, `["00:00:01", null, "23:59:59", "12:00:00", "01:02:03"]`},
	{"time64[ns]", arrow.FixedWidthTypes.Time64ns, v18arrow.FixedWidthTypes.Time64ns, `["00:00:00.000000001", null, "23:59:59.999999999", "12:00:00", "01:02:03"]`},
	{"timestamp[s]", &arrow.TimestampType{Unit: arrow.Second}, &v18arrow.TimestampType{Unit: v18arrow.Second}, `["2024-02-29 01:02:03", null, "1969-12-31 23:59:59", "1970-01-01", "2001-01-01"]`},
	{"timestamp[us, Europe/Paris]", &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "Europe/Paris"}, &v18arrow.TimestampType{Unit: v18arrow.Microsecond, TimeZone: "Europe/Paris"}, `[1, null, -1, 0, 1700000000000000]`},
	{"duration[ms]", arrow.FixedWidthTypes.Duration_ms, v18arrow.FixedWidthTypes.Duration_ms, `[1, null, -1, 0, 1700000000000000]`},
	{"month interval", arrow.FixedWidthTypes.MonthInterval, v18arrow.FixedWidthTypes.MonthInterval, `[{"months": 1}, null, {"months": -12}, {"months": 0}, {"months": 7}]`},
	{"day time interval", arrow.FixedWidthTypes.DayTimeInterval, v18arrow.FixedWidthTypes.DayTimeInterval, `[{"days": 1, "milliseconds": 5}, null, {"days": -1, "milliseconds": 0}, {"days": 3, "milliseconds": 1}, {"days": 0, "milliseconds": 0}]`},
	{"month day nano interval", arrow.FixedWidthTypes.MonthDayNanoInterval, v18arrow.FixedWidthTypes.MonthDayNanoInterval, `[{"months": 1, "days": 1, "nanoseconds": 5}, null, {"months": -1, "days": -1, "nanoseconds": 0}, {"months": 0, "days": 3, "nanoseconds": 1}, {"months": 0, "days": 0, "nanoseconds": 0}]`},
	{"fixed size binary", &arrow.FixedSizeBinaryType{ByteWidth: 3}, &v18arrow.FixedSizeBinaryType{ByteWidth: 3}, `["YWJj", null, "ZGVm", "Z2hp", "amts"]`},
	{"binary", arrow.BinaryTypes.Binary, v18arrow.BinaryTypes.Binary, `["YQ==", null, "", "Z2hp", "amts"]`},
	{"utf8", arrow.BinaryTypes.String, v18arrow.BinaryTypes.String, `["a", null, "", "gh", "été"]`},
	{"large binary", arrow.BinaryTypes.LargeBinary, v18arrow.BinaryTypes.LargeBinary, `["YQ==", null, "", "Z2hp", "amts"]`},
	{"large utf8", arrow.BinaryTypes.LargeString, v18arrow.BinaryTypes.LargeString, `["a", null, "", "gh", "été"]`},
	{"binary view", arrow.BinaryTypes.BinaryView, v18arrow.BinaryTypes.BinaryView, `["YQ==", null, "", "bG9uZ2VyIHRoYW4gdHdlbHZlIGJ5dGVz", "amts"]`},
	{"utf8 view", arrow.BinaryTypes.StringView, v18arrow.BinaryTypes.StringView, `["a", null, "", "longer than twelve bytes", "another one of more than twelve"]`},
	{"list", arrow.ListOf(arrow.PrimitiveTypes.Int32), v18arrow.ListOf(v18arrow.PrimitiveTypes.Int32), `[[1, 2], null, [], [3, null], [4]]`},
	{"list of not null", arrow.ListOfNonNullable(arrow.BinaryTypes.String), v18arrow.ListOfNonNullable(v18arrow.BinaryTypes.String), `[["a", "b"], null, [], ["c"], ["d"]]`},
	{"large list", arrow.LargeListOf(arrow.BinaryTypes.String), v18arrow.LargeListOf(v18arrow.BinaryTypes.String), `[["a", "b"], null, [], ["c", null], ["d"]]`},
	{"list view", arrow.ListViewOf(arrow.PrimitiveTypes.Int32), v18arrow.ListViewOf(v18arrow.PrimitiveTypes.Int32), `[[1, 2], null, [], [3, null], [4]]`},
	{"large list view", arrow.LargeListViewOf(arrow.PrimitiveTypes.Int32), v18arrow.LargeListViewOf(v18arrow.PrimitiveTypes.Int32), `[[1, 2], null, [], [3, null], [4]]`},
	{"fixed size list", arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int16), v18arrow.FixedSizeListOf(2, v18arrow.PrimitiveTypes.Int16), `[[1, 2], null, [3, 4], [5, null], [6, 7]]`},
	{"struct", struct17, struct18, `[{"a": 1, "b": "x"}, null, {"a": null, "b": "y"}, {"a": 3, "b": null}, {"a": 4, "b": "z"}]`},
	{"map", map17(), map18(), `[[{"key": "k", "value": 1}], null, [], [{"key": "l", "value": null}, {"key": "m", "value": 2}], [{"key": "n", "value": 3}]]`},
	{"dictionary", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String, Ordered: true}, &v18arrow.DictionaryType{IndexType: v18arrow.PrimitiveTypes.Int8, ValueType: v18arrow.BinaryTypes.String, Ordered: true}, `["a", null, "b", "a", "c"]`},
	{"list of dictionary", arrow.ListOf(&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint16, ValueType: arrow.BinaryTypes.String}), v18arrow.ListOf(&v18arrow.DictionaryType{IndexType: v18arrow.PrimitiveTypes.Uint16, ValueType: v18arrow.BinaryTypes.String}), `[["b", "a", "b"], null, [], ["a", null], ["c"]]`},
	{"map of dictionary", arrow.MapOf(arrow.BinaryTypes.String, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: arrow.PrimitiveTypes.Int64}), v18arrow.MapOf(v18arrow.BinaryTypes.String, &v18arrow.DictionaryType{IndexType: v18arrow.PrimitiveTypes.Int16, ValueType: v18arrow.PrimitiveTypes.Int64}), `[[{"key": "k", "value": 7}], null, [], [{"key": "l", "value": null}, {"key": "m", "value": 7}], [{"key": "n", "value": 3}]]`},
	{"run-end encoded", arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String), v18arrow.RunEndEncodedOf(v18arrow.PrimitiveTypes.Int32, v18arrow.BinaryTypes.String), `["a", "a", null, "b", "b"]`},
	{"sparse union", arrow.SparseUnionOf(union17, []int8{5, 7}), v18arrow.SparseUnionOf(union18, []int8{5, 7}), `[[5, 1], [7, "x"], [5, null], [7, "y"], [5, 2]]`},
	{"dense union", arrow.DenseUnionOf(union17, []int8{5, 7}), v18arrow.DenseUnionOf(union18, []int8{5, 7}), `[[5, 1], [7, "x"], [5, null], [7, "y"], [5, 2]]`},
	{"nested", arrow.ListOf(struct17), v18arrow.ListOf(struct18), `[[{"a": 1, "b": "x"}, null], null, [], [{"a": null, "b": "y"}], [{"a": 3, "b": null}]]`},
}

var (
	struct17 = arrow.StructOf(
		arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		arrow.Field{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true, Metadata: arrow.NewMetadata([]string{"k"}, []string{"v"})})
	struct18 = v18arrow.StructOf(
		v18arrow.Field{Name: "a", Type: v18arrow.PrimitiveTypes.Int32, Nullable: true},
		v18arrow.Field{Name: "b", Type: v18arrow.BinaryTypes.String, Nullable: true, Metadata: v18arrow.NewMetadata([]string{"k"}, []string{"v"})})
	union17 = []arrow.Field{
		{Name: "i", Type: arrow.PrimitiveTypes.Int32, Nullable: true}, {Name: "s", Type: arrow.BinaryTypes.String, Nullable: true}}
	union18 = []v18arrow.Field{
		{Name: "i", Type: v18arrow.PrimitiveTypes.Int32, Nullable: true}, {Name: "s", Type: v18arrow.BinaryTypes.String, Nullable: true}}
)

func map17() arrow.DataType {
	m := arrow.MapOfWithMetadata(arrow.BinaryTypes.String, arrow.NewMetadata([]string{"k"}, []string{"key"}), arrow.PrimitiveTypes.Int32, arrow.Metadata{})
	m.KeysSorted = true
	return m
}

func map18() v18arrow.DataType {
	m := v18arrow.MapOfWithMetadata(v18arrow.BinaryTypes.String, v18arrow.NewMetadata([]string{"k"}, []string{"key"}), v18arrow.PrimitiveTypes.Int32, v18arrow.Metadata{})
	m.KeysSorted = true
	return m
}

func (l layout) build17(t testing.TB, mem memory.Allocator) arrow.Array {
	t.Helper()
	a, _, err := array.FromJSON(mem, l.v17, strings.NewReader(l.values))
	if err != nil {
		t.Fatalf("v17 %s: %v", l.name, err)
	}
	return a
}

func (l layout) build18(t testing.TB, mem v18memory.Allocator) v18arrow.Array {
	t.Helper()
	a, _, err := v18array.FromJSON(mem, l.v18, strings.NewReader(l.values))
	if err != nil {
		t.Fatalf("v18 %s: %v", l.name, err)
	}
	return a
}
