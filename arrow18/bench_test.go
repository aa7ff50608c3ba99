package arrow18_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
)

// trips is a record of columns as tables have them: a key, a time, a number half of which is NULL, a word out of few, and a
// text that is different in every row.
func trips(rows int) arrow.Record {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Microsecond}, Nullable: true},
		{Name: "delay", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "city", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "note", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i := range rows {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		b.Field(1).(*array.TimestampBuilder).Append(arrow.Timestamp(i * 1_000_003))
		if i%2 == 0 {
			b.Field(2).AppendNull()
		} else {
			b.Field(2).(*array.Int32Builder).Append(int32(number(i)))
		}
		b.Field(3).(*array.StringBuilder).Append(word(i * 7))
		b.Field(4).(*array.StringBuilder).Append(fmt.Sprint("note ", i*2_654_435_761))
	}
	return b.NewRecord()
}

func BenchmarkReadParquet(b *testing.B) {
	const rows = 500_000
	rec := trips(rows)
	defer rec.Release()
	file := encode(b, rec.Schema(), arrow18.WriteOptions{}, rec)
	b.ReportAllocs()
	for b.Loop() {
		r, err := arrow18.NewParquetReader(context.Background(), "trips", bytes.NewReader(file), int64(len(file)), arrow18.ReadOptions{})
		if err != nil {
			b.Fatal(err)
		}
		read := int64(0)
		for r.Next() {
			read += r.Record().NumRows()
		}
		if read != rows || r.Err() != nil {
			b.Fatal(read, r.Err())
		}
		r.Release()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}

func BenchmarkWriteParquet(b *testing.B) {
	const rows = 200_000
	rec := trips(rows)
	defer rec.Release()
	b.ReportAllocs()
	for b.Loop() {
		w, err := arrow18.NewParquetWriter(io.Discard, rec.Schema(), arrow18.WriteOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Write(rec); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}

// BenchmarkBridge crosses a record of five columns there and back.
func BenchmarkBridge(b *testing.B) {
	rec := trips(1000)
	defer rec.Release()
	b.ReportAllocs()
	for b.Loop() {
		there, err := arrow18.RecordTo18(rec)
		if err != nil {
			b.Fatal(err)
		}
		back, err := arrow18.RecordTo17(there)
		if err != nil {
			b.Fatal(err)
		}
		back.Release()
		there.Release()
	}
}
