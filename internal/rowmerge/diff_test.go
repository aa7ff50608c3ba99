package rowmerge_test

import (
	"math"
	"testing"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// TestDiffSees finds one difference of every sort.
func TestDiffSees(t *testing.T) {
	row := func(values ...any) rowmerge.Row {
		return rowmerge.Row{Sequence: 5, Key: []any{int32(1)}, Values: values}
	}
	other := func(change func(*rowmerge.Row)) rowmerge.Row {
		r := row("a")
		change(&r)
		return r
	}
	nan := math.Float64frombits(0xfff8000000000001)
	negative := math.Copysign(0, -1)
	all := rowmerge.Comparison{Kinds: true, Sequences: true, Keys: true}
	for _, c := range []struct {
		name      string
		want, got []rowmerge.Row
	}{
		{"missing", []rowmerge.Row{row("a")}, nil},
		{"too many", nil, []rowmerge.Row{row("a")}},
		{"kind", []rowmerge.Row{row("a")}, []rowmerge.Row{other(func(r *rowmerge.Row) { r.Kind = rowmerge.Delete })}},
		{"number", []rowmerge.Row{row("a")}, []rowmerge.Row{other(func(r *rowmerge.Row) { r.Sequence = 6 })}},
		{"key", []rowmerge.Row{row("a")}, []rowmerge.Row{other(func(r *rowmerge.Row) { r.Key[0] = int32(2) })}},
		{"width", []rowmerge.Row{row("a")}, []rowmerge.Row{row("a", "a")}},
		{"NULL", []rowmerge.Row{row("")}, []rowmerge.Row{row(nil)}},
		{"empty bytes", []rowmerge.Row{row([]byte{})}, []rowmerge.Row{row(nil)}},
		{"empty list", []rowmerge.Row{row(rowmerge.List{})}, []rowmerge.Row{row(nil)}},
		{"zero", []rowmerge.Row{row(0.0)}, []rowmerge.Row{row(negative)}},
		{"zero inside", []rowmerge.Row{row(rowmerge.Struct{float32(0)})}, []rowmerge.Row{row(rowmerge.Struct{float32(negative)})}},
		{"NaN bits", []rowmerge.Row{row(math.NaN())}, []rowmerge.Row{row(nan)}},
		{"type", []rowmerge.Row{row(int32(1))}, []rowmerge.Row{row(int64(1))}},
		{"order", []rowmerge.Row{row(rowmerge.List{int32(1), int32(2)})}, []rowmerge.Row{row(rowmerge.List{int32(2), int32(1)})}},
		{"map order", []rowmerge.Row{row(rowmerge.Map{{Key: "a"}, {Key: "b"}})}, []rowmerge.Row{row(rowmerge.Map{{Key: "b"}, {Key: "a"}})}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if rowmerge.Diff(c.want, c.got, all) == "" {
				t.Error("no difference")
			}
			if d := rowmerge.Diff(c.want, c.want, all); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestDiffAllows takes for equal what it is told to.
func TestDiffAllows(t *testing.T) {
	yes := func(int) bool { return true }
	rows := func(v any) []rowmerge.Row { return []rowmerge.Row{{Values: []any{v}}} }
	nan := math.Float64frombits(0xfff8000000000001)
	one, two := rowmerge.List{int32(1), int32(2), int32(1)}, rowmerge.List{int32(1), int32(1), int32(2)}
	if d := rowmerge.Diff(rows(rowmerge.List{nan}), rows(rowmerge.List{math.NaN()}), rowmerge.Comparison{AnyNaN: yes}); d != "" {
		t.Error(d)
	}
	if d := rowmerge.Diff(rows(one), rows(two), rowmerge.Comparison{Unordered: yes}); d != "" {
		t.Error(d)
	}
	if rowmerge.Diff(rows(one), rows(two[1:]), rowmerge.Comparison{Unordered: yes}) == "" {
		t.Error("multisets of different sizes are equal")
	}
	same := func(_ int, want, got any) bool { return want == "a" && got == "b" }
	if d := rowmerge.Diff(rows("a"), rows("b"), rowmerge.Comparison{Same: same}); d != "" {
		t.Error(d)
	}
	if rowmerge.Diff(rows("b"), rows("a"), rowmerge.Comparison{Same: same}) == "" {
		t.Error("Same is not asked")
	}
}
