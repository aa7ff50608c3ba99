package simd_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/braidmerge/braid/simd"
)

// benchRows is how many rows the benchmarks work on in all, benchWindow how many at a time: as many as a window of a merge
// has, so that the scratch memory is where a merge has it.
const (
	benchRows   = 1 << 20
	benchWindow = 1 << 16
)

// mergeOrder returns a selection that takes every row of a window once, as the merge of 8 runs does.
func mergeOrder(rng *rand.Rand) []uint32 {
	const runs = 8
	next := [runs]uint32{}
	for r := range next {
		next[r] = uint32(r * benchWindow / runs)
	}
	sel := make([]uint32, 0, benchWindow)
	for len(sel) < benchWindow {
		r := rng.IntN(runs)
		if next[r] < uint32((r+1)*benchWindow/runs) {
			sel = append(sel, next[r])
			next[r]++
		}
	}
	return sel
}

// perRow runs a verb on one window after the other, benchRows rows an iteration, and reports nanoseconds a row.
func perRow(b *testing.B, verb func()) {
	verb()
	b.ResetTimer()
	for range b.N {
		for range benchRows / benchWindow {
			verb()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
	b.ReportMetric(0, "ns/op")
}

func BenchmarkTake(b *testing.B) {
	b.Run("1", benchmarkTake[uint8])
	b.Run("2", benchmarkTake[uint16])
	b.Run("4", benchmarkTake[uint32])
	b.Run("8", benchmarkTake[uint64])
	b.Run("16", benchmarkTake[[16]byte])
	b.Run("32", benchmarkTake[[32]byte])
}

func benchmarkTake[T simd.Fixed](b *testing.B) {
	sel := mergeOrder(rand.New(rand.NewPCG(1, 1)))
	dst, src := make([]T, benchWindow), make([]T, benchWindow)
	perRow(b, func() { simd.Take(dst, src, sel) })
}

// BenchmarkTakeBlocks is BenchmarkTake/8 for values that lie in blocks.
func BenchmarkTakeBlocks(b *testing.B) {
	sel := mergeOrder(rand.New(rand.NewPCG(1, 1)))
	dst, src := make([]uint64, benchWindow), make([]uint64, benchWindow)
	blocks := make([]unsafe.Pointer, benchWindow/simd.BlockRows)
	for i := range blocks {
		blocks[i] = unsafe.Pointer(&src[i*simd.BlockRows])
	}
	perRow(b, func() { simd.TakeBlocks(dst, blocks, sel, simd.ShareMost) })
}

func BenchmarkTakeBytes(b *testing.B) {
	sel := mergeOrder(rand.New(rand.NewPCG(1, 1)))
	for _, width := range []int{3, 20, 100} {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			dst, src := make([]byte, width*benchWindow), make([]byte, width*benchWindow)
			perRow(b, func() { simd.TakeBytes(dst, src, width, sel) })
		})
	}
}

func BenchmarkTakeBits(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	sel := mergeOrder(rng)
	dst, src := make([]byte, benchWindow/8), make([]byte, benchWindow)
	randomBytes(rng, src)
	perRow(b, func() { sink += simd.TakeBits(dst, src, sel) })
}

func BenchmarkUnpackBits(b *testing.B) {
	for _, from := range []int{0, 3} {
		b.Run(fmt.Sprintf("from=%d", from), func(b *testing.B) {
			dst, bitmap := make([]byte, benchWindow+8), make([]byte, benchWindow/8+1)
			perRow(b, func() { simd.UnpackBits(dst, bitmap, from, benchWindow) })
		})
	}
}

// benchWords returns the words of a window with keys of about rowsPerKey rows, and the mask of their ends.
func benchWords(rowsPerKey int) (words, ends []uint64, idxBits int) {
	rng := rand.New(rand.NewPCG(1, 1))
	idxBits = 17
	key := uint64(0)
	for i, row := range mergeOrder(rng) {
		if i > 0 && rng.IntN(rowsPerKey) == 0 {
			key++
		}
		words = append(words, key<<idxBits|uint64(row))
	}
	for i := range uint64(64) {
		words = append(words, (key+1+i)<<idxBits)
	}
	ends = make([]uint64, benchWindow/64)
	simd.GroupEnds(ends, words, benchWindow, idxBits)
	return words, ends, idxBits
}

func BenchmarkMergeBits(b *testing.B) {
	words, _, idxBits := benchWords(2)
	dst, src := make([]uint64, benchWindow/64), make([]byte, benchWindow)
	perRow(b, func() { simd.MergeBits(dst, src, words, benchWindow, idxBits) })
}

func BenchmarkMergeWords(b *testing.B) {
	for _, c := range []struct {
		name    string
		share   int // of the words, one in so many is in the second list
		stretch int // on average as many words follow each other in a list beyond chance
	}{{"even", 2, 1}, {"1in8", 8, 1}, {"1in32", 32, 1}, {"1in1000", 1000, 1}, {"stretches", 2, 50}} {
		b.Run(c.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			var lists [2][]uint64
			to := 0
			for i := range uint64(benchWindow) {
				if rng.IntN(c.stretch) == 0 {
					to = 0
					if rng.IntN(c.share) == 0 {
						to = 1
					}
				}
				lists[to] = append(lists[to], i*7919)
			}
			out := make([]uint64, benchWindow)
			perRow(b, func() { simd.MergeWords(out, lists[0], lists[1]) })
		})
	}
}

func BenchmarkGroupEnds(b *testing.B) {
	words, ends, idxBits := benchWords(2)
	perRow(b, func() { sink += simd.GroupEnds(ends, words, benchWindow, idxBits) })
}

