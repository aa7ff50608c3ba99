package simd_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

func TestUnpackBits(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		maps, dsts := newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for from := range 18 {
				if n > 1000 {
					from *= 37
				}
				unpack(t, maps, dsts, n, from)
			}
		}
	})
}

func unpack(t *testing.T, maps, dsts *fence, n, from int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), uint64(from)))
	bitmap := fenced[byte](maps, (from+n+7)/8)
	fillRandom(rng, bitmap)
	dst := fenced[byte](dsts, (n+7)&^7)
	simd.UnpackBits(dst, bitmap, from, n)
	for i := range n {
		if want := bitmap[(from+i)/8] >> ((from + i) % 8) & 1; dst[i] != want {
			t.Fatalf("seed %d, %d: UnpackBits from %d: bit %d of %d is %d, want %d", n, from, from, i, n, dst[i], want)
		}
	}
	if !dsts.intact() {
		t.Fatalf("UnpackBits from %d of %d writes before dst", from, n)
	}
}

// TestUnpackBitsSlack wants the bytes behind the slack as they were.
func TestUnpackBitsSlack(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		bitmap := make([]byte, 100)
		for n := range 201 {
			for from := range 9 {
				dst := slices.Repeat([]byte{guard}, 400)
				simd.UnpackBits(dst, bitmap, from, n)
				if i := slices.IndexFunc(dst[(n+7)&^7:], func(b byte) bool { return b != guard }); i >= 0 {
					t.Fatalf("UnpackBits from %d of %d bits writes byte %d", from, n, (n+7)&^7+i)
				}
			}
		}
	})
}

func TestOrBits(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		maps, dsts := newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for column := range 8 {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(column)))
				from := rng.IntN(70)
				bitmap := fenced[byte](maps, (from+n+7)/8)
				fillRandom(rng, bitmap)
				dst := fenced[byte](dsts, (n+7)&^7)
				fillRandom(rng, dst)
				want := slices.Clone(dst)
				for i := range n {
					want[i] |= bitmap[(from+i)/8] >> ((from + i) % 8) & 1 << column
				}
				simd.OrBits(dst, bitmap, from, n, column)
				if !slices.Equal(dst, want) || !dsts.intact() {
					t.Fatalf("OrBits from %d, column %d: byte %d of %d differs", from, column, firstDifference(dst, want), n)
				}
			}
		}
	})
}

func TestMergeColumns(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		srcs, dsts, ws := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for count := range 9 {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(count)))
				rows := n + 1 + rng.IntN(20)
				src := fenced[byte](srcs, rows)
				fillRandom(rng, src)
				idxBits := idxBitsFor(rng, rows)
				words := fenced[uint64](ws, n+64)
				for i := range words {
					words[i] = rng.Uint64()<<idxBits | uint64(rng.IntN(rows))
				}
				size := (n + 63) / 64
				all, want := fenced[uint64](dsts, size*count), make([]uint64, size*count)
				var columns [][]uint64
				for j := range count {
					columns = append(columns, all[j*size:(j+1)*size])
					for i, w := range words[:n] {
						want[j*size+i/64] |= uint64(src[w&(1<<idxBits-1)]>>j&1) << (i % 64)
					}
				}
				simd.MergeColumns(columns, src, words, n, idxBits)
				if !slices.Equal(all, want) || !dsts.intact() {
					t.Fatalf("seed %d, %d: MergeColumns of %d words: element %d differs", n, count, n, firstDifference(all, want))
				}
			}
		}
	})
}

// randomBytes draws bytes that are 0 or 1, ones with a density of their own.
func randomBytes(rng *rand.Rand, s []byte) {
	density := []float64{0, 0.01, 0.5, 0.99, 1}[rng.IntN(5)]
	for i := range s {
		s[i] = 0
		if rng.Float64() < density {
			s[i] = 1
		}
	}
}

func TestTakeBits(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		srcs, dsts, sels := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for try := range uint64(3) {
				rng := rand.New(rand.NewPCG(uint64(n), try))
				rows := 1 + rng.IntN(2*n+1)
				src := fenced[byte](srcs, rows)
				randomBytes(rng, src)
				sel := fencedCopy(sels, selection(rng, n, rows))
				want, ones := make([]byte, (n+7)/8), 0
				for i, row := range sel {
					want[i/8] |= src[row] << (i % 8)
					ones += int(src[row])
				}
				got := fenced[byte](dsts, (n+7)/8)
				if count := simd.TakeBits(got, src, sel); count != ones {
					t.Fatalf("seed %d, %d: TakeBits of %d counts %d, want %d", n, try, n, count, ones)
				}
				if !slices.Equal(got, want) || !dsts.intact() {
					t.Fatalf("seed %d, %d: TakeBits of %d: byte %d differs", n, try, n, firstDifference(got, want))
				}
			}
		}
	})
}

func TestMergeBits(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		srcs, dsts, ws := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for try := range uint64(3) {
				rng := rand.New(rand.NewPCG(uint64(n), try))
				rows := n + 1 + rng.IntN(20)
				src := fenced[byte](srcs, rows)
				randomBytes(rng, src)
				idxBits := idxBitsFor(rng, rows)
				words := fenced[uint64](ws, n+64)
				for i := range words {
					words[i] = rng.Uint64()<<idxBits | uint64(rng.IntN(rows))
				}
				want := make([]uint64, (n+63)/64)
				for i, w := range words[:n] {
					want[i/64] |= uint64(src[w&(1<<idxBits-1)]) << (i % 64)
				}
				got := fenced[uint64](dsts, len(want))
				simd.MergeBits(got, src, words, n, idxBits)
				if !slices.Equal(got, want) || !dsts.intact() {
					t.Fatalf("seed %d, %d: MergeBits of %d words: element %d differs", n, try, n, firstDifference(got, want))
				}
			}
		}
	})
}
