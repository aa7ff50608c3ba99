package kernel

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkOrder orders the words of windows of random keys: by the cascade for few runs, by the radix sort for many.
func BenchmarkOrder(b *testing.B) {
	const rows, windows = 1 << 16, 16
	for _, k := range []int{2, 4, 8, 16, 64} {
		words, starts := make([][]uint64, windows), make([]int32, k+1)
		for r := range starts {
			starts[r] = int32(r * rows / k)
		}
		rng := rand.New(rand.NewPCG(uint64(k), 1))
		form := wordForm{keyBits: 24, idxBits: bits.Len(rows)}
		for i := range words {
			words[i] = benchWords(rng, starts, form)
		}
		dst, scratch := make([]uint64, rows+wordSlack), make([]uint64, rows+wordSlack)
		var r radix
		order := map[string]func(words []uint64){
			"radix": func(words []uint64) { r.sort(words, scratch[:rows], dst[:rows], form) },
		}
		if k <= cascadeRuns {
			order["cascade"] = func(words []uint64) { cascade(words, starts, dst[:rows], scratch[:rows]) }
		}
		for _, name := range []string{"cascade", "radix"} {
			if order[name] == nil {
				continue
			}
			b.Run(fmt.Sprintf("%s/k=%d", name, k), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					for _, w := range words {
						order[name](w)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(rows*windows), "ns/row")
			})
			if !slices.IsSorted(dst[:rows]) {
				b.Errorf("%s of %d runs is not in order", name, k)
			}
		}
	}
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
