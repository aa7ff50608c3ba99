package validity_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/validity"
)

const benchRows = 1 << 16

// benchMasks draws the masks of a window: a random pattern for every row, one for all, or one for each of 8 runs whose rows
// alternate at random.
func benchMasks(kind string, columns int) [][]uint64 {
	rng := rand.New(rand.NewPCG(1, 41))
	masks := make([][]uint64, columns)
	for c := range masks {
		masks[c] = make([]uint64, validity.Words(benchRows))
	}
	runs := make([][]int, 8)
	for r := range runs {
		for c := range columns {
			if rng.IntN(2) == 0 {
				runs[r] = append(runs[r], c)
			}
		}
	}
	for row := range benchRows {
		supplied := runs[0]
		switch kind {
		case "random":
			supplied = nil
			for c := range columns {
				if rng.IntN(2) == 0 {
					supplied = append(supplied, c)
				}
			}
		case "runs":
			supplied = runs[rng.IntN(8)]
		}
		for _, c := range supplied {
			validity.Set(masks[c], row)
		}
	}
	return masks
}

func encodedMasks(b *testing.B, masks [][]uint64) validity.Column[int32] {
	e := validity.NewEncoder(len(masks))
	numbers, offsets := make([]uint32, benchRows), make([]int32, benchRows+1)
	e.Number(numbers, masks)
	size, err := validity.Place(e, offsets, numbers)
	if err != nil {
		b.Fatal(err)
	}
	data := make([]byte, size)
	e.Put(data, numbers)
	return validity.Column[int32]{Offsets: offsets, Data: data}
}

func eachBench(b *testing.B, f func(b *testing.B, masks [][]uint64)) {
	for _, kind := range []string{"random", "runs", "one"} {
		for _, columns := range []int{7, 100} {
			masks := benchMasks(kind, columns)
			b.Run(fmt.Sprintf("%s/columns=%d", kind, columns), func(b *testing.B) {
				b.ReportAllocs()
				f(b, masks)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	eachBench(b, func(b *testing.B, masks [][]uint64) {
		c := encodedMasks(b, masks)
		d := validity.NewDecoder(len(masks))
		s := d.Source(identity(len(masks)))
		numbers := make([]uint32, benchRows)
		b.ResetTimer()
		for range b.N {
			d.Begin()
			if _, err := validity.Read(s, numbers, c); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkMasks(b *testing.B) {
	eachBench(b, func(b *testing.B, masks [][]uint64) {
		c := encodedMasks(b, masks)
		d := validity.NewDecoder(len(masks))
		numbers := make([]uint32, benchRows)
		if _, err := validity.Read(d.Source(identity(len(masks))), numbers, c); err != nil {
			b.Fatal(err)
		}
		out := make([][]uint64, len(masks))
		for i := range out {
			out[i] = make([]uint64, validity.Words(benchRows))
		}
		b.ResetTimer()
		for range b.N {
			d.Masks(out, numbers)
		}
		if !slices.EqualFunc(out, masks, slices.Equal[[]uint64]) {
			b.Fatal("other masks")
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	eachBench(b, func(b *testing.B, masks [][]uint64) {
		e := validity.NewEncoder(len(masks))
		numbers, offsets := make([]uint32, benchRows), make([]int32, benchRows+1)
		e.Number(numbers, masks)
		size, err := validity.Place(e, offsets, numbers)
		if err != nil {
			b.Fatal(err)
		}
		data := make([]byte, size)
		b.ResetTimer()
		for range b.N {
			e.Begin()
			e.Number(numbers, masks)
			if _, err := validity.Place(e, offsets, numbers); err != nil {
				b.Fatal(err)
			}
			e.Put(data, numbers)
		}
	})
}
