package simd_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
)

// selection draws n rows of rows, in one of the shapes that selections come in.
func selection(rng *rand.Rand, n, rows int) []uint32 {
	sel := make([]uint32, n)
	kind := rng.IntN(5)
	at := rng.IntN(rows)
	for i := range sel {
		switch kind {
		case 0:
			at = rng.IntN(rows)
		case 1: // ascending, some left out
			at = (at + 1 + rng.IntN(2)) % rows
		case 2: // often the same row again
			if rng.IntN(4) == 0 {
				at = rng.IntN(rows)
			}
		case 3: // the ends only
			at = rng.IntN(2) * (rows - 1)
		case 4:
			at = rows - 1 - i%rows
		}
		sel[i] = uint32(at)
	}
	return sel
}

// fillRandom sets every byte of s at random.
func fillRandom[T any](rng *rand.Rand, s []T) {
	if len(s) == 0 {
		return
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, rng.Uint64())
		b = b[8:]
	}
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
}

func TestTake(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		t.Run("1", testTake[uint8])
		t.Run("2", testTake[uint16])
		t.Run("4", testTake[uint32])
		t.Run("8", testTake[uint64])
		t.Run("16", testTake[[16]byte])
		t.Run("32", testTake[[32]byte])
	})
}

func testTake[T simd.Fixed](t *testing.T) {
	srcs, dsts, sels := newFence(t, 4<<20), newFence(t, 4<<20), newFence(t, 1<<20)
	for _, n := range lengths() {
		seed := uint64(n)
		rng := rand.New(rand.NewPCG(seed, 1))
		rows := 1 + rng.IntN(2*n+1)
		if rows > 70_000 {
			rows = 70_000
		}
		src := fenced[T](srcs, rows)
		fillRandom(rng, src)
		sel := fencedCopy(sels, selection(rng, n, rows))
		want := make([]T, n)
		for i, row := range sel {
			want[i] = src[row]
		}
		got := fenced[T](dsts, n)
		simd.Take(got, src, sel)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: Take of %d of %d rows: row %d differs", seed, n, rows, firstDifference(got, want))
		}
		if !dsts.intact() {
			t.Fatalf("seed %d: Take of %d of %d rows writes before dst", seed, n, rows)
		}
	}
}

func TestTakeBlocks(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		t.Run("1", testTakeBlocks[uint8])
		t.Run("2", testTakeBlocks[uint16])
		t.Run("4", testTakeBlocks[uint32])
		t.Run("8", testTakeBlocks[uint64])
		t.Run("16", testTakeBlocks[[16]byte])
		t.Run("32", testTakeBlocks[[32]byte])
	})
}

// testTakeBlocks takes rows of blocks that lie in any order, each at any address, the last with a row at least.
func testTakeBlocks[T simd.Fixed](t *testing.T) {
	dsts, sels := newFence(t, 4<<20), newFence(t, 1<<20)
	for _, n := range lengths() {
		rng := rand.New(rand.NewPCG(uint64(n), 5))
		checkTakeBlocks[T](t, rng, n, 1+rng.IntN(min(2*n+1, 70_000)), dsts, sels)
	}
}

func checkTakeBlocks[T simd.Fixed](t *testing.T, rng *rand.Rand, n, rows int, dsts, sels *fence) {
	t.Helper()
	src := make([]T, rows)
	fillRandom(rng, src)
	width := int(unsafe.Sizeof(src[0]))
	blocks := make([]unsafe.Pointer, (rows+simd.BlockRows-1)/simd.BlockRows)
	for _, i := range rng.Perm(len(blocks)) {
		values := src[i*simd.BlockRows : min((i+1)*simd.BlockRows, rows)]
		bytes := make([]byte, 7+len(values)*width)[rng.IntN(8):]
		copy(bytes, unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*width))
		blocks[i] = unsafe.Pointer(&bytes[0])
	}
	sel := fencedCopy(sels, selection(rng, n, rows))
	want := make([]T, n)
	for i, row := range sel {
		want[i] = src[row]
	}
	for _, share := range []simd.Share{simd.ShareMost, simd.ShareSome, simd.ShareFew} {
		got := fenced[T](dsts, n)
		simd.TakeBlocks(got, blocks, sel, share)
		if !slices.Equal(got, want) {
			t.Fatalf("share %d, TakeBlocks of %d of %d rows: row %d differs", share, n, rows, firstDifference(got, want))
		}
		if !dsts.intact() {
			t.Fatalf("share %d, TakeBlocks of %d of %d rows writes before dst", share, n, rows)
		}
	}
}

