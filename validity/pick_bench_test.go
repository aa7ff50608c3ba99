package validity_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/braidmerge/braid/validity"
)

// pickRows is how many rows the masks of the benchmarks have, all of which one iteration passes over.
const pickRows = 1 << 24

// randomMask returns a mask of which a part of the bits is set.
func randomMask(rng *rand.Rand, part float64) []uint64 {
	mask := make([]uint64, validity.Words(pickRows))
	for i := range mask {
		for bit := range 64 {
			if rng.Float64() < part {
				mask[i] |= 1 << bit
			}
		}
	}
	return mask
}

// perMaskRow runs a verb on all rows and reports nanoseconds a row.
func perMaskRow(b *testing.B, verb func()) {
	b.ReportAllocs()
	for b.Loop() {
		verb()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pickRows, "ns/row")
}

// BenchmarkPick picks rows by their validity, for keys of some mean number of rows and values of which a part is NULL.
func BenchmarkPick(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	pick := make([]uint64, validity.Words(pickRows))
	for _, mean := range []int{2, 8} {
		ends := randomMask(rng, 1/float64(mean))
		for _, nulls := range []int{1, 50} {
			valid := randomMask(rng, 1-float64(nulls)/100)
			name := fmt.Sprintf("rows=%d/nulls=%d", mean, nulls)
			b.Run("last/"+name, func(b *testing.B) { perMaskRow(b, func() { validity.LastValid(pick, valid, ends) }) })
			b.Run("first/"+name, func(b *testing.B) { perMaskRow(b, func() { validity.FirstValid(pick, valid, ends) }) })
		}
	}
}

// BenchmarkPickMasks passes over the masks that follow a pick.
func BenchmarkPickMasks(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 2))
	ends, valid := randomMask(rng, 0.5), randomMask(rng, 0.5)
	pick, out, bytes := make([]uint64, len(ends)), make([]uint64, len(ends)), make([]byte, 8*len(ends))
	validity.LastValid(pick, valid, ends)
	for _, c := range []struct {
		name string
		verb func()
	}{
		{"hits", func() { validity.Hits(out, pick, ends) }},
		{"or-ends", func() { copy(out, pick); validity.OrEnds(out, ends) }},
		{"starts", func() { validity.Starts(out, ends, pickRows) }},
		{"singles", func() { validity.Singles(out, ends) }},
		{"compress", func() { validity.Compress(bytes, valid, ends) }},
	} {
		b.Run(c.name, func(b *testing.B) { perMaskRow(b, c.verb) })
	}
}
