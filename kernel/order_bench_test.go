package kernel

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkOrder orders the words of windows of random keys, of runs of a size and of runs of which the first has nine rows in ten and the
// others shrink.
func BenchmarkOrder(b *testing.B) {
	const rows, windows = 1 << 16, 16
	for _, k := range []int{2, 4, 8, 16, 64, 256} {
		for _, skewed := range []bool{false, true} {
			b.Run(fmt.Sprintf("k=%d/skewed=%v", k, skewed), func(b *testing.B) {
				starts := benchStarts(k, rows, skewed)
				rng := rand.New(rand.NewPCG(uint64(k), 1))
				form := wordForm{keyBits: 24, idxBits: bits.Len(rows)}
				words := make([][]uint64, windows)
				for i := range words {
					words[i] = benchWords(rng, starts, form)
				}
				dst, scratch := make([]uint64, rows), make([]uint64, rows)
				var c cascade
				benchOrder(b, "cascade", words, dst, func(words []uint64) {
					c.plan(starts)
					c.words(words, starts, dst, scratch)
				})
				var r radix
				benchOrder(b, "radix", words, dst, func(words []uint64) { r.sort(words, scratch, dst, form) })
			})
		}
	}
}

// benchStarts returns the first rows of runs and their number.
func benchStarts(k, rows int, skewed bool) []int32 {
	starts := make([]int32, k+1)
	weights, all := 0.0, 0.0
	weight := func(r int) float64 { return 1 / float64(r) }
	for r := range k - 1 {
		all += weight(r + 1)
	}
	for r := range k {
		starts[r+1] = int32((r + 1) * rows / k)
		if skewed {
			starts[r+1] = int32(float64(rows) * (0.9 + 0.1*weights/all))
			weights += weight(r + 1)
		}
	}
	starts[k] = int32(rows)
	return starts
}

func benchOrder(b *testing.B, name string, words [][]uint64, dst []uint64, order func(words []uint64)) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, w := range words {
				order(w)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst)*len(words)), "ns/row")
		if !slices.IsSorted(dst) {
			b.Error("the words are not in order")
		}
	})
}

// benchWords returns the words of a window of sorted runs.
func benchWords(rng *rand.Rand, starts []int32, form wordForm) []uint64 {
	words := make([]uint64, 0, starts[len(starts)-1])
	for r := range len(starts) - 1 {
		keys := make([]uint64, starts[r+1]-starts[r])
		for i := range keys {
			keys[i] = rng.Uint64N(1 << form.keyBits)
		}
		slices.Sort(keys)
		for _, key := range keys {
			words = append(words, key<<form.idxBits|uint64(len(words)))
		}
	}
	return words
}
