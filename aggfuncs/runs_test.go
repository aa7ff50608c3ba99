package aggfuncs_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// runsOf deals the rows of a column, in merged order, to so many runs and a last one of rows that are in no group. It returns the runs,
// and the groups in merged order. Every run is an array with an offset.
func runsOf(t *testing.T, rng *rand.Rand, column arrow.Array, count int, mean float64, mem memory.Allocator) (*aggfuncs.Runs, *aggfuncs.Groups, arrow.Array) {
	t.Helper()
	dealt := make([][]int, count+1)
	of := make([][]uint32, count+1)
	var merged []int
	g := &aggfuncs.Groups{}
	for row := 0; row < column.Len(); {
		group := uint32(g.Count)
		for run := 0; row < column.Len(); {
			if rng.IntN(20) == 0 {
				dealt[count] = append(dealt[count], row)
				row++
				continue
			}
			dealt[run], of[run], merged = append(dealt[run], row), append(of[run], group), append(merged, row)
			row++
			if rng.Float64() < 1/mean {
				break
			}
			run = min(count-1, run+rng.IntN(2))
		}
		if len(merged) > g.Rows {
			g.Rows, g.Count = len(merged), g.Count+1
			ends := make([]uint64, validity.Words(g.Rows))
			copy(ends, g.Ends)
			g.Ends = ends
			validity.Set(g.Ends, g.Rows-1)
		}
	}
	for range dealt[count] {
		of[count] = append(of[count], uint32(g.Count))
	}
	r := &aggfuncs.Runs{Count: g.Count}
	for i, rows := range dealt {
		part := takeRows(t, column, append([]int{0, 0, 0}, rows...), mem)
		sliced := array.NewSlice(part, 3, int64(part.Len()))
		part.Release()
		t.Cleanup(sliced.Release)
		view, err := columnar.NewView(sliced.Data())
		if err != nil {
			t.Fatal(err)
		}
		r.Of = append(r.Of, make([]uint32, 5)...) // a gap
		r.Pieces = append(r.Pieces, columnar.Piece{View: &view, From: 0, To: len(rows), Start: len(r.Of)})
		r.Of = append(r.Of, of[i]...)
	}
	return r, g, takeRows(t, column, merged, mem)
}

// takeRows makes an array of rows of another.
func takeRows(t *testing.T, column arrow.Array, rows []int, mem memory.Allocator) arrow.Array {
	t.Helper()
	parts := make([]arrow.Array, 0, len(rows)+1)
	parts = append(parts, array.NewSlice(column, 0, 0))
	for _, row := range rows {
		parts = append(parts, array.NewSlice(column, int64(row), int64(row)+1))
	}
	all, err := array.Concatenate(parts, mem)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		p.Release()
	}
	return all
}

// numbers makes a column of numbers of a type, one in so many NULL; 0 for none. Few are beyond 1, so that products fit now and then.
func numbers(t *testing.T, rng *rand.Rand, typ arrow.DataType, rows, nulls int, mem memory.Allocator) arrow.Array {
	t.Helper()
	large := []int{3, 100, 1000}[rng.IntN(3)]
	b := array.NewBuilder(mem, typ)
	defer b.Release()
	for range rows {
		text := "1"
		if rng.IntN(large) == 0 {
			text = fmt.Sprint(2 + rng.IntN(2))
		}
		switch {
		case nulls > 0 && rng.IntN(nulls) == 0:
			b.AppendNull()
			continue
		case arrow.IsFloating(typ.ID()) && rng.IntN(4) == 0:
			text = []string{"-0", "0", "-1.5", "0.1"}[rng.IntN(4)]
		case arrow.IsSignedInteger(typ.ID()) && rng.IntN(3) == 0:
			text = "-1"
		}
		if err := b.AppendValueFromString(text); err != nil {
			t.Fatal(err)
		}
	}
	return b.NewArray()
}

// TestFoldRuns holds FoldRuns to what Fold makes of the same rows in merged order, bit for bit, window after window.
func TestFoldRuns(t *testing.T) {
	for _, name := range []string{"sum", "min", "max", "product"} {
		for _, typ := range concat(integerTypes, floatTypes) {
			t.Run(fmt.Sprintf("%s/%s", name, typ), func(t *testing.T) {
				rule, answers := ruleOf(t, name, typ), 0
				for seed := range uint64(25) {
					answers += foldBothWays(t, rule, typ, seed)
				}
				if answers < 8 {
					t.Errorf("only %d of 25 windows had an answer", answers)
				}
			})
		}
	}
}