func BenchmarkSelectEnds(b *testing.B) {
	words, _, idxBits := benchWords(2)
	sel := make([]uint32, benchWindow+1)
	perRow(b, func() { sink += simd.SelectEnds(sel, words, benchWindow, idxBits) })
}

func BenchmarkSelectBits(b *testing.B) {
	for _, rowsPerKey := range []int{1, 2, 50} {
		b.Run(fmt.Sprintf("1in%d", rowsPerKey), func(b *testing.B) {
			words, ends, idxBits := benchWords(rowsPerKey)
			sel := make([]uint32, benchWindow)
			perRow(b, func() { sink += simd.SelectBits(sel, ends, words, idxBits) })
		})
	}
}

// BenchmarkReselect moves the pick of one key in four to the first row.
func BenchmarkReselect(b *testing.B) {
	words, ends, idxBits := benchWords(2)
	pick := make([]uint64, len(ends))
	rng := rand.New(rand.NewPCG(1, 1))
	start := 0
	for i := range benchWindow {
		if ends[i/64]>>(i%64)&1 == 0 {
			continue
		}
		at := i
		if rng.IntN(4) == 0 {
			at = start
		}
		pick[at/64] |= 1 << (at % 64)
		start = i + 1
	}
	base := make([]uint32, benchWindow)
	base = base[:simd.SelectBits(base, ends, words, idxBits)]
	sel := make([]uint32, len(base))
	perRow(b, func() { simd.Reselect(sel, base, pick, ends, words, idxBits) })
}

// benchTexts returns staged texts of 0 to 2*mean bytes, with slack.
func benchTexts(mean int) (off []uint32, data []byte, size int) {
	rng := rand.New(rand.NewPCG(1, 1))
	off = append(off, 0)
	for range benchWindow {
		size += rng.IntN(2*mean + 1)
		off = append(off, uint32(size))
	}
	return off, make([]byte, size+simd.Slack), size
}

func BenchmarkTakeOffsets(b *testing.B) {
	off, _, _ := benchTexts(12)
	sel := mergeOrder(rand.New(rand.NewPCG(1, 1)))
	b.Run("32", func(b *testing.B) {
		out := make([]int32, benchWindow+1)
		perRow(b, func() { sink += simd.TakeOffsets(out, off, sel) })
	})
	b.Run("64", func(b *testing.B) {
		out := make([]int64, benchWindow+1)
		perRow(b, func() { sink += simd.TakeOffsets(out, off, sel) })
	})
}

func BenchmarkTakeText(b *testing.B) {
	sel := mergeOrder(rand.New(rand.NewPCG(1, 1)))
	for _, mean := range []int{5, 12, 40, 200} {
		b.Run(fmt.Sprintf("mean=%d", mean), func(b *testing.B) {
			off, data, size := benchTexts(mean)
			dst := make([]byte, size+simd.Slack)
			perRow(b, func() { simd.TakeText(dst, off, data, sel) })
		})
	}
}

func BenchmarkInts(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y, out, bits := numbers(rng, benchWindow), numbers(rng, benchWindow), make([]int64, benchWindow), make([]uint64, benchWindow/64)
	b.Run("less", func(b *testing.B) { perRow(b, func() { simd.LessMask(bits, x, y) }) })
	b.Run("less than one", func(b *testing.B) { perRow(b, func() { simd.LessThan(bits, x, 1000) }) })
	b.Run("add", func(b *testing.B) { perRow(b, func() { simd.AddInts(out, x, y) }) })
	b.Run("add one", func(b *testing.B) { perRow(b, func() { simd.AddConstant(out, x, 1000) }) })
	b.Run("subtract", func(b *testing.B) { perRow(b, func() { simd.SubtractInts(out, x, y) }) })
}

func BenchmarkBlend(b *testing.B) {
	b.Run("4", benchmarkBlend[uint32])
	b.Run("8", benchmarkBlend[uint64])
}

func benchmarkBlend[T uint32 | uint64](b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	out, base, values, mask := make([]T, benchWindow), make([]T, benchWindow), make([]T, benchWindow), make([]uint64, benchWindow/64)
	for i := range mask {
		mask[i] = rng.Uint64()
	}
	perRow(b, func() { simd.Blend(out, base, values, mask) })
}

// BenchmarkGroups brings the values of groups of about so many rows together.
func BenchmarkGroups(b *testing.B) {
	for _, rows := range []int{2, 10} {
		_, ends, _ := benchWords(rows)
		ends[benchWindow/64-1] |= 1 << 63
		out, in := make([]int64, benchWindow), make([]int64, benchWindow)
		b.Run(fmt.Sprintf("sum/%d", rows), func(b *testing.B) { perRow(b, func() { simd.SumGroups(out, in, ends) }) })
		b.Run(fmt.Sprintf("min/%d", rows), func(b *testing.B) { perRow(b, func() { simd.MinGroups(out, in, ends, 1) }) })
	}
}

func BenchmarkMergeColumns(b *testing.B) {
	words, _, idxBits := benchWords(2)
	src := make([]byte, benchWindow)
	rand.NewChaCha8([32]byte{}).Read(src)
	for _, n := range []int{1, 5, 8} {
		b.Run(fmt.Sprintf("columns=%d", n), func(b *testing.B) {
			columns := make([][]uint64, n)
			for i := range columns {
				columns[i] = make([]uint64, benchWindow/64)
			}
			perRow(b, func() { simd.MergeColumns(columns, src, words, benchWindow, idxBits) })
		})
	}
}
