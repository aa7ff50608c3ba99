package rowmerge_test

import (
	"fmt"
	"testing"

	"github.com/braidmerge/braid/internal/rowmerge"
)

func TestFillGaps(t *testing.T) {
	for _, c := range []struct {
		name         string
		first, count int64
		ids          []any
		want         string // the kind of the error, or the rows
	}{
		{"no gap", 5, 2, []any{int64(5), int64(6)}, "[[0] [1]]"},
		{"gaps", 5, 4, []any{int64(6), int64(8)}, "[[0] [0] [0] [1]]"},
		{"no rows of none", 5, 0, nil, "[]"},
		{"no rows of some", 5, 1, nil, "misaligned"},
		{"below", 5, 2, []any{int64(4)}, "misaligned"},
		{"above", 5, 2, []any{int64(7)}, "misaligned"},
		{"descending", 5, 2, []any{int64(6), int64(5)}, "misaligned"},
		{"twice", 5, 2, []any{int64(5), int64(5)}, "duplicate-row-id"},
		{"no id", 5, 2, []any{int64(5), nil}, "null-row-id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rows [][]any
			for i := range c.ids {
				rows = append(rows, []any{i})
			}
			out, err := rowmerge.FillGaps(c.first, c.count, c.ids, rows)
			got := fmt.Sprint(out)
			if err != nil {
				got = string(kindOf(err))
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestDropsRetracts(t *testing.T) {
	for _, c := range []struct {
		output, highest int
		vectors, want   bool
	}{{0, 0, false, false}, {0, 0, true, false}, {1, 2, false, false}, {1, 2, true, true}, {2, 2, false, true}, {5, 3, false, true}} {
		if got := rowmerge.DropsRetracts(c.output, c.highest, c.vectors); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestAcceptsDelete(t *testing.T) {
	for _, c := range []struct {
		options map[string]string
		want    bool
	}{
		{nil, true},
		{map[string]string{"merge-engine": "first-row", "ignore-delete": "true"}, false},
		{map[string]string{"merge-engine": "partial-update"}, false},
		{map[string]string{"merge-engine": "partial-update", "partial-update.remove-record-on-delete": "true"}, true},
		{map[string]string{"merge-engine": "partial-update", "partial-update.remove-record-on-sequence-group": "v",
			"fields.v.sequence-group": "op"}, true},
		{map[string]string{"merge-engine": "aggregation", "partial-update.remove-record-on-delete": "true"}, false},
		{map[string]string{"merge-engine": "aggregation", "aggregation.remove-record-on-delete": "true"}, true},
	} {
		got, err := writer(c.options).AcceptsDelete()
		if err != nil || got != c.want {
			t.Errorf("%v: %v, %v", c.options, got, err)
		}
	}
}
