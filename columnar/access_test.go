package columnar_test

import (
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// TestViewMasks compares the masks of a view with what it says row by row, for arrays at any bit.
func TestViewMasks(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 21))
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		raws := randomRaws(rng, arrow.FixedWidthTypes.Boolean, rng.IntN(300))
		a := newArray(rng, mem, arrow.FixedWidthTypes.Boolean, raws)
		v := viewOf(t, a)
		valid, set := make([]uint64, validity.Words(v.Rows)), make([]uint64, validity.Words(v.Rows))
		v.ValidMask(valid)
		v.BoolMask(set)
		for row := range v.Rows {
			if validity.Get(valid, row) == v.IsNull(row) {
				t.Fatalf("seed %d: row %d of %d is said to be valid: %v", seed, row, v.Rows, !v.IsNull(row))
			}
			if validity.Get(set, row) != v.Bool(row) {
				t.Fatalf("seed %d: row %d of %d is %v", seed, row, v.Rows, v.Bool(row))
			}
		}
		if got, want := validity.Count(valid), v.Rows-v.Nulls; got != want {
			t.Fatalf("seed %d: %d valid rows, want %d", seed, got, want)
		}
		a.Release()
		mem.AssertSize(t, 0)
	}
}

func TestViewChildren(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	b := array.NewListBuilder(mem, arrow.PrimitiveTypes.Int32)
	defer b.Release()
	items := b.ValueBuilder().(*array.Int32Builder)
	for row := range int32(5) { // row r has r items of value r
		b.Append(true)
		for range row {
			items.Append(row)
		}
	}
	whole := b.NewArray()
	defer whole.Release()
	part := array.NewSlice(whole, 2, 5)
	defer part.Release()
	v := viewOf(t, part)
	if first, last := v.Items(1, 2); v.NumChildren() != 1 || first != 3 || last != 6 {
		t.Fatalf("%d children, items [%d, %d) of the second row", v.NumChildren(), first, last)
	}
	if got := v.Child(0).String(3); got != "3" {
		t.Errorf("item 3 is %s", got)
	}
}