func TestShareOf(t *testing.T) {
	const rows = 30_000
	for _, c := range []struct {
		n, step int
		want    simd.Share
	}{
		{rows, 1, simd.ShareMost}, {23_000, 1, simd.ShareMost}, {22_000, 1, simd.ShareSome}, {14_000, 2, simd.ShareSome},
		{9_000, 3, simd.ShareFew}, {9_000, 1, simd.ShareSome}, {1, 1, simd.ShareFew}, {0, 1, simd.ShareFew},
	} {
		sel := make([]uint32, c.n)
		for i := range sel {
			sel[i] = uint32(i * c.step)
		}
		if got := simd.ShareOf(sel, rows); got != c.want {
			t.Errorf("%d of %d rows, every one in %d: share %d, want %d", c.n, rows, c.step, got, c.want)
		}
	}
}

// firstDifference returns the first place where two slices differ.
func firstDifference[T comparable](a, b []T) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// TestTakeAnyAddress takes values whose addresses are no multiples of their width, as the values of an array in a file may
// lie.
func TestTakeAnyAddress(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		for shift := 1; shift < 8; shift++ {
			rng := rand.New(rand.NewPCG(uint64(shift), 2))
			bytes := make([]byte, 8*101+shift)
			fillRandom(rng, bytes)
			src := unsafe.Slice((*uint64)(unsafe.Pointer(&bytes[shift])), 101)
			sel := selection(rng, 77, len(src))
			got := make([]uint64, len(sel))
			simd.Take(got, src, sel)
			for i, row := range sel {
				if got[i] != src[row] {
					t.Fatalf("shift %d: row %d is %x, want %x", shift, i, got[i], src[row])
				}
			}
		}
	})
}

func TestTakeBytes(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		srcs, dsts := newFence(t, 1<<20), newFence(t, 1<<20)
		seed := uint64(0)
		for _, width := range []int{1, 2, 3, 5, 7, 8, 9, 12, 15, 16, 17, 20, 24, 31, 33, 40, 63, 65, 100, 1000} {
			for _, n := range []int{0, 1, 2, 3, 7, 8, 100, 333} {
				seed++
				rng := rand.New(rand.NewPCG(seed, 3))
				rows := 1 + rng.IntN(2*n+1)
				src := fenced[byte](srcs, rows*width)
				fillRandom(rng, src)
				sel := selection(rng, n, rows)
				want := []byte{}
				for _, row := range sel {
					want = append(want, src[int(row)*width:(int(row)+1)*width]...)
				}
				got := fenced[byte](dsts, n*width)
				simd.TakeBytes(got, src, width, sel)
				if !slices.Equal(got, want) || !dsts.intact() {
					t.Fatalf("seed %d: TakeBytes of %d of %d rows of %d bytes: byte %d differs", seed, n, rows, width,
						firstDifference(got, want))
				}
			}
		}
	})
}

// TestSelectionOutside wants a checked build to find a selection that leaves its rows.
func TestSelectionOutside(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("only checked builds look at selections")
	}
	for _, c := range []struct {
		name string
		take func()
	}{
		{"Take", func() { simd.Take(make([]uint32, 2), []uint32{7, 8, 9}, []uint32{1, 3}) }},
		{"TakeBlocks", func() { simd.TakeBlocks(make([]uint8, 1), make([]unsafe.Pointer, 1), []uint32{3}, simd.ShareMost) }},
		{"TakeBits", func() { simd.TakeBits(make([]byte, 1), []byte{0, 1}, []uint32{2}) }},
		{"TakeOffsets", func() { simd.TakeOffsets(make([]int32, 2), []uint32{0, 1}, []uint32{1}) }},
		{"TakeText", func() { simd.TakeText(make([]byte, 17), []uint32{0, 1}, make([]byte, 17), []uint32{1}) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			c.take()
		})
	}
}
