package main

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// validityTable is a table of an int64 key and int64 columns, with or without a validity column in front.
func validityTable(columns int, marked bool) *arrow.Schema {
	var fields []arrow.Field
	if marked {
		fields = append(fields, arrow.Field{Name: "_VALIDITY_FIELDS", Type: arrow.BinaryTypes.Binary, Nullable: true})
	}
	fields = append(fields, arrow.Field{Name: "id", Type: arrow.PrimitiveTypes.Int64})
	for i := range columns {
		fields = append(fields, arrow.Field{Name: fmt.Sprintf("v%d", i), Type: arrow.PrimitiveTypes.Int64, Nullable: true})
	}
	return arrow.NewSchema(fields, nil)
}

// marks are the bytes for a set of value columns, given by bit; the key is always there.
func marks(set []bool) []byte {
	b := roaring.New()
	b.Add(1)
	for i, in := range set {
		if in {
			b.Add(uint32(i + 2))
		}
	}
	b.RunOptimize()
	bytes, err := b.ToBytes()
	if err != nil {
		panic(err)
	}
	return bytes
}

// makeMarked makes the batches of a run, whose rows supply the columns that supplies says.
func makeMarked(keys []int64, columns int, rng *rand.Rand, supplies func() []bool) []arrow.Record {
	table := validityTable(columns, true)
	known := map[string][]byte{}
	var records []arrow.Record
	for from := 0; from < len(keys); from += batchRows {
		b := array.NewRecordBuilder(memory.DefaultAllocator, table)
		part := keys[from:min(from+batchRows, len(keys))]
		b.Reserve(len(part))
		for _, key := range part {
			set := supplies()
			name := fmt.Sprint(set)
			if known[name] == nil {
				known[name] = marks(set)
			}
			b.Field(0).(*array.BinaryBuilder).Append(known[name])
			b.Field(1).(*array.Int64Builder).UnsafeAppend(key)
			for i, in := range set {
				v := b.Field(i + 2).(*array.Int64Builder)
				if v.UnsafeAppend(rng.Int64N(1_000_000)); !in {
					v.SetNull(v.Len() - 1)
				}
			}
		}
		records = append(records, b.NewRecord())
		b.Release()
	}
	return records
}

// withoutMarks takes the validity column off.
func withoutMarks(rec arrow.Record) arrow.Record {
	return array.NewRecord(validityTable(int(rec.NumCols())-2, false), rec.Columns()[1:], rec.NumRows())
}

// withPlainMarks makes the validity column one of bytes like any other.
func withPlainMarks(rec arrow.Record) arrow.Record {
	fields := rec.Schema().Fields()
	fields[0].Name = "bytes"
	return array.NewRecord(arrow.NewSchema(fields, nil), rec.Columns(), rec.NumRows())
}

// BenchmarkValidity reports process CPU time for an input row of partial-update-validity, of partial-update with the same rows
// without their validity column, and of partial-update that moves that column as bytes: runs that have a set of columns each, and
// rows that have a set each.
func BenchmarkValidity(b *testing.B) {
	for _, c := range []struct{ columns, rows int }{{6, totalRows}, {100, 1 << 20}} {
		for _, share := range []float64{0.1, 0.5} {
			for _, sets := range []string{"run", "row"} {
				rng := rand.New(rand.NewPCG(9, 9))
				var marked, plain [][]arrow.Record
				rows := 0
				for number, keys := range makeKeys(8, share, c.rows, rng) {
					set := make([]bool, c.columns)
					supplies := func() []bool {
						for i := range set {
							set[i] = rng.Uint32()&1 == 0
						}
						return set
					}
					if supplies(); sets == "run" {
						set[number%c.columns] = true
						supplies = func() []bool { return set }
					}
					run := makeMarked(keys, c.columns, rng, supplies)
					marked, plain, rows = append(marked, run), append(plain, mapRecords(run, withoutMarks)), rows+len(keys)
				}
				name := fmt.Sprintf("columns=%d/share=%v/sets=%s", c.columns, share, sets)
				b.Run(name+"/partial-update", func(b *testing.B) {
					mergeWith(b, validityTable(c.columns, false), []string{"id"}, map[string]string{"merge-engine": "partial-update"}, plain, rows)
				})
				b.Run(name+"/partial-update-bytes", func(b *testing.B) {
					var runs [][]arrow.Record
					for _, run := range marked {
						runs = append(runs, mapRecords(run, withPlainMarks))
					}
					mergeWith(b, runs[0][0].Schema(), []string{"id"}, map[string]string{"merge-engine": "partial-update"}, runs, rows)
				})
				b.Run(name+"/partial-update-validity", func(b *testing.B) {
					mergeWith(b, validityTable(c.columns, true), []string{"id"}, map[string]string{"merge-engine": "partial-update-validity"}, marked, rows)
				})
			}
		}
	}
}
