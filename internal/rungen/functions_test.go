package rungen_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/internal/rungen"
)

// TestNestedValues wants values under NULLs, empty lists, NULLs inside, and slices at odd offsets.
func TestNestedValues(t *testing.T) {
	s := rungen.Spec{Seed: 1, Rows: 200, Runs: 1, Keys: []rungen.Column{{}},
		Values: []rungen.Column{{Type: "list<item: int64, nullable>", Nulls: rungen.HalfNulls}, {Type: "map<utf8, int64, items_nullable>"},
			{Type: "struct<k: int32, l: utf8, n: int64>", Nulls: rungen.FewNulls}},
		Layout: rungen.Layout{Batch: "50", Arrays: rungen.Padded}}
	empty, under, inside, moved := 0, 0, 0, 0
	for _, rec := range generate(t, s).Runs[0].Records {
		list := column(rec, "v0").(*array.List)
		inside += list.ListValues().NullN()
		if list.Data().Offset() > 0 {
			moved++
		}
		for i := range list.Len() {
			from, to := list.ValueOffsets(i)
			switch {
			case list.IsNull(i) && to > from:
				under++
			case from == to:
				empty++
			}
		}
		if nulls := column(rec, "v1").NullN(); nulls != 0 {
			t.Errorf("%d NULLs in a column that has none", nulls)
		}
	}
	if empty == 0 || under == 0 || inside == 0 || moved == 0 {
		t.Errorf("%d empty lists, %d with values under NULL, %d NULLs inside, %d slices", empty, under, inside, moved)
	}
}

// TestSmallNumbers wants integers of style small to be small.
func TestSmallNumbers(t *testing.T) {
	for _, name := range []string{"int8", "int64", "uint8"} {
		s := rungen.Spec{Rows: 100, Runs: 1, Keys: []rungen.Column{{}}, Values: []rungen.Column{{Type: name, Style: rungen.Small}}}
		seen := map[string]bool{}
		for _, rec := range generate(t, s).Runs[0].Records {
			for i := range int(rec.NumRows()) {
				seen[column(rec, "v0").ValueStr(i)] = true
			}
		}
		if len(seen) != 8 || !seen["4"] || seen["-3"] == (name == "uint8") {
			t.Errorf("%s: %v", name, seen)
		}
	}
}

// TestNestedKeysAreRefused wants an error of a spec whose key column is nested, and none of one whose sequence column is.
func TestNestedKeysAreRefused(t *testing.T) {
	nested := []rungen.Column{{Type: arrow.ListOf(arrow.PrimitiveTypes.Int64).String()}}
	if _, err := rungen.Parse(rungen.Spec{Keys: nested}.String()); err == nil {
		t.Error("a nested key is accepted")
	}
	if _, err := rungen.Parse(rungen.Spec{Keys: []rungen.Column{{}}, Sequence: nested}.String()); err != nil {
		t.Error(err)
	}
}
