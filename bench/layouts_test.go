package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// layoutShape is value columns of one layout.
type layoutShape struct {
	name   string
	t      arrow.DataType
	append func(b array.Builder, rng *rand.Rand)
}

// layoutShapes are value columns of various layouts.
var layoutShapes = []layoutShape{
	{"int64", arrow.PrimitiveTypes.Int64, func(b array.Builder, rng *rand.Rand) { b.(*array.Int64Builder).Append(rng.Int64()) }},
	{"int8", arrow.PrimitiveTypes.Int8, func(b array.Builder, rng *rand.Rand) { b.(*array.Int8Builder).Append(int8(rng.Uint32())) }},
	{"bool", arrow.FixedWidthTypes.Boolean, func(b array.Builder, rng *rand.Rand) { b.(*array.BooleanBuilder).Append(rng.Uint32()&1 == 0) }},
	{"decimal128", &arrow.Decimal128Type{Precision: 38}, func(b array.Builder, rng *rand.Rand) { appendText(b, fmt.Sprint(rng.Int64())) }},
	{"binary20", &arrow.FixedSizeBinaryType{ByteWidth: 20}, func(b array.Builder, rng *rand.Rand) {
		b.(*array.FixedSizeBinaryBuilder).Append([]byte(fmt.Sprintf("%020d", rng.Uint64())))
	}},
	{"text8", arrow.BinaryTypes.String, func(b array.Builder, rng *rand.Rand) { appendText(b, fmt.Sprintf("%08d", rng.IntN(1e8))) }},
	{"text100", arrow.BinaryTypes.String, func(b array.Builder, rng *rand.Rand) { appendText(b, fmt.Sprintf("%0100d", rng.Uint64())) }},
	{"text1000", arrow.BinaryTypes.String, func(b array.Builder, rng *rand.Rand) { appendText(b, fmt.Sprintf("%01000d", rng.Uint64())) }},
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
	{"list2of2", arrow.ListOf(arrow.ListOf(arrow.PrimitiveTypes.Int64)), func(b array.Builder, rng *rand.Rand) {
		l := b.(*array.ListBuilder)
		l.Append(true)
		inner := l.ValueBuilder().(*array.ListBuilder)
		for range 2 {
			inner.Append(true)
			for range 2 {
				inner.ValueBuilder().(*array.Int64Builder).Append(rng.Int64())
			}
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
	{"struct30", structOf30(), func(b array.Builder, rng *rand.Rand) {
		s := b.(*array.StructBuilder)
		s.Append(true)
		for i := range s.NumField() {
			s.FieldBuilder(i).(*array.Int64Builder).Append(rng.Int64())
		}
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

// structOf30 is a struct of thirty numbers.
func structOf30() arrow.DataType {
	var fields []arrow.Field
	for i := range 30 {
		fields = append(fields, arrow.Field{Name: fmt.Sprint("f", i), Type: arrow.PrimitiveTypes.Int64})
	}
	return arrow.StructOf(fields...)
}

// halfNull is a shape of which every second value is NULL, at random.
func (s layoutShape) halfNull() layoutShape {
	values := s.append
	s.append = func(b array.Builder, rng *rand.Rand) {
		if rng.Uint32()&1 == 0 {
			b.AppendNull()
			return
		}
		values(b, rng)
	}
	return s
}

// layoutNamed returns the shape of a name.
func layoutNamed(name string) layoutShape {
	return layoutShapes[slices.IndexFunc(layoutShapes, func(s layoutShape) bool { return s.name == name })]
}

// wideShapes are the columns of wide tables: a hundred numbers, and a hundred of several types, half NULL.
func wideShapes() map[string][]layoutShape {
	var numbers, mixed []layoutShape
	for i := range 100 {
		numbers = append(numbers, layoutNamed("int64"))
		mixed = append(mixed, layoutNamed([]string{"int64", "int64", "int8", "bool", "text8"}[i%5]).halfNull())
	}
	return map[string][]layoutShape{"int64s100": numbers, "mixed100": mixed}
}

func appendText(b array.Builder, s string) {
	if err := b.AppendValueFromString(s); err != nil {
		panic(err)
	}
}

// BenchmarkLayouts merges eight runs of a key and one value column, in alternation with a copy of the same bytes in and out: the
// buffers of all input batches are read and copied once, and the share that is kept once more.
func BenchmarkLayouts(b *testing.B) {
	for _, shape := range layoutShapes {
		b.Run(shape.name, func(b *testing.B) { benchmarkShares(b, []layoutShape{shape}) })
	}
}

// BenchmarkWide is BenchmarkLayouts for a hundred value columns.
func BenchmarkWide(b *testing.B) {
	for name, shapes := range wideShapes() {
		b.Run(name, func(b *testing.B) { benchmarkShares(b, shapes) })
	}
}

func benchmarkShares(b *testing.B, shapes []layoutShape) {
	for _, share := range []float64{0, 0.1, 0.5} {
		b.Run(fmt.Sprintf("share=%v", share), func(b *testing.B) { benchmarkLayout(b, shapes, share) })
	}
}

func benchmarkLayout(b *testing.B, shapes []layoutShape, share float64) {
	fields := []arrow.Field{schema.Field(0)}
	for i, shape := range shapes {
		fields = append(fields, arrow.Field{Name: fmt.Sprint("v", i), Type: shape.t, Nullable: true})
	}
	s := arrow.NewSchema(fields, nil)
	rng := rand.New(rand.NewPCG(3, 3))
	var runs [][]arrow.Record
	rows := 0
	for _, ids := range makeKeys(8, share, keyRows/2, rng) {
		var records []arrow.Record
		for from := 0; from < len(ids); from += batchRows {
			builder := array.NewRecordBuilder(memory.DefaultAllocator, s)
			for _, id := range ids[from:min(from+batchRows, len(ids))] {
				builder.Field(0).(*array.Int64Builder).Append(id)
				for i := range shapes {
					shapes[i].append(builder.Field(i+1), rng)
				}
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
