package simd_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

// numbers draws integers close together, from the ends of their range, or from all of it.
func numbers(rng *rand.Rand, n int) []int64 {
	list := make([]int64, n)
	kind := rng.IntN(4)
	for i := range list {
		switch {
		case kind == 0 || kind == 3 && rng.IntN(100) > 0:
			list[i] = rng.Int64N(5) - 2
		case rng.IntN(2) == 0:
			list[i] = []int64{math.MinInt64, math.MaxInt64}[rng.IntN(2)] ^ rng.Int64N(3)
		default:
			list[i] = int64(rng.Uint64())
		}
	}
	return list
}

// randomMask draws a mask with words of all bits, of none and of some, and with bits behind the last row.
func randomMask(rng *rand.Rand, rows int) []uint64 {
	mask := make([]uint64, (rows+63)/64)
	for i := range mask {
		mask[i] = []uint64{0, ^uint64(0), rng.Uint64(), 1 << rng.IntN(64)}[rng.IntN(4)]
	}
	return mask
}

func TestCompare(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		as, bs, outs := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<16)
		rng := rand.New(rand.NewPCG(3, 3))
		for _, n := range lengths() {
			a, b := fencedCopy(as, numbers(rng, n)), fencedCopy(bs, numbers(rng, n))
			one := numbers(rng, 1)[0]
			for _, c := range []struct {
				name    string
				compare func(bits []uint64)
				is      func(i int) bool
			}{
				{"a < b", func(bits []uint64) { simd.LessMask(bits, a, b) }, func(i int) bool { return a[i] < b[i] }},
				{"a = b", func(bits []uint64) { simd.EqualMask(bits, a, b) }, func(i int) bool { return a[i] == b[i] }},
				{"a < one", func(bits []uint64) { simd.LessThan(bits, a, one) }, func(i int) bool { return a[i] < one }},
				{"a > one", func(bits []uint64) { simd.GreaterThan(bits, a, one) }, func(i int) bool { return a[i] > one }},
				{"a = one", func(bits []uint64) { simd.EqualTo(bits, a, one) }, func(i int) bool { return a[i] == one }},
			} {
				want := make([]uint64, (n+63)/64)
				for i := range n {
					if c.is(i) {
						want[i>>6] |= 1 << (i & 63)
					}
				}
				bits := fenced[uint64](outs, len(want))
				if c.compare(bits); !slices.Equal(bits, want) || !outs.intact() {
					t.Fatalf("%d rows, one %d: %s is %x, want %x; intact: %v", n, one, c.name, bits, want, outs.intact())
				}
			}
		}
	})
}

func TestCompareChecksLengths(t *testing.T) {
	for _, words := range []int{0, 1, 3} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a mask of %d words is taken for 65 rows", words)
				}
			}()
			simd.LessThan(make([]uint64, words), make([]int64, 65), 0)
		}()
	}
}

func TestAdd(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		as, bs, outs := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20)
		rng := rand.New(rand.NewPCG(4, 4))
		for _, n := range lengths() {
			a, b := fencedCopy(as, numbers(rng, n)), fencedCopy(bs, numbers(rng, n))
			one := numbers(rng, 1)[0]
			for _, c := range []struct {
				name string
				add  func(out []int64) bool
				row  func(i int) (result int64, overflows bool)
			}{
				{"a + b", func(out []int64) bool { return simd.AddInts(out, a, b) }, func(i int) (int64, bool) {
					return a[i] + b[i], (a[i]+b[i] < a[i]) != (b[i] < 0)
				}},
				{"a + one", func(out []int64) bool { return simd.AddConstant(out, a, one) }, func(i int) (int64, bool) {
					return a[i] + one, (a[i]+one < a[i]) != (one < 0)
				}},
				{"a - b", func(out []int64) bool { return simd.SubtractInts(out, a, b) }, func(i int) (int64, bool) {
					return a[i] - b[i], (a[i]-b[i] > a[i]) != (b[i] < 0)
				}},
			} {
				want, over := make([]int64, n), false
				for i := range want {
					sum, overflows := c.row(i)
					want[i], over = sum, over || overflows
				}
				out := fenced[int64](outs, n)
				if got := c.add(out); got != over || !slices.Equal(out, want) || !outs.intact() {
					t.Fatalf("%d rows, one %d: %s overflows %v, want %v; intact: %v\n%d\n%d", n, one, c.name, got, over, outs.intact(), out, want)
				}
			}
		}
	})
}

