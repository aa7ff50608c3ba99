package kernel_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// TestMixedColumns merges thirty columns by partial-update that have, in every run, values or NULLs or both, so that columns that
// share where their results come from are among others, of which there are more than are brought into merged order at once.
func TestMixedColumns(t *testing.T) {
	const columns, runs, ids = 30, 4, 700
	for seed := range uint64(8) {
		mem := checked(t)
		rng := rand.New(rand.NewPCG(seed, 30))
		fields := []arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}}
		for i := range columns {
			fields = append(fields, arrow.Field{Name: fmt.Sprint("c", i), Type: arrow.PrimitiveTypes.Int64, Nullable: true})
		}
		schema := arrow.NewSchema(fields, nil)
		want := map[int64][]int64{} // by id and column, 0 for NULL
		var in []kernel.Run
		for number := range int64(runs) {
			in = append(in, mixedRun(t, rng, mem, schema, number, ids, want))
		}
		plan := compile(t, schema, map[string]string{"merge-engine": "partial-update"}, "id")
		project := rng.Perm(columns)[:1+rng.IntN(columns)]
		names := []string{"id"}
		for _, c := range project {
			names = append(names, fields[1+c].Name)
		}
		reader, err := plan.Merge(context.Background(), in, kernel.WithAllocator(mem), kernel.WithProjection(names...), kernel.WithBatchRows(64+rng.IntN(1000)))
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for ; reader.Next(); rows += int(reader.Record().NumRows()) {
			rec := reader.Record()
			for i, id := range rec.Column(0).(*array.Int64).Int64Values() {
				for at, c := range project {
					column, value := rec.Column(1+at).(*array.Int64), int64(0)
					if column.IsValid(i) {
						value = column.Value(i)
					}
					if value != want[id][c] {
						t.Fatalf("seed %d: column %d of id %d is %d, want %d", seed, c, id, value, want[id][c])
					}
				}
			}
		}
		if err := reader.Err(); err != nil || rows != len(want) {
			t.Fatalf("seed %d: %d rows, %v, want %d", seed, rows, err, len(want))
		}
		reader.Release()
	}
}

// mixedRun makes a run of random ids and notes its values, which are not 0, in want.
func mixedRun(t *testing.T, rng *rand.Rand, mem memory.Allocator, schema *arrow.Schema, number int64, ids int, want map[int64][]int64) kernel.Run {
	var keys []int64
	for id := range ids {
		if rng.IntN(3) > 0 {
			keys = append(keys, int64(id))
		}
	}
	nulls := make([]float64, schema.NumFields())
	for c := range nulls {
		nulls[c] = []float64{0, 1, 0.5, 0.9}[rng.IntN(4)]
	}
	var records []arrow.Record
	for part := range slices.Chunk(keys, 1+rng.IntN(len(keys))) {
		b := array.NewRecordBuilder(mem, schema)
		for _, id := range part {
			b.Field(0).(*array.Int64Builder).Append(id)
			if want[id] == nil {
				want[id] = make([]int64, schema.NumFields()-1)
			}
			for c := 1; c < schema.NumFields(); c++ {
				if rng.Float64() < nulls[c] {
					b.Field(c).AppendNull()
					continue
				}
				want[id][c-1] = number<<40 | id<<8 | int64(c)
				b.Field(c).(*array.Int64Builder).Append(want[id][c-1])
			}
		}
		records = append(records, b.NewRecord())
		b.Release()
		t.Cleanup(records[len(records)-1].Release)
	}
	return kernel.FromRecords(records...)
}
