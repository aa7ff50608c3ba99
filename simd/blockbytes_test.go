package simd_test

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/braidmerge/braid/simd"
)

// wideBlocks are values of a width of which many are the same but for a byte. No byte behind the last of a block can be read.
func wideBlocks(t *testing.T, rng *rand.Rand, width, known int) (b simd.Blocks, rows [][]byte) {
	b.Width = width
	for range 1 + rng.IntN(6) {
		values := fenced[byte](newFence(t, 1<<13), simd.BlockRows*width)
		for at := 0; at < len(values); at += width {
			row := values[at : at+width]
			if known < width && rng.IntN(2) == 0 {
				row[known+rng.IntN(width-known)] = 1 << rng.IntN(8)
			}
			rows = append(rows, row)
		}
		b.Of = append(b.Of, unsafe.Pointer(&values[0]))
	}
	return b, rows
}

func TestBlocks(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		dsts, marks := newFence(t, 1<<16), newFence(t, 1<<12)
		for width := simd.MinBlockWidth; width <= simd.MaxBlockWidth; width++ {
			for seed := range uint64(3) {
				rng := rand.New(rand.NewPCG(seed, uint64(width)))
				known := rng.IntN(width + 9)
				blocks, rows := wideBlocks(t, rng, width, known)
				sel := selection(rng, rng.IntN(300), len(rows))
				want := []byte{}
				for _, row := range sel {
					want = append(want, rows[row]...)
				}
				dst := fenced[byte](dsts, len(want))
				blocks.Take(dst, sel)
				if !bytes.Equal(dst, want) || !dsts.intact() {
					t.Fatalf("width %d, seed %d: Take of %d: byte %d of %d differs", width, seed, len(sel), firstDifference(dst, want), len(want))
				}
				ties, pairs := randomTies(rng, len(rows))
				unequal, count := fenced[uint8](marks, len(pairs)), 0
				got := blocks.Unequal(unequal, ties, known)
				for i, x := range pairs {
					equal := bytes.Equal(rows[x[0]], rows[x[1]])
					if equal != (unequal[i] == 0) {
						t.Fatalf("width %d, seed %d, %d bytes known: %x and %x: unequal is %d", width, seed, known, rows[x[0]], rows[x[1]], unequal[i])
					}
					if !equal {
						count++
					}
				}
				if got != count || !marks.intact() {
					t.Fatalf("width %d, seed %d: %d of %d ties unequal, want %d", width, seed, got, len(pairs), count)
				}
			}
		}
	})
}
