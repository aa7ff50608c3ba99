package aggfuncs_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/internal/rowmerge"
)

// everyType is a column of every table type, with what it is to functions that do not take all.
var everyType = []struct {
	name  string
	field arrow.Field
	is    string // number, bool, text, string (text of no bounded length), binary, bytes (binary of no fixed length), list, map, ...
}{
	{"BOOLEAN", column(arrow.FixedWidthTypes.Boolean, ""), "ordered bool"},
	{"TINYINT", column(arrow.PrimitiveTypes.Int8, ""), "ordered number"},
	{"SMALLINT", column(arrow.PrimitiveTypes.Int16, ""), "ordered number"},
	{"INT", column(arrow.PrimitiveTypes.Int32, ""), "ordered number"},
	{"BIGINT", column(arrow.PrimitiveTypes.Int64, ""), "ordered number"},
	{"FLOAT", column(arrow.PrimitiveTypes.Float32, ""), "ordered number"},
	{"DOUBLE", column(arrow.PrimitiveTypes.Float64, ""), "ordered number"},
	{"DECIMAL", column(&arrow.Decimal128Type{Precision: 10, Scale: 2}, ""), "ordered number"},
	{"DATE", column(arrow.FixedWidthTypes.Date32, ""), "ordered"},
	{"TIME", column(arrow.FixedWidthTypes.Time32ms, ""), "ordered"},
	{"TIMESTAMP", column(&arrow.TimestampType{Unit: arrow.Microsecond}, ""), "ordered"},
	{"TIMESTAMP_LTZ", column(&arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"}, ""), "ordered"},
	{"STRING", column(arrow.BinaryTypes.String, ""), "ordered string"},
	{"STRING said", column(arrow.BinaryTypes.String, " string not null"), "ordered string"},
	{"VARCHAR of any length", column(arrow.BinaryTypes.LargeString, "VARCHAR(2147483647)"), "ordered string"},
	{"VARCHAR", column(arrow.BinaryTypes.String, "VARCHAR(10)"), "ordered"},
	{"CHAR", column(arrow.BinaryTypes.String, "CHAR(4)"), "ordered"},
	{"BYTES", column(arrow.BinaryTypes.Binary, ""), "ordered bytes"},
	{"VARBINARY", column(arrow.BinaryTypes.Binary, "VARBINARY(8)"), "ordered bytes"},
	{"BINARY", column(arrow.BinaryTypes.Binary, "BINARY(8)"), "ordered"},
	{"BINARY of fixed size", column(&arrow.FixedSizeBinaryType{ByteWidth: 4}, ""), "ordered"},
	{"BLOB", column(arrow.BinaryTypes.Binary, "BLOB"), ""},
	{"VARIANT", column(arrow.BinaryTypes.Binary, "VARIANT"), ""},
	{"ARRAY", column(arrow.ListOf(arrow.PrimitiveTypes.Int32), ""), "list"},
	{"ARRAY of rows", column(arrow.ListOf(rowType), ""), "list rows"},
	{"VECTOR", column(arrow.FixedSizeListOf(3, arrow.PrimitiveTypes.Float32), ""), ""},
	{"MAP", column(arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32), ""), "map"},
	{"MAP of rows with text", column(arrow.MapOf(arrow.BinaryTypes.String, arrow.StructOf(
		arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Int32}, arrow.Field{Name: "t", Type: arrow.BinaryTypes.String})), ""), "map timed"},
	{"MAP of rows without text", column(arrow.MapOf(arrow.BinaryTypes.String, rowType), ""), "map"},
	{"MAP of rows of one field", column(arrow.MapOf(arrow.BinaryTypes.String, arrow.StructOf(
		arrow.Field{Name: "t", Type: arrow.BinaryTypes.String})), ""), "map"},
	{"ROW", column(rowType, ""), ""},
}

// takes says what a column must be for a function; other functions take all.
var takes = map[string]string{
	"sum": "number", "product": "number", "min": "ordered", "max": "ordered", "bool_and": "bool", "bool_or": "bool",
	"listagg": "string", "collect": "list", "merge_map": "map", "merge_map_with_keytime": "timed", "nested_update": "rows",
	"nested_partial_update": "rows", "rbm32": "bytes", "rbm64": "bytes", "theta_sketch": "bytes", "hll_sketch": "bytes",
}

// TestTypes tries every function on a column of every type, and the reference beside it.
func TestTypes(t *testing.T) {
	for _, name := range aggfuncs.Names() {
		factory, _ := aggfuncs.ByName(name)
		for _, c := range everyType {
			s := with(name, c.field)
			if name == "nested_partial_update" {
				s = with(name, c.field, nestedKey("a"))
			}
			what, some := takes[name]
			want := !some || slices.Contains(strings.Fields(c.is), what)
			_, err := factory(s.field, s.options)
			_, wrong := rowmerge.NewFunction(name, s.field, s.table)
			if (err == nil) != want || (wrong == nil) != want {
				t.Errorf("%s over %s: error %v, the reference's %v, want one: %v", name, c.name, err, wrong, !want)
			}
			if err == nil {
				continue
			}
			if !errors.Is(err, aggfuncs.ErrOption) {
				t.Errorf("%s over %s: error %v is no ErrOption", name, c.name, err)
			}
			for _, part := range []string{`"f"`, name} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s over %s: error %v does not name %s", name, c.name, err, part)
				}
			}
		}
	}
}

// TestOptionMistakes has options that the nested functions and the one with times refuse.
func TestOptionMistakes(t *testing.T) {
	rows := column(arrow.ListOf(rowType), "")
	timed := column(arrow.MapOf(arrow.BinaryTypes.String, rowType), "")
	at := func(name string) option {
		return option{"ts-field", name, func(o *aggfuncs.Options) { o.TimestampField = name }}
	}
	for _, s := range []*subject{
		with("nested_update", rows, nestedKey("x")),
		with("nested_update", rows, nestedKey("a"), nestedSequence("x")),
		with("nested_update", rows, nestedSequence("a")),
		with("nested_update", rows, nullStrategy("merge", aggfuncs.NullMerge)),
		with("nested_partial_update", rows),
		with("nested_partial_update", rows, nestedKey("x")),
		with("merge_map_with_keytime", timed, at("x")),
		with("merge_map_with_keytime", timed, at("a")),
	} {
		factory, _ := aggfuncs.ByName(s.name)
		if _, err := factory(s.field, s.options); !errors.Is(err, aggfuncs.ErrOption) {
			t.Errorf("%s: error %v, want %v", s, err, aggfuncs.ErrOption)
		}
		if _, err := rowmerge.NewFunction(s.name, s.field, s.table); err == nil {
			t.Errorf("%s: the reference takes it", s)
		}
	}
}

func TestNames(t *testing.T) {
	names := aggfuncs.Names()
	if len(names) != 22 || !slices.IsSorted(names) {
		t.Errorf("%d names: %v", len(names), names)
	}
	for _, name := range names {
		if _, ok := aggfuncs.ByName(name); !ok {
			t.Errorf("%s is no function", name)
		}
	}
	if _, ok := aggfuncs.ByName("count"); ok {
		t.Error("count is a function")
	}
}
