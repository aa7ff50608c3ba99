package main

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// updateRows is how many rows BenchmarkUpdate has: 64 MB a column, far more than any cache holds.
const updateRows = 8 << 20

// BenchmarkUpdate updates one 8-byte column of a table of two, id and v, with a column of the same bytes copied by copy in
// alternation: CPU time of both for a row, and how fast the update is, the copy being 1. "half" sets every other row, "run" the
// second half of the rows, "none" no row of a condition that must be evaluated. "again" has the output in memory that has been
// written before, like that of the copy; else it is fresh.
func BenchmarkUpdate(b *testing.B) {
	records := updateTable()
	table := records[0].Schema()
	for _, c := range []struct{ name, when, set string }{
		{"all", "", "v = v + 1"},
		{"constant", "", "v = 7"},
		{"column", "id >= 0", "v = id"},
		{"run", "id >= 4194304", "v = v + 1"},
		{"half", "v < 500000", "v = v + 1"},
		{"few", "v < 10000", "v = v + 1"},
		{"none", "v < 0", "v = v + 1"},
		{"and", "v > 250000 AND v <= 750000 OR id = 5", "v = v * 3 - id"},
	} {
		b.Run(c.name, func(b *testing.B) { updateBeside(b, records, table, c.when, c.set, nil) })
		b.Run(c.name+"/again", func(b *testing.B) { updateBeside(b, records, table, c.when, c.set, &reused{}) })
	}
}

// reused is an allocator that gives blocks out again, as the destination of the copy is written again and again.
type reused struct{ free map[int][][]byte }

func (r *reused) Allocate(size int) []byte {
	if blocks := r.free[size]; len(blocks) > 0 {
		r.free[size] = blocks[:len(blocks)-1]
		return blocks[len(blocks)-1]
	}
	return make([]byte, size)
}

func (r *reused) Reallocate(size int, b []byte) []byte {
	out := r.Allocate(size)
	copy(out, b)
	r.Free(b)
	return out
}

func (r *reused) Free(b []byte) {
	if r.free == nil {
		r.free = map[int][][]byte{}
	}
	r.free[len(b)] = append(r.free[len(b)], b)
}

// updateTable makes batches of ids in order and values at random, without NULLs.
func updateTable() (records []arrow.Record) {
	rng := rand.New(rand.NewPCG(3, 3))
	schema := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "v", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)
	for from := 0; from < updateRows; from += batchRows {
		builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		builder.Reserve(batchRows)
		for i := range batchRows {
			builder.Field(0).(*array.Int64Builder).UnsafeAppend(int64(from + i))
			builder.Field(1).(*array.Int64Builder).UnsafeAppend(rng.Int64N(1_000_000))
		}
		records = append(records, builder.NewRecord())
		builder.Release()
	}
	return records
}

// updateBeside runs an update and a copy of the column's bytes in turn.
func updateBeside(b *testing.B, records []arrow.Record, table *arrow.Schema, when, set string, mem memory.Allocator) {
	var action kernel.Action
	var err error
	if when != "" {
		if action.When, err = kernel.ParseCondition(when, table, nil); err != nil {
			b.Fatal(err)
		}
	}
	assignment, err := kernel.ParseAssignment(set, table, nil)
	if err != nil {
		b.Fatal(err)
	}
	action.Set = []kernel.Assignment{assignment}
	u, err := kernel.CompileUpdate(kernel.Table{Schema: table}, nil, action)
	if err != nil {
		b.Fatal(err)
	}
	ranges := []kernel.RowRange{{Rows: updateRows, Files: []kernel.ColumnFile{{Open: func(context.Context) (array.RecordReader, error) {
		return array.NewRecordReader(table, records)
	}}}}}
	once := func() {
		_, err := u.Run(context.Background(), ranges, nil, func(_ *kernel.RowRange, columns *kernel.UpdateReader) error {
			for columns.Next() {
			}
			return nil
		}, kernel.UpdateOptions{Allocator: mem})
		if err != nil {
			b.Fatal(err)
		}
	}
	copied := make([]int64, updateRows)
	warmUp(once)
	copyColumn(copied, records)
	var updating, copying int64
	for b.Loop() {
		start := cpuTime()
		once()
		middle := cpuTime()
		copyColumn(copied, records)
		updating += middle - start
		copying += cpuTime() - middle
	}
	perRow := func(ns int64) float64 { return float64(ns) / float64(b.N) / updateRows }
	b.ReportMetric(perRow(updating), "cpu-ns/row")
	b.ReportMetric(perRow(copying), "copy-ns/row")
	b.ReportMetric(float64(copying)/float64(updating), "of-copy")
	b.SetBytes(8 * updateRows)
}

// copyColumn copies the values of v.
func copyColumn(to []int64, records []arrow.Record) {
	for _, rec := range records {
		from := rec.Column(1).(*array.Int64).Int64Values()
		copy(to, from)
		to = to[len(from):]
	}
}