func foldBothWays(t *testing.T, rule aggfuncs.Function, typ arrow.DataType, seed uint64) (answers int) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	rng := rand.New(rand.NewPCG(seed, 6))
	column := numbers(t, rng, typ, 1+rng.IntN(3000), []int{0, 2, 30}[rng.IntN(3)], mem)
	defer column.Release()
	r, g, merged := runsOf(t, rng, column, 1+rng.IntN(6), []float64{1.1, 2, 5}[rng.IntN(3)], mem)
	defer merged.Release()
	if g.Count == 0 {
		return 0
	}
	view, err := columnar.NewView(merged.Data())
	if err != nil {
		t.Fatal(err)
	}
	got := rule.(aggfuncs.RunFolder).FoldRuns(r, mem)
	want, err := rule.Fold(g, &view, mem)
	if err == nil {
		defer want.Release()
	}
	if got == nil {
		return 0 // it leaves these to Fold
	}
	defer got.Release()
	if err != nil {
		t.Fatalf("seed %d: FoldRuns has an answer, Fold has the error %v", seed, err)
	}
	a, b := array.MakeFromData(got), array.MakeFromData(want)
	defer a.Release()
	defer b.Release()
	if a.Len() != b.Len() || a.NullN() != b.NullN() {
		t.Fatalf("seed %d: %d results, %d NULL, want %d and %d", seed, a.Len(), a.NullN(), b.Len(), b.NullN())
	}
	for i := range a.Len() {
		if a.IsNull(i) != b.IsNull(i) || a.ValueStr(i) != b.ValueStr(i) {
			t.Fatalf("seed %d: result %d is %s, want %s", seed, i, a.ValueStr(i), b.ValueStr(i))
		}
	}
	return 1
}

func ruleOf(t *testing.T, name string, typ arrow.DataType) aggfuncs.Function {
	t.Helper()
	factory, _ := aggfuncs.ByName(name)
	rule, err := factory(arrow.Field{Name: "f", Type: typ, Nullable: true}, aggfuncs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rule.Function
}

// TestFoldRunsLeavesTrouble holds that what only Fold can tell, an overflow and what becomes of a NaN, is left to it.
func TestFoldRunsLeavesTrouble(t *testing.T) {
	for _, c := range []struct {
		name   string
		typ    arrow.DataType
		values []string
	}{
		{"sum", arrow.PrimitiveTypes.Int64, []string{fmt.Sprint(math.MaxInt64), "1"}},
		{"sum", arrow.PrimitiveTypes.Int8, []string{"-128", "-1"}},
		{"sum", arrow.PrimitiveTypes.Uint16, []string{"65535", "1"}},
		{"product", arrow.PrimitiveTypes.Int32, []string{"65536", "65536"}},
		{"product", arrow.PrimitiveTypes.Uint64, []string{"4294967296", "4294967296"}},
		{"sum", arrow.PrimitiveTypes.Float64, []string{"NaN", "1"}},
		{"sum", arrow.PrimitiveTypes.Float32, []string{"Inf", "-Inf"}},
		{"product", arrow.PrimitiveTypes.Float64, []string{"0", "Inf"}},
		{"min", arrow.PrimitiveTypes.Float64, []string{"1", "NaN"}},
		{"max", arrow.PrimitiveTypes.Float32, []string{"NaN", "1"}},
	} {
		t.Run(c.name+"/"+c.typ.String(), func(t *testing.T) {
			mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
			defer mem.AssertSize(t, 0)
			b := array.NewBuilder(mem, c.typ)
			defer b.Release()
			for _, text := range c.values {
				if err := b.AppendValueFromString(text); err != nil {
					t.Fatal(err)
				}
			}
			column := b.NewArray()
			defer column.Release()
			view, err := columnar.NewView(column.Data())
			if err != nil {
				t.Fatal(err)
			}
			r := &aggfuncs.Runs{Of: []uint32{0, 0}, Count: 1, Pieces: []columnar.Piece{{View: &view, To: 2}}}
			if got := ruleOf(t, c.name, c.typ).(aggfuncs.RunFolder).FoldRuns(r, mem); got != nil {
				defer got.Release()
				t.Errorf("of %v it makes %v", c.values, array.MakeFromData(got))
			}
		})
	}
}
