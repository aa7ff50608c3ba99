package aggfuncs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
)

// TestSame compares the first half of an array with the second.
func TestSame(t *testing.T) {
	for _, c := range []struct {
		typ    arrow.DataType
		values string // as JSON
		want   string
	}{
		{arrow.PrimitiveTypes.Int8, `[1, 2, 3, 1, 9, 3]`, "[0 2]"},
		{arrow.PrimitiveTypes.Int16, `[1, 2, 1, 2]`, "[0 1]"},
		{arrow.PrimitiveTypes.Uint32, `[1, 2, 2, 1]`, "[]"},
		{arrow.PrimitiveTypes.Int64, `[null, 2, 0, null, 2, null]`, "[0 1]"},
		{arrow.PrimitiveTypes.Int64, `[-1, 4294967297, -1, 1]`, "[0]"},
		{arrow.PrimitiveTypes.Float64, `[0, 1.5, -0.0, 1.5]`, "[1]"},
		{arrow.FixedWidthTypes.Boolean, `[true, false, null, true, true, null]`, "[0 2]"},
		{arrow.BinaryTypes.String, `["a", "", null, "a", null, null]`, "[0 2]"},
		{&arrow.Decimal128Type{Precision: 20, Scale: 2}, `["1.50", "2.00", "1.50", "2.01"]`, "[0]"},
		{arrow.ListOf(arrow.PrimitiveTypes.Int32), `[[1, 2], [1], [1, 2], [1, null]]`, "[0]"},
		{arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32),
			`[[{"key":"a","value":1},{"key":"b","value":2}], [{"key":"b","value":2},{"key":"a","value":1}]]`, "[0]"},
		{arrow.PrimitiveTypes.Int32, `[]`, "[]"},
	} {
		a, _, err := array.FromJSON(memory.DefaultAllocator, c.typ, strings.NewReader(c.values))
		if err != nil {
			t.Fatal(err)
		}
		v, err := columnar.NewView(a.Data())
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(aggfuncs.NewEquality(c.typ).Same([]uint32{}, &v, a.Len()/2)); got != c.want {
			t.Errorf("%v %s: %s, want %s", c.typ, c.values, got, c.want)
		}
	}
}
