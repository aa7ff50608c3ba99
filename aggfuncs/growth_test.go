package aggfuncs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/validity"
)

// TestLongGroups folds one group of many rows, in order, late, or half of it taken back. Work that grew with the square of
// the rows would take minutes.
func TestLongGroups(t *testing.T) {
	const rows, most = 100_000, 20 * time.Second
	ints, texts := arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String
	item := arrow.StructOf(arrow.Field{Name: "k", Type: ints, Nullable: true}, arrow.Field{Name: "t", Type: texts, Nullable: true})
	row := func(i int) any { return rowmerge.Struct{int32(i), fmt.Sprintf("%06d", i)} }
	for _, c := range []struct {
		function string
		t        arrow.DataType
		value    func(i int) any
		options  []option
		retracts bool
	}{
		{"listagg", texts, func(i int) any { return fmt.Sprint(i) }, nil, false},
		{"listagg", texts, func(i int) any { return fmt.Sprint(i) }, []option{distinct}, false},
		{"collect", arrow.ListOf(ints), func(i int) any { return rowmerge.List{int32(i)} }, nil, true},
		{"collect", arrow.ListOf(ints), func(i int) any { return rowmerge.List{int32(i)} }, []option{distinct}, true},
		{"collect", arrow.ListOf(item), func(i int) any { return rowmerge.List{row(i)} }, []option{distinct, ignoreRetract}, false},
		{"merge_map", arrow.MapOf(ints, texts), func(i int) any { return rowmerge.Map{{Key: int32(i), Value: "x"}} }, nil, true},
		{"merge_map_with_keytime", arrow.MapOf(ints, item), func(i int) any { return rowmerge.Map{{Key: int32(i), Value: row(i)}} }, nil, false},
		{"nested_update", arrow.ListOf(item), func(i int) any { return rowmerge.List{row(i)} }, nil, true},
		{"nested_update", arrow.ListOf(item), func(i int) any { return rowmerge.List{row(i)} }, []option{nestedKey("k")}, true},
		{"nested_partial_update", arrow.ListOf(item), func(i int) any { return rowmerge.List{row(i)} }, []option{nestedKey("k")}, false},
	} {
		values := make([]any, rows)
		for i := range values {
			values[i] = c.value(i % (rows / 2))
		}
		for _, how := range []string{"in order", "late", "taken back"} {
			g := &aggfuncs.Groups{Rows: rows, Count: 1, Ends: make([]uint64, validity.Words(rows))}
			validity.Set(g.Ends, rows-1)
			switch {
			case how == "late":
				g.Late = make([]uint64, len(g.Ends))
				validity.Fill(g.Late, rows)
			case how == "taken back" && !c.retracts:
				continue
			case how == "taken back":
				g.Retract = make([]uint64, len(g.Ends))
				validity.Fill(g.Retract, rows)
				validity.ClearRange(g.Retract, 0, rows/2)
			}
			s := with(c.function, column(c.t, ""), c.options...)
			took := s.foldOnce(t, g, values)
			t.Logf("%s %s: %v", s, how, took)
			if took > most {
				t.Errorf("%s, %s: %v for a group of %d rows", s, how, took, rows)
			}
		}
	}
}

// foldOnce folds a window, which must not fail, and returns how long it took.
func (s *subject) foldOnce(t *testing.T, g *aggfuncs.Groups, values []any) time.Duration {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	in := newArray(mem, s.field.Type, nil, values)
	defer in.Release()
	view, err := columnar.NewView(in.Data())
	if err != nil {
		t.Fatal(err)
	}
	factory, _ := aggfuncs.ByName(s.name)
	rule, err := factory(s.field, s.options)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	data, err := rule.Function.Fold(g, &view, mem)
	took := time.Since(start)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	if data.Len() != 1 {
		t.Errorf("%s: %d results", s, data.Len())
	}
	data.Release()
	return took
}
