package rowmerge_test

import (
	"math"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// TestFunctionCorners applies one operation where the case files are silent or the rule is easy to miss.
func TestFunctionCorners(t *testing.T) {
	type list = rowmerge.List
	type row = rowmerge.Struct
	bytes := arrow.ListOf(arrow.BinaryTypes.Binary)
	pair := arrow.ListOf(arrow.StructOf(field("a", arrow.PrimitiveTypes.Float64), field("b", int32s)))
	negative := math.Copysign(0, -1)
	a, b := []byte{1}, []byte{2}
	for _, c := range []struct {
		name, function, op string
		typ                arrow.DataType
		options            map[string]string
		acc, in, want      any
		kind               rowmerge.Kind
	}{
		{"unsigned sum", "sum", "agg", arrow.PrimitiveTypes.Uint8, nil, uint8(200), uint8(55), uint8(255), ""},
		{"unsigned overflow", "sum", "agg", arrow.PrimitiveTypes.Uint8, nil, uint8(200), uint8(56), nil, rowmerge.KindArithmetic},
		{"unsigned below zero", "sum", "retract", arrow.PrimitiveTypes.Uint64, nil, uint64(1), uint64(2), nil, rowmerge.KindArithmetic},
		{"float32 sum", "sum", "agg", arrow.PrimitiveTypes.Float32, nil, float32(1 << 24), float32(1), float32(1 << 24), ""},
		{"negated zero", "sum", "retract", arrow.PrimitiveTypes.Float64, nil, nil, 0.0, negative, ""},
		{"collected bytes are found again when distinct", "collect", "retract", bytes, map[string]string{"fields.f.distinct": "true"},
			list{a, b}, list{a}, list{b}, ""},
		{"collected bytes are never found again", "collect", "retract", bytes, nil, list{a, nil, b}, list{a, nil}, list{a, b}, ""},
		{"max of NaN", "max", "agg", arrow.PrimitiveTypes.Float64, nil, math.Inf(1), math.NaN(), math.NaN(), ""},
		{"min of zeros", "min", "agg", arrow.PrimitiveTypes.Float64, nil, 0.0, negative, negative, ""},
		{"nested keys by bits", "nested_update", "agg", pair, map[string]string{"fields.f.nested-key": "a"},
			list{row{0.0, int32(1)}}, list{row{negative, int32(2)}}, list{row{0.0, int32(1)}, row{negative, int32(2)}}, ""},
		{"no-break space is not blank", "listagg", "agg", texts, nil, "a", "\u00a0", "a,\u00a0", ""},
		{"a separator is blank", "listagg", "agg", texts, nil, "a", "\u001c\u2028", "a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := rowmerge.NewFunction(c.function, arrow.Field{Name: "f", Type: c.typ, Nullable: true}, c.options)
			if err != nil {
				t.Fatal(err)
			}
			apply := f.Agg
			if c.op == "retract" {
				apply = f.Retract
			}
			got, wrong := apply(c.acc, c.in)
			switch {
			case c.kind != "" && (wrong == nil || wrong.Kind != c.kind):
				t.Errorf("error %v, want %s", wrong, c.kind)
			case c.kind == "" && wrong != nil:
				t.Error(wrong)
			case c.kind == "" && !rowmerge.Identical(got, c.want):
				t.Errorf("got %s, want %s", rowmerge.Format(got), rowmerge.Format(c.want))
			}
		})
	}
}

// TestFunctionsLeaveInputsAlone applies every operation of the functions on lists and maps and finds both sides unchanged.
func TestFunctionsLeaveInputsAlone(t *testing.T) {
	pair := arrow.StructOf(field("a", int32s), field("t", texts))
	rows := func(n int32) rowmerge.List {
		return rowmerge.List{rowmerge.Struct{n, "x"}, nil, rowmerge.Struct{n + 1, nil}}
	}
	entries := func(n int32) rowmerge.Map {
		return rowmerge.Map{{Key: n, Value: rowmerge.Struct{n, "x"}}, {Key: n + 1}}
	}
	for _, c := range []struct {
		function string
		typ      arrow.DataType
		options  map[string]string
		value    func(int32) any
	}{
		{"collect", arrow.ListOf(pair), nil, func(n int32) any { return rows(n) }},
		{"collect", arrow.ListOf(pair), map[string]string{"fields.f.distinct": "true"}, func(n int32) any { return rows(n) }},
		{"nested_update", arrow.ListOf(pair), nil, func(n int32) any { return rows(n) }},
		{"nested_update", arrow.ListOf(pair), map[string]string{"fields.f.nested-key": "a"}, func(n int32) any { return rows(n) }},
		{"nested_partial_update", arrow.ListOf(pair), map[string]string{"fields.f.nested-key": "a"}, func(n int32) any { return rows(n) }},
		{"merge_map", arrow.MapOf(int32s, pair), nil, func(n int32) any { return entries(n) }},
		{"merge_map_with_keytime", arrow.MapOf(int32s, pair), nil, func(n int32) any { return entries(n) }},
	} {
		f, err := rowmerge.NewFunction(c.function, field("f", c.typ), c.options)
		if err != nil {
			t.Fatal(err)
		}
		acc, in := c.value(1), c.value(2)
		for _, apply := range []func(acc, in any) (any, *rowmerge.Error){f.Agg, f.AggReversed, f.Retract} {
			_, _ = apply(acc, in) // whether it is supported does not matter here
			if !rowmerge.Identical(acc, c.value(1)) || !rowmerge.Identical(in, c.value(2)) {
				t.Fatalf("%s changed its arguments to %s and %s", c.function, rowmerge.Format(acc), rowmerge.Format(in))
			}
		}
	}
}
