package kernel_test

import (
	"context"
	"errors"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// lyingReader gives one record, whatever its schema says.
type lyingReader struct {
	schema *arrow.Schema
	rec    arrow.Record
	given  bool
}

func (r *lyingReader) Retain()               {}
func (r *lyingReader) Release()              {}
func (r *lyingReader) Schema() *arrow.Schema { return r.schema }
func (r *lyingReader) Record() arrow.Record  { return r.rec }
func (r *lyingReader) Err() error            { return nil }
func (r *lyingReader) Next() bool {
	first := !r.given
	r.given = true
	return first
}

// TestLyingReaders merges the records of readers that are not as the readers' schemas say.
func TestLyingReaders(t *testing.T) {
	rows := arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: true})
	table := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "v", Type: rows, Nullable: true}}, nil)
	plan := compile(t, table, nil, "id")
	record := func(mem memory.Allocator, fields ...arrow.Field) arrow.Record {
		b := array.NewRecordBuilder(mem, arrow.NewSchema(fields, nil))
		defer b.Release()
		for _, f := range b.Fields() {
			f.AppendEmptyValue()
			f.AppendEmptyValue()
		}
		return b.NewRecord()
	}
	id := arrow.Field{Name: "id", Type: arrow.PrimitiveTypes.Int64}
	text := arrow.Field{Name: "v", Type: arrow.BinaryTypes.String}
	for _, c := range []struct {
		name string
		rec  func(memory.Allocator) arrow.Record
		kind error
	}{
		{"no record", func(memory.Allocator) arrow.Record { return nil }, kernel.ErrCorrupt},
		{"fewer columns", func(mem memory.Allocator) arrow.Record { return record(mem, id) }, kernel.ErrSchema},
		{"another type", func(mem memory.Allocator) arrow.Record { return record(mem, id, text) }, kernel.ErrSchema},
		{"a child of another type", func(mem memory.Allocator) arrow.Record {
			rec := record(mem, id, text)
			defer rec.Release()
			child := rec.Column(1).Data()
			data := array.NewData(rows, 2, []*memory.Buffer{nil}, []arrow.ArrayData{child}, 0, 0)
			defer data.Release()
			v := array.NewStructData(data)
			defer v.Release()
			return array.NewRecord(table, []arrow.Array{rec.Column(0), v}, 2)
		}, kernel.ErrCorrupt},
	} {
		t.Run(c.name, func(t *testing.T) {
			mem := checked(t)
			r := &lyingReader{schema: table, rec: c.rec(mem)}
			if r.rec != nil {
				defer r.rec.Release()
			}
			reader, err := plan.Merge(context.Background(), []kernel.Run{kernel.FromReader(r)}, kernel.WithAllocator(mem))
			if err == nil {
				defer reader.Release()
				for reader.Next() {
				}
				err = reader.Err()
			}
			if !errors.Is(err, c.kind) {
				t.Errorf("error %v, want %v", err, c.kind)
			}
		})
	}
}
