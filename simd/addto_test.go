package simd_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

// scatteredRows are random values, the group of each, and the values by group.
func scatteredRows[T simd.Signed](rng *rand.Rand, n int, limit T) (in []T, of []uint32, groups [][]T) {
	groups = make([][]T, 1+rng.IntN(n+1))
	for range n {
		x, group := T(rng.Uint64N(uint64(limit)))-limit/2, rng.IntN(len(groups))
		in, of = append(in, x), append(of, uint32(group))
		groups[group] = append(groups[group], x)
	}
	return in, of, groups
}

func TestTo(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		t.Run("int64", func(t *testing.T) { testTo[int64](t, 1<<40, math.MinInt64, math.MaxInt64) })
		t.Run("int16", func(t *testing.T) { testTo[int16](t, 1<<8, math.MinInt16, math.MaxInt16) })
	})
}

func testTo[T simd.Signed](t *testing.T, limit, least, most T) {
	ins, outs, ofs := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20)
	for _, n := range lengths()[:206] {
		rng := rand.New(rand.NewPCG(uint64(n), 2))
		values, numbers, groups := scatteredRows(rng, n, limit)
		in, of := fencedCopy(ins, values), fencedCopy(ofs, numbers)
		check := func(verb string, start T, run func(out []T), want func(group []T) T) {
			t.Helper()
			out := fenced[T](outs, len(groups))
			for i := range out {
				out[i] = start
			}
			run(out)
			if !outs.intact() {
				t.Fatalf("%s of %d rows writes before its groups", verb, n)
			}
			for i, group := range groups {
				if x := want(append([]T{start}, group...)); out[i] != x {
					t.Fatalf("%s of %d rows: group %d is %d, want %d", verb, n, i, out[i], x)
				}
			}
		}
		check("AddTo", 3, func(out []T) {
			if simd.AddTo(out, in, of) {
				t.Fatalf("AddTo of %d rows says that a sum does not fit", n)
			}
		}, func(group []T) (sum T) {
			for _, x := range group {
				sum += x
			}
			return sum
		})
		check("MinTo", most, func(out []T) { simd.MinTo(out, in, of) }, slices.Min[[]T])
		check("MaxTo", least, func(out []T) { simd.MaxTo(out, in, of) }, slices.Max[[]T])
	}
}

// TestAddToOverflows puts a sum that does not fit, on the way or at the end, at every place of a few steps.
func TestAddToOverflows(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		const n = 50
		for at := range n {
			for _, x := range []int64{1, -1} {
				out, in, of := []int64{0, math.MaxInt64, 0}, make([]int64, n), make([]uint32, n)
				if x < 0 {
					out[1] = math.MinInt64
				}
				in[at], of[at] = x, 1
				if !simd.AddTo(out, in, of) {
					t.Fatalf("a sum beyond the numbers in row %d of %d is not seen", at, n)
				}
				in[at] = -x
				if out[1] -= x; simd.AddTo(out, in, of) {
					t.Fatalf("the sum of row %d of %d, which fits, is said not to", at, n)
				}
			}
		}
	})
}

func TestKeep(t *testing.T) {
	for _, n := range lengths()[:206] {
		rng := rand.New(rand.NewPCG(uint64(n), 3))
		in, inOf, mask := make([]int64, n), make([]uint32, n), make([]uint64, (n+63)/64)
		var wantValues []int64
		var wantOf []uint32
		for i := range n {
			in[i], inOf[i] = rng.Int64(), rng.Uint32()
			if rng.IntN(3) > 0 {
				mask[i/64] |= 1 << (i % 64)
				wantValues, wantOf = append(wantValues, in[i]), append(wantOf, inOf[i])
			}
		}
		values, of := make([]int64, n), make([]uint32, n)
		if m := simd.Keep(values, of, in, inOf, mask); !slices.Equal(values[:m], wantValues) || !slices.Equal(of[:m], wantOf) {
			t.Fatalf("of %d rows %d are kept, want %d, or they are others", n, m, len(wantValues))
		}
	}
}

func TestMark(t *testing.T) {
	has := make([]byte, 5)
	simd.Mark(has, []uint32{3, 0, 3})
	if want := []byte{1, 0, 0, 1, 0}; !slices.Equal(has, want) {
		t.Errorf("marks are %v, want %v", has, want)
	}
}