// TestAddInPlace writes sums over their sides.
func TestAddInPlace(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(6, 6))
		for _, n := range lengths() {
			a, b := numbers(rng, n), numbers(rng, n)
			want, left, right := make([]int64, n), slices.Clone(a), slices.Clone(b)
			for i := range want {
				want[i] = a[i] + b[i]
			}
			simd.AddInts(left, left, b)
			if simd.AddInts(right, a, right); !slices.Equal(left, want) || !slices.Equal(right, want) {
				t.Fatalf("%d rows: %d and %d, want %d", n, left, right, want)
			}
		}
	})
}

// TestAddOverflowsOnce has one sum that does not fit, at every row.
func TestAddOverflowsOnce(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		const rows = 150
		out, a, b := make([]int64, rows), make([]int64, rows), slices.Repeat([]int64{1}, rows)
		for i := range a {
			a[i] = math.MaxInt64
			if !simd.AddInts(out, a, b) || !simd.AddConstant(out, a, 1) {
				t.Errorf("the sum of row %d fits", i)
			}
			a[i] = math.MinInt64
			if !simd.SubtractInts(out, a, b) || !simd.AddConstant(out, a, -1) {
				t.Errorf("the difference of row %d fits", i)
			}
			if a[i] = 0; simd.AddInts(out, a, b) || simd.AddConstant(out, a, 1) || simd.SubtractInts(out, a, b) {
				t.Errorf("small numbers do not fit")
			}
		}
	})
}

func TestBlend(t *testing.T) {
	t.Run("1", testBlend[uint8])
	t.Run("2", testBlend[uint16])
	t.Run("4", testBlend[uint32])
	t.Run("8", testBlend[uint64])
}

func testBlend[T uint8 | uint16 | uint32 | uint64](t *testing.T) {
	everyTier(t, func(t *testing.T) {
		bases, others, masks, outs := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<16), newFence(t, 1<<20)
		rng := rand.New(rand.NewPCG(5, 5))
		for _, n := range lengths() {
			base, values := fenced[T](bases, n), fenced[T](others, n)
			mask := fencedCopy(masks, randomMask(rng, n))
			want := make([]T, n)
			for i := range want {
				base[i], values[i] = T(rng.Uint64()), T(rng.Uint64())
				if want[i] = base[i]; mask[i>>6]>>(i&63)&1 != 0 {
					want[i] = values[i]
				}
			}
			out := fenced[T](outs, n)
			if simd.Blend(out, base, values, mask); !slices.Equal(out, want) || !outs.intact() {
				t.Fatalf("%d rows: %x, want %x; intact: %v", n, out, want, outs.intact())
			}
			copy(out, base)
			if simd.Blend(out, out, values, mask); !slices.Equal(out, want) {
				t.Fatalf("%d rows, over the base: %x, want %x", n, out, want)
			}
			copy(out, values)
			if simd.Blend(out, base, out, mask); !slices.Equal(out, want) {
				t.Fatalf("%d rows, over the values: %x, want %x", n, out, want)
			}
		}
	})
}

func TestTurnBytes(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 7))
		for range 200 {
			var rows [64]byte
			var got, want [8]uint64
			for i := range rows {
				rows[i] = byte(rng.Uint32())
				for j := range want {
					want[j] |= uint64(rows[i]>>j&1) << i
				}
			}
			if simd.TurnBytes(&got, &rows); got != want {
				t.Fatalf("%x turned round is %x, want %x", rows, got, want)
			}
		}
	})
}
