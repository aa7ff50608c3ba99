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
	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/validity"
)

// begun makes a column of a window whose rows are those of two pieces in turn, and groups of the rows in merged order. It returns the first
// values of the groups, which have a bit where there is one, and the rest.
func begun(t *testing.T, rng *rand.Rand, column arrow.Array, mean float64, inPlace bool, mem memory.Allocator) (firsts arrow.ArrayData, r *aggfuncs.Rest, g *aggfuncs.Groups) {
	t.Helper()
	view, err := columnar.NewView(column.Data())
	if err != nil {
		t.Fatal(err)
	}
	half := column.Len() / 2
	pieces := []columnar.Piece{{View: &view, To: half}, {View: &view, From: half, To: column.Len(), Start: half + columnar.Gap}}
	staged := func(row int) uint32 {
		if row >= half {
			row += columnar.Gap
		}
		return uint32(row)
	}
	r = &aggfuncs.Rest{Values: &columnar.Staged{}}
	if err := r.Values.Stage(view.Layout, &columnar.Shape{Pieces: pieces, Room: column.Len() + columnar.Gap, InPlace: inPlace}); err != nil {
		t.Fatal(err)
	}
	g = &aggfuncs.Groups{Rows: column.Len(), Ends: make([]uint64, validity.Words(column.Len()))}
	var sel []uint32
	var valid []byte
	first := -1 // of the group at hand, with a value
	for row := range column.Len() {
		switch {
		case column.IsNull(row):
		case first < 0:
			first = row
		default:
			r.Rows, r.Of = append(r.Rows, staged(row)), append(r.Of, uint32(g.Count))
		}
		if row == column.Len()-1 || rng.Float64() < 1/mean {
			validity.Set(g.Ends, row)
			sel, valid = append(sel, staged(max(first, 0))), append(valid, byte(min(first+1, 1)))
			g.Count, first = g.Count+1, -1
		}
	}
	bitmap := columnar.TakeValid(valid, sequence(g.Count), mem)
	defer bitmap.Release()
	if firsts, err = r.Values.Take(column.DataType(), sel, bitmap, mem); err != nil {
		t.Fatal(err)
	}
	return firsts, r, g
}

// sequence returns the numbers from 0 on.
func sequence(n int) (s []uint32) {
	for i := range n {
		s = append(s, uint32(i))
	}
	return s
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

// TestFoldRest holds FoldRest to what Fold makes of the same rows in merged order, bit for bit, window after window.
func TestFoldRest(t *testing.T) {
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
	firsts, r, g := begun(t, rng, column, []float64{1.1, 2, 5}[rng.IntN(3)], rng.IntN(2) == 0, mem)
	defer firsts.Release()
	view, err := columnar.NewView(column.Data())
	if err != nil {
		t.Fatal(err)
	}
	ok := rule.(aggfuncs.RestFolder).FoldRest(firsts.Buffers()[1].Bytes(), r)
	want, err := rule.Fold(g, &view, mem)
	if err == nil {
		defer want.Release()
	}
	if !ok {
		return 0 // it leaves these to Fold
	}
	if err != nil {
		t.Fatalf("seed %d: FoldRest has an answer, Fold has the error %v", seed, err)
	}
	a, b := array.MakeFromData(firsts), array.MakeFromData(want)
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

// TestFoldRestLeavesTrouble holds that what only Fold can tell, an overflow and what becomes of a NaN, is left to it.
func TestFoldRestLeavesTrouble(t *testing.T) {
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
			firsts, r, _ := begun(t, rand.New(rand.NewPCG(1, 1)), column, math.Inf(1), false, mem)
			defer firsts.Release()
			if ruleOf(t, c.name, c.typ).(aggfuncs.RestFolder).FoldRest(firsts.Buffers()[1].Bytes(), r) {
				t.Errorf("of %v it makes %v", c.values, array.MakeFromData(firsts))
			}
		})
	}
}

// TestFoldRestAllocates holds that nothing is allocated once the scratch is there, for values looked up and for values taken.
func TestFoldRestAllocates(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	for _, typ := range []arrow.DataType{arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		rng := rand.New(rand.NewPCG(3, 3))
		column := numbers(t, rng, typ, 5000, 2, mem)
		defer column.Release()
		firsts, r, _ := begun(t, rng, column, 5, true, mem)
		defer firsts.Release()
		rule := ruleOf(t, "max", typ).(aggfuncs.RestFolder)
		if n := testing.AllocsPerRun(20, func() { rule.FoldRest(firsts.Buffers()[1].Bytes(), r) }); n > 0 {
			t.Errorf("%s: %v allocations a window", typ, n)
		}
	}
}
