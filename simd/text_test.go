package simd_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

// texts draws staged texts: their offsets, which may begin anywhere, and their bytes, without slack.
func texts(rng *rand.Rand, rows int) (off []uint32, data []byte) {
	longest := []int{0, 1, 15, 16, 17, 40, 300}[rng.IntN(7)]
	if rows > 5000 {
		longest = min(longest, 40)
	}
	empty := rng.Float64()
	at := uint32(rng.IntN(50))
	off = append(off, at)
	for range rows {
		if n := 0; rng.Float64() >= empty {
			if n = rng.IntN(longest + 1); rng.IntN(200) == 0 {
				n = 5000
			}
			at += uint32(n)
		}
		off = append(off, at)
	}
	data = make([]byte, at)
	fillRandom(rng, data)
	return off, data
}

func TestTakeText(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		t.Run("32", testTakeText[int32])
		t.Run("64", testTakeText[int64])
	})
}

func testTakeText[O simd.Offset](t *testing.T) {
	offs, datas, outs := newFence(t, 1<<20), newFence(t, 8<<20), newFence(t, 1<<20)
	dsts := newFence(t, 8<<20)
	for _, n := range lengths() {
		for try := range uint64(2) {
			rng := rand.New(rand.NewPCG(uint64(n), try))
			rows := 1 + rng.IntN(2*min(n, 5000)+1)
			off, data := texts(rng, rows)
			sel := selection(rng, n, rows)
			wantOff, want := []O{0}, []byte{}
			for i, row := range sel {
				text := data[off[row]:off[row+1]]
				if len(want)+len(text) > 4<<20 {
					sel = sel[:i]
					break
				}
				want = append(want, text...)
				wantOff = append(wantOff, O(len(want)))
			}
			off = fencedCopy(offs, off)
			out := fenced[O](outs, len(sel)+1)
			if size := simd.TakeOffsets(out, off, sel); size != len(want) {
				t.Fatalf("seed %d, %d: TakeOffsets of %d sums up %d bytes, want %d", n, try, n, size, len(want))
			}
			if !slices.Equal(out, wantOff) || !outs.intact() {
				t.Fatalf("seed %d, %d: TakeOffsets of %d: offset %d differs", n, try, n, firstDifference(out, wantOff))
			}
			dst := fenced[byte](dsts, len(want)+simd.Slack)
			simd.TakeText(dst, off, fencedCopy(datas, append(data, make([]byte, simd.Slack)...)), sel)
			if !bytes.Equal(dst[:len(want)], want) || !dsts.intact() {
				t.Fatalf("seed %d, %d: TakeText of %d: byte %d of %d differs", n, try, n,
					firstDifference(dst[:len(want)], want), len(want))
			}
		}
	}
}

// TestTakeTextSlack wants the bytes behind the slack as they were.
func TestTakeTextSlack(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		data := make([]byte, 200+simd.Slack)
		for n := range 201 {
			for _, sel := range [][]uint32{{}, {0}, {1}, {0, 0}, {0, 1}, {1, 0}, {1, 1, 1}} {
				off := []uint32{0, uint32(n), uint32(n)}
				size := 0
				for _, row := range sel {
					size += int(off[row+1] - off[row])
				}
				dst := slices.Repeat([]byte{guard}, size+200)
				simd.TakeText(dst, off, data, sel)
				behind := dst[size+simd.Slack:]
				if i := slices.IndexFunc(behind, func(b byte) bool { return b != guard }); i >= 0 {
					t.Fatalf("TakeText of %v, texts of %d and 0 bytes, writes byte %d behind %d", sel, n, simd.Slack+i, size)
				}
			}
		}
	})
}

// TestTakeOffsetsPastTheType takes more text than 32-bit offsets can say; the sum must still be right, so that the caller
// can refuse it.
func TestTakeOffsetsPastTheType(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		off := []uint32{0, 1 << 30, 4_000_000_000}
		for _, c := range []struct {
			sel  []uint32
			want int
		}{
			{[]uint32{0, 0}, 1 << 31},
			{[]uint32{1}, 4_000_000_000 - 1<<30},
			{[]uint32{1, 0, 1, 0}, 8_000_000_000},
		} {
			if got := simd.TakeOffsets(make([]int32, len(c.sel)+1), off, c.sel); got != c.want {
				t.Errorf("TakeOffsets of %v into 32 bits sums up %d, want %d", c.sel, got, c.want)
			}
			out := make([]int64, len(c.sel)+1)
			if got := simd.TakeOffsets(out, off, c.sel); got != c.want || out[len(c.sel)] != int64(c.want) {
				t.Errorf("TakeOffsets of %v into 64 bits sums up %d and ends at %d, want %d", c.sel, got, out[len(c.sel)], c.want)
			}
		}
	})
}

func TestExpandRanges(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		offs, dsts := newFence(t, 1<<20), newFence(t, 1<<20)
		for n := range 201 {
			for try := range uint64(3) {
				rng := rand.New(rand.NewPCG(uint64(n), try))
				off := []uint32{rng.Uint32N(50)}
				longest := []uint32{0, 1, 3, 20, 200}[rng.IntN(5)]
				for range 1 + rng.IntN(100) {
					off = append(off, off[len(off)-1]+rng.Uint32N(longest+1))
				}
				sel := selection(rng, n, len(off)-1)
				want := []uint32{}
				for _, i := range sel {
					for row := off[i]; row < off[i+1]; row++ {
						want = append(want, row)
					}
				}
				got := fenced[uint32](dsts, len(want))
				simd.ExpandRanges(got, fencedCopy(offs, off), sel)
				if !slices.Equal(got, want) || !dsts.intact() {
					t.Fatalf("seed %d, %d: ExpandRanges of %d: row %d of %d differs", n, try, n, firstDifference(got, want), len(want))
				}
			}
		}
	})
}
