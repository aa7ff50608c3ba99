package columnar_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

const benchRows = 1 << 20

// BenchmarkEncoding loads and finishes a million rows of 1,000 texts of 5 to 20 bytes, a tenth NULL where NULLs are said.
func BenchmarkEncoding(b *testing.B) {
	mem := memory.NewGoAllocator()
	flat := benchTexts(mem, 1)
	defer flat.Release()
	for _, c := range []struct {
		name  string
		plain bool
		d     arrow.ArrayData
	}{
		{"dictionary", false, benchDictionary(mem, false)},
		{"dictionary/nulls", false, benchDictionary(mem, true)},
		{"dictionary/plain", true, benchDictionary(mem, false)},
		{"runs-of-1", false, finished(b, arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String), flat, mem)},
		{"runs-of-16", false, finished(b, arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String), benchTexts(mem, 16), mem)},
		{"views", false, finished(b, arrow.BinaryTypes.StringView, largeTexts(flat, mem), mem)},
		{"list", false, benchList(mem, benchDictionary(mem, false))},
	} {
		enc, err := columnar.NewEncoding(c.d.DataType(), c.plain, mem)
		if err != nil {
			b.Fatal(err)
		}
		staged, err := enc.Load(c.d)
		if err != nil {
			b.Fatal(err)
		}
		for name, run := range map[string]func() (arrow.ArrayData, error){
			"load":   func() (arrow.ArrayData, error) { return enc.Load(c.d) },
			"finish": func() (arrow.ArrayData, error) { return enc.Finish(staged) },
		} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					d, err := run()
					if err != nil {
						b.Fatal(err)
					}
					d.Release()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
			})
		}
	}
}

func benchText(i int) string { return fmt.Sprintf("%05d%s", i, "0123456789abcdef"[:i%16]) }

// benchDictionary has every value twice, so that the numbers of the merge are not the indices.
func benchDictionary(mem memory.Allocator, nulls bool) arrow.ArrayData {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := array.NewStringBuilder(mem)
	for i := range 2000 {
		texts.Append(benchText(i / 2))
	}
	values := texts.NewArray()
	var indices []byte
	for range benchRows {
		indices = number(indices, 4, rng.IntN(2000))
	}
	var valid []byte
	if nulls {
		for range benchRows / 8 {
			valid = append(valid, 0xff^byte(1<<rng.IntN(10)))
		}
	}
	d := plainData(dictionaryOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String), benchRows, 0, [][]byte{valid, indices})
	d.SetDictionary(values.Data())
	return d
}

// benchTexts has texts each so many times in a row.
func benchTexts(mem memory.Allocator, times int) arrow.ArrayData {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := array.NewStringBuilder(mem)
	for range benchRows / times {
		text := benchText(rng.IntN(1000))
		for range times {
			texts.Append(text)
		}
	}
	return texts.NewArray().Data()
}

func largeTexts(d arrow.ArrayData, mem memory.Allocator) arrow.ArrayData {
	texts := array.NewLargeStringBuilder(mem)
	a := array.NewStringData(d)
	for i := range a.Len() {
		texts.Append(a.Value(i))
	}
	return texts.NewArray().Data()
}

func benchList(mem memory.Allocator, items arrow.ArrayData) arrow.ArrayData {
	var offsets []byte
	for i := range benchRows/4 + 1 {
		offsets = number(offsets, 4, 4*i)
	}
	return plainData(arrow.ListOf(items.DataType()), benchRows/4, 0, [][]byte{nil, offsets}, items)
}

// finished makes an array of a type of one that is staged.
func finished(b *testing.B, dt arrow.DataType, staged arrow.ArrayData, mem memory.Allocator) arrow.ArrayData {
	enc := newEncoding(b, dt, mem)
	defer enc.Release()
	d, err := enc.Finish(staged)
	if err != nil {
		b.Fatal(err)
	}
	return d
}
