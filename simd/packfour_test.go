package simd_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/braidmerge/braid/simd"
)

// randomFour are words from byte at on, whose masks are some of a list, and what they are compared with.
func randomFour(rng *rand.Rand, at, longest int, list []uint64) (four simd.Four, bases, chosen []uint64) {
	four = simd.NewFour(at, longest)
	for range 1 + rng.IntN(4) {
		base, mask := rng.Uint64(), list[rng.IntN(len(list))]
		if mask == ^uint64(0) || rng.IntN(3) == 0 {
			mask = 0
		}
		packer := simd.NewPacker(mask)
		four.Add(base, &packer)
		bases, chosen = append(bases, base), append(chosen, mask)
	}
	return four, bases, chosen
}

func TestFour(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		f := newFence(t, 1<<21)
		rng := rand.New(rand.NewPCG(4, 4))
		list := masks(rng)
		for _, n := range lengths() {
			if n == 0 || n > 5000 {
				continue
			}
			at, padded, longest := rng.IntN(20), rng.IntN(2) == 0, 70
			if padded {
				at *= rng.IntN(2)
				longest = []int{8, 31, 32, 33, at + 39}[rng.IntN(5)]
			}
			four, bases, chosen := randomFour(rng, at, longest, list)
			from := []int32{rng.Int32N(10)}
			for i := range n {
				length := at + 8*len(bases) + rng.IntN(5)
				if padded {
					length = rng.IntN(longest + 1)
				}
				from = append(from, from[i]+int32(length))
			}
			data := fenced[byte](f, max(int(from[n]), int(from[n-1])+at+32))
			for i := range data {
				data[i] = byte(rng.Uint32())
			}
			out, want := make([]uint64, n), make([]uint64, n)
			var differ [4]uint64
			for i := range out {
				out[i] = rng.Uint64()
				want[i] = out[i]
				for j := range bases {
					x := paddedWord(data[from[i]:from[i+1]], at+8*j)
					want[i] = packed(want[i], x, chosen[j])
					differ[j] |= x ^ bases[j]
				}
			}
			pack := four.PackTexts
			if padded {
				pack = four.PackPadded
			}
			if got := pack(out, data, from); got != differ {
				t.Fatalf("%d texts from %d on, padded %v: words differ in %x, want %x", n, at, padded, got, differ)
			}
			for i := range out {
				if out[i] != want[i] {
					t.Fatalf("text %d of %d from %d on, padded %v, masks %x: %x, want %x", i, n, at, padded, chosen, out[i], want[i])
				}
			}
		}
	})
}

// BenchmarkFour packs some words of short texts, together and word by word.
func BenchmarkFour(b *testing.B) {
	const n = 256
	data, from := make([]byte, 16*n+32), make([]int32, n+1)
	for i := range from {
		from[i] = 16*int32(i) + int32(i%3)
	}
	out, p := make([]uint64, n), simd.NewPacker(0x0f0f0f0f0f0f0f0f)
	run := func(name string, pack func()) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				pack()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
		})
	}
	four := simd.NewFour(0, 18)
	for words := 1; words <= 3; words++ {
		four.Add(0, &p)
		run(fmt.Sprintf("together/%d", words), func() { four.PackTexts(out, data, from) })
		run(fmt.Sprintf("together/%d/padded", words), func() { four.PackPadded(out, data, from) })
		run(fmt.Sprintf("each/%d", words), func() {
			for i := range words {
				p.PackTexts(out, data, from, 8*i, 0)
			}
		})
		run(fmt.Sprintf("each/%d/padded", words), func() {
			for i := range words {
				p.PackPadded(out, data, from, 8*i, 0)
			}
		})
	}
}
