package simd_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/braidmerge/braid/simd"
)

// scatteredRows are random values of blocks, each of which ends at the end of memory of its own, some rows of them and their groups, and
// the values by group.
func scatteredRows[T simd.Signed](rng *rand.Rand, n int, limit T) (blocks []unsafe.Pointer, rows, of []uint32, groups [][]T) {
	groups = make([][]T, 1+rng.IntN(n+1))
	values := make([][]T, 1+rng.IntN(n/32+2))
	for i := range values {
		for range simd.BlockRows {
			values[i] = append(values[i], T(rng.Uint64N(uint64(limit)))-limit/2)
		}
		blocks = append(blocks, unsafe.Pointer(&values[i][0]))
	}
	for range n {
		block, place, group := rng.IntN(len(values)), rng.IntN(simd.BlockRows), rng.IntN(len(groups))
		rows, of = append(rows, uint32(block*simd.BlockRows+place)), append(of, uint32(group))
		groups[group] = append(groups[group], values[block][place])
	}
	return blocks, rows, of, groups
}

func TestTo(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		t.Run("int64", func(t *testing.T) { testTo[int64](t, 1<<40) })
		t.Run("int16", func(t *testing.T) { testTo[int16](t, 1<<8) })
	})
}

func testTo[T simd.Signed](t *testing.T, limit T) {
	outs, rowsFence, ofs, blocksFence := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20)
	for _, n := range lengths()[:206] {
		rng := rand.New(rand.NewPCG(uint64(n), 2))
		blocks, rows, of, groups := scatteredRows(rng, n, limit)
		blocks, rows, of = fencedCopy(blocksFence, blocks), fencedCopy(rowsFence, rows), fencedCopy(ofs, of)
		check := func(verb string, run func(out []T), want func(group []T) T) {
			t.Helper()
			out, before := fenced[T](outs, len(groups)), make([]T, len(groups))
			for i := range out {
				before[i] = T(rng.Uint64N(uint64(limit))) - limit/2
				out[i] = before[i]
			}
			run(out)
			if !outs.intact() {
				t.Fatalf("%s of %d rows writes before its groups", verb, n)
			}
			for i, group := range groups {
				if x := want(append([]T{before[i]}, group...)); out[i] != x {
					t.Fatalf("%s of %d rows: group %d is %d, want %d", verb, n, i, out[i], x)
				}
			}
		}
		sum := func(group []T) (sum T) {
			for _, x := range group {
				sum += x
			}
			return sum
		}
		check("AddTo", func(out []T) {
			if simd.AddTo(out, blocks, rows, of) {
				t.Fatalf("AddTo of %d rows says that a sum does not fit", n)
			}
		}, sum)
		check("MinTo", func(out []T) { simd.MinTo(out, blocks, rows, of) }, slices.Min[[]T])
		check("MaxTo", func(out []T) { simd.MaxTo(out, blocks, rows, of) }, slices.Max[[]T])
	}
}

// TestAddToOverflows puts a sum that does not fit, on the way or at the end, at every place of a few steps.
func TestAddToOverflows(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		const n = 50
		for at := range n {
			for _, x := range []int64{1, -1} {
				var in [simd.BlockRows]int64
				out, rows, of := []int64{0, math.MaxInt64, 0}, make([]uint32, n), make([]uint32, n)
				for i := range rows {
					rows[i] = uint32(i)
				}
				if x < 0 {
					out[1] = math.MinInt64
				}
				in[at], of[at] = x, 1
				blocks := []unsafe.Pointer{unsafe.Pointer(&in[0])}
				if !simd.AddTo(out, blocks, rows, of) {
					t.Fatalf("a sum beyond the numbers in row %d of %d is not seen", at, n)
				}
				in[at] = -x
				if out[1] -= x; simd.AddTo(out, blocks, rows, of) {
					t.Fatalf("the sum of row %d of %d, which fits, is said not to", at, n)
				}
			}
		}
	})
}
