package main

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// layoutShapes are value columns of various layouts.
var layoutShapes = []struct {
	name   string
	t      arrow.DataType
	append func(b array.Builder, rng *rand.Rand)
}{
	{"int64", arrow.PrimitiveTypes.Int64, func(b array.Builder, rng *rand.Rand) { b.(*array.Int64Builder).Append(rng.Int64()) }},
	{"int8", arrow.PrimitiveTypes.Int8, func(b array.Builder, rng *rand.Rand) { b.(*array.Int8Builder).Append(int8(rng.Uint32())) }},
	{"bool", arrow.FixedWidthTypes.Boolean, func(b array.Builder, rng *rand.Rand) { b.(*array.BooleanBuilder).Append(rng.Uint32()&1 == 0) }},
	{"decimal128", &arrow.Decimal128Type{Precision: 38}, func(b array.Builder, rng *rand.Rand) { appendText(b, fmt.Sprint(rng.Int64())) }},
	{"binary20", &arrow.FixedSizeBinaryType{ByteWidth: 20}, func(b array.Builder, rng *rand.Rand) {
		b.(*array.FixedSizeBinaryBuilder).Append([]byte(fmt.Sprintf("%020d", rng.Uint64())))
	}},
	{"text8", arrow.BinaryTypes.String, func(b array.Builder, rng *rand.Rand) { appendText(b, fmt.Sprintf("%08d", rng.IntN(1e8))) }},
	{"text100", arrow.BinaryTypes.String, func(b array.Builder, rng *rand.Rand) { appendText(b, fmt.Sprintf("%0100d", rng.Uint64())) }},
	{"view", arrow.BinaryTypes.StringView, func(b array.Builder, rng *rand.Rand) {
		b.(*array.StringViewBuilder).Append(fmt.Sprintf("%024d", rng.Uint64()))
	}},
	{"list4", arrow.ListOf(arrow.PrimitiveTypes.Int64), func(b array.Builder, rng *rand.Rand) {
		l := b.(*array.ListBuilder)
		l.Append(true)
		for range 4 {
			l.ValueBuilder().(*array.Int64Builder).Append(rng.Int64())
		}
	}},
	{"fixedlist4", arrow.FixedSizeListOf(4, arrow.PrimitiveTypes.Int64), func(b array.Builder, rng *rand.Rand) {
		l := b.(*array.FixedSizeListBuilder)
		l.Append(true)
		for range 4 {
			l.ValueBuilder().(*array.Int64Builder).Append(rng.Int64())
		}
	}},
	{"struct3", arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int64}, arrow.Field{Name: "b", Type: arrow.PrimitiveTypes.Int32},
		arrow.Field{Name: "c", Type: arrow.BinaryTypes.String}), func(b array.Builder, rng *rand.Rand) {
		s := b.(*array.StructBuilder)
		s.Append(true)
		s.FieldBuilder(0).(*array.Int64Builder).Append(rng.Int64())
		s.FieldBuilder(1).(*array.Int32Builder).Append(rng.Int32())
		appendText(s.FieldBuilder(2), fmt.Sprintf("%08d", rng.IntN(1e8)))
	}},
	{"map2", arrow.MapOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64), func(b array.Builder, rng *rand.Rand) {
		m := b.(*array.MapBuilder)
		m.Append(true)
		for i := range 2 {
			m.KeyBuilder().(*array.Int32Builder).Append(int32(i))
			m.ItemBuilder().(*array.Int64Builder).Append(rng.Int64())
		}
	}},
	{"dictionary", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}, func(b array.Builder, rng *rand.Rand) {
		appendText(b, fmt.Sprint("value-", rng.IntN(1000)))
	}},
}

func appendText(b array.Builder, s string) {
	if err := b.AppendValueFromString(s); err != nil {
		panic(err)
	}
}

// BenchmarkLayouts merges eight runs of a key and one value column, in alternation with a copy of the same bytes in and out: the
// buffers of all input batches are read and copied once, and the share that is kept once more.
func BenchmarkLayouts(b *testing.B) {
	for i := range layoutShapes {
		b.Run(layoutShapes[i].name, func(b *testing.B) {
			for _, share := range []float64{0, 0.5} {
				b.Run(fmt.Sprintf("share=%v", share), func(b *testing.B) { benchmarkLayout(b, i, share) })
			}
		})
	}
}

func benchmarkLayout(b *testing.B, at int, share float64) {
	shape := layoutShapes[at]
	s := arrow.NewSchema([]arrow.Field{schema.Field(0), {Name: "v", Type: shape.t, Nullable: true}}, nil)
	rng := rand.New(rand.NewPCG(3, 3))
	var runs [][]arrow.Record
	rows := 0
	for _, ids := range makeKeys(8, share, keyRows/2, rng) {
		var records []arrow.Record
		for from := 0; from < len(ids); from += batchRows {
			builder := array.NewRecordBuilder(memory.DefaultAllocator, s)
			for _, id := range ids[from:min(from+batchRows, len(ids))] {
				builder.Field(0).(*array.Int64Builder).Append(id)
				shape.append(builder.Field(1), rng)
			}
			records = append(records, builder.NewRecord())
			builder.Release()
		}
		runs = append(runs, records)
		rows += len(ids)
	}
	medians, stats := alternate(b, rows, merging(b, s, []string{"id"}, map[string]string{"merge-engine": "deduplicate"}, runs), func() kernel.Stats {
		copyRuns(runs, 1-share)
		return kernel.Stats{}
	})
	b.ReportMetric(medians[0], "cpu-ns/row")
	b.ReportMetric(medians[1], "copy-ns/row")
	b.ReportMetric(medians[0]/medians[1], "to-copy")
	report(b, &stats[0], rows)
}

// copyRuns copies the buffers of all batches to fresh memory, and the kept share of the copies again.
func copyRuns(runs [][]arrow.Record, kept float64) {
	for _, records := range runs {
		for _, rec := range records {
			for _, col := range rec.Columns() {
				copyData(col.Data(), kept)
			}
		}
	}
}

func copyData(d arrow.ArrayData, kept float64) {
	for _, buffer := range d.Buffers() {
		if buffer == nil {
			continue
		}
		staged := append([]byte(nil), buffer.Bytes()...)
		copied = append([]byte(nil), staged[:int(kept*float64(len(staged)))]...)
	}
	for _, child := range d.Children() {
		copyData(child, kept)
	}
}

// copied keeps the copies from being dropped.
var copied []byte
