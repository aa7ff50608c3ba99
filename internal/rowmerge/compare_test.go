package rowmerge_test

import (
	"math"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// ascending lists values of one type each, every one below the next.
func ascending() [][]any {
	negative := math.Copysign(0, -1)
	type list = rowmerge.List
	return [][]any{
		{nil, false, true},
		{nil, int8(-128), int8(0), int8(127)},
		{uint64(0), uint64(1 << 63)},
		{math.Inf(-1), -1.0, negative, 0.0, 5e-324, math.Inf(1), math.NaN()},
		{float32(-1), float32(negative), float32(0), float32(math.NaN())},
		{"", "a", "a\x00", "ab", "b", "\uffff", "\U00010000"},
		{[]byte{}, []byte{0}, []byte{0, 1}, []byte{127}, []byte{128}},
		{decimal128.FromI64(-5), decimal128.FromI64(0), decimal128.New(1, 0)},
		{arrow.Date32(-1), arrow.Date32(1)},
		{arrow.Timestamp(-1), arrow.Timestamp(1)},
		{list{}, list{nil}, list{int32(1)}, list{int32(1), nil}, list{int32(2)}},
		{rowmerge.Struct{nil, int32(9)}, rowmerge.Struct{int32(1), nil}, rowmerge.Struct{int32(1), int32(0)}},
		{rowmerge.Map{}, rowmerge.Map{{Key: "b", Value: int32(1)}}, rowmerge.Map{{Key: "b", Value: int32(2)}},
			rowmerge.Map{{Key: "a"}, {Key: "b"}}},
	}
}

func TestCompare(t *testing.T) {
	for _, values := range ascending() {
		for i, a := range values {
			for j, b := range values {
				want := min(max(i-j, -1), 1)
				if got := rowmerge.Compare(a, b); got != want {
					t.Errorf("%s and %s compare as %d, want %d", rowmerge.Format(a), rowmerge.Format(b), got, want)
				}
				if rowmerge.Equal(a, b) != (i == j) {
					t.Errorf("%s and %s: wrong equality", rowmerge.Format(a), rowmerge.Format(b))
				}
			}
		}
	}
}

func TestCompareDescendingKeepsNullsSmallest(t *testing.T) {
	one := []any{int32(1)}
	for _, c := range []struct {
		a, b []any
		want int
	}{
		{one, []any{int32(2)}, 1},
		{one, []any{nil}, 1},
		{[]any{nil}, one, -1},
		{[]any{nil, int32(2)}, []any{nil, int32(3)}, 1},
	} {
		if got := rowmerge.CompareRows(c.a, c.b, true); got != c.want {
			t.Errorf("%v and %v compare as %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestNaNsAreEqual(t *testing.T) {
	other := math.Float64frombits(0xfff8000000000001)
	if rowmerge.Compare(math.NaN(), other) != 0 || !rowmerge.Equal(rowmerge.List{math.NaN()}, rowmerge.List{other}) {
		t.Error("two NaNs differ")
	}
}

func TestEqualMapsHaveNoOrder(t *testing.T) {
	a := rowmerge.Map{{Key: "a", Value: int32(1)}, {Key: "b", Value: rowmerge.Map{{Key: "x"}, {Key: "y"}}}}
	b := rowmerge.Map{{Key: "b", Value: rowmerge.Map{{Key: "y"}, {Key: "x"}}}, {Key: "a", Value: int32(1)}}
	if !rowmerge.Equal(rowmerge.List{a}, rowmerge.List{b}) {
		t.Error("equal maps in another order differ")
	}
	if rowmerge.Equal(a, b[:1]) || rowmerge.Equal(a, rowmerge.Map{a[0], a[0]}) {
		t.Error("different maps are equal")
	}
}
