package simd_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

// groupedRows are random values in groups, all of whose sums fit unless one is made that does not.
func groupedRows[T simd.Signed](rng *rand.Rand, n int, limit T) (in []T, ends []uint64, groups [][]T) {
	perGroup := []int{1, 2, 10, 100}[rng.IntN(4)]
	ends = make([]uint64, (n+63)/64)
	var group []T
	alone := 0 // rows left of a stretch of groups of one row
	for i := range n {
		x := T(rng.Uint64N(uint64(limit))) - limit/2
		if rng.IntN(40) == 0 {
			alone = rng.IntN(300)
		}
		in, group = append(in, x), append(group, x)
		if alone--; alone >= 0 || rng.IntN(perGroup) == 0 || i == n-1 {
			ends[i/64] |= 1 << (i % 64)
			groups, group = append(groups, group), nil
		}
	}
	return in, ends, groups
}

func TestGroups(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		t.Run("int64", func(t *testing.T) { testGroups[int64](t, 1<<40, math.MinInt64, math.MaxInt64) })
		t.Run("int32", func(t *testing.T) { testGroups[int32](t, 1<<20, math.MinInt32, math.MaxInt32) })
	})
}

func testGroups[T simd.Signed](t *testing.T, limit, least, most T) {
	ins, outs, masks := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20)
	for _, n := range lengths() {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		values, bits, groups := groupedRows(rng, n, limit)
		in, ends := fencedCopy(ins, values), fencedCopy(masks, bits)
		check := func(verb string, run func(out []T), want func(group []T) T) {
			t.Helper()
			out := fenced[T](outs, len(groups))
			run(out)
			if !outs.intact() {
				t.Fatalf("%s of %d rows writes before its results", verb, n)
			}
			for i, group := range groups {
				if out[i] != want(group) {
					t.Fatalf("%s of %d rows: group %d is %d, want %d", verb, n, i, out[i], want(group))
				}
			}
		}
		check("SumGroups", func(out []T) {
			if simd.SumGroups(out, in, ends) {
				t.Fatalf("SumGroups of %d rows says that a sum does not fit", n)
			}
		}, func(group []T) (sum T) {
			for _, x := range group {
				sum += x
			}
			return sum
		})
		check("MinGroups", func(out []T) { simd.MinGroups(out, in, ends, most) }, slices.Min[[]T])
		check("MaxGroups", func(out []T) { simd.MaxGroups(out, in, ends, least) }, slices.Max[[]T])
	}
}

// TestSumGroupsOverflows puts a sum that does not fit, on the way or at the end, at every place of a few words.
func TestSumGroupsOverflows(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		const n = 200
		out, in := make([]int64, n), make([]int64, n)
		for _, alone := range []bool{false, true} {
			for at := 1; at < n; at++ {
				for _, x := range []int64{math.MaxInt64, math.MinInt64} {
					ends := make([]uint64, (n+63)/64)
					for i := range n {
						in[i] = 0
						if alone && i != at-1 || i == n-1 {
							ends[i/64] |= 1 << (i % 64)
						}
					}
					in[at-1], in[at] = x, x
					if !simd.SumGroups(out, in, ends) {
						t.Fatalf("%d + %d in rows %d and %d of %d is not seen", x, x, at-1, at, n)
					}
					if at+1 < n {
						in[at], in[at+1] = -(x / 2), x/2
						if simd.SumGroups(out, in, ends) {
							t.Fatalf("the sums of rows %d to %d of %d, which fit, are said not to", at-1, at+1, n)
						}
					}
				}
			}
		}
	})
}
