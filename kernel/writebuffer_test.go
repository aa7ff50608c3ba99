package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/kernel"
)

// writeTable is the table of these tests: k int, a int with a default, b text that is NOT NULL.
func writeTable() *arrow.Schema {
	meta := arrow.MetadataFrom(map[string]string{"paimon.default": "7"})
	return arrow.NewSchema([]arrow.Field{{Name: "k", Type: arrow.PrimitiveTypes.Int32},
		{Name: "a", Type: arrow.PrimitiveTypes.Int32, Nullable: true, Metadata: meta},
		{Name: "b", Type: arrow.BinaryTypes.String}}, nil)
}

// writeBuffer makes a buffer of the table with some options.
func writeBuffer(t *testing.T, mem memory.Allocator, options map[string]string) *kernel.WriteBuffer {
	t.Helper()
	o, err := kernel.ParseOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := kernel.Compile(kernel.Table{Schema: writeTable(), PrimaryKey: []string{"k"}}, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := plan.NewWriteBuffer(100, mem)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// addRows adds a record of JSON rows, which may have row kinds.
func addRows(t *testing.T, mem memory.Allocator, b *kernel.WriteBuffer, json string) error {
	t.Helper()
	fields := append([]arrow.Field{}, writeTable().Fields()...)
	if strings.Contains(json, kernel.KindColumn) {
		fields = append(fields, arrow.Field{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8})
	}
	for i := range fields {
		fields[i].Nullable = true // of the JSON, which then may leave it out
	}
	rec, _, err := array.RecordFromJSON(mem, arrow.NewSchema(fields, nil), strings.NewReader(json))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Release()
	return b.Add(rec)
}

// flush shows the run that the buffer makes: sequence number, kind, k, a and b of every row.
func flush(t *testing.T, b *kernel.WriteBuffer) (string, error) {
	t.Helper()
	r, err := b.Flush(context.Background())
	if err != nil {
		return "", err
	}
	defer r.Release()
	var s strings.Builder
	for r.Next() {
		rec := r.Record()
		for row := range int(rec.NumRows()) {
			for i := 1; i < int(rec.NumCols()); i++ {
				fmt.Fprintf(&s, "%s ", rec.Column(i).ValueStr(row))
			}
			s.WriteString("| ")
		}
	}
	return s.String(), r.Err()
}

func TestWriteBuffer(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	b := writeBuffer(t, mem, map[string]string{"merge-engine": "deduplicate", "ignore-update-before": "true"})
	defer b.Release()
	for range 2 {
		first := b.NextSequence()
		for _, rows := range []string{
			`[{"k":3,"a":1,"b":"x"},{"k":1,"b":"y"}]`,
			`[]`,
			`[{"k":3,"a":2,"b":"z","_VALUE_KIND":1},{"k":2,"b":"w","_VALUE_KIND":3},{"k":3,"a":3,"b":"v","_VALUE_KIND":2}]`,
		} {
			if err := addRows(t, mem, b, rows); err != nil {
				t.Fatal(err)
			}
		}
		if b.Rows() != 4 || b.NextSequence() != first+4 {
			t.Errorf("%d rows, next number %d", b.Rows(), b.NextSequence())
		}
		got, err := flush(t, b)
		if want := fmt.Sprintf("%d 0 1 7 y | %d 3 2 7 w | %d 2 3 3 v | ", first+1, first+2, first+3); got != want || err != nil {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
	if got, err := flush(t, b); got != "" || err != nil {
		t.Errorf("an empty buffer gives %q, %v", got, err)
	}
}

// TestWriteBufferPlaces holds that errors name the record and the row that was added, also where short records were joined.
func TestWriteBufferPlaces(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	for _, records := range []int{3, 40} {
		b := writeBuffer(t, mem, map[string]string{"merge-engine": "first-row"})
		for i := range records {
			kind := ""
			if i == records-2 {
				kind = `,"_VALUE_KIND":3`
			}
			rows := fmt.Sprintf(`[{"k":2,"b":"x"},{"k":%d,"b":"y"%s}]`, 5+i, kind)
			if kind != "" {
				rows = fmt.Sprintf(`[{"k":9,"b":"x","_VALUE_KIND":0},{"k":2,"b":"y"%s}]`, kind)
			}
			if err := addRows(t, mem, b, rows); err != nil {
				t.Fatal(err)
			}
		}
		_, err := flush(t, b)
		wantPlace(t, err, kernel.ErrRetract, kernel.RowError{Batch: records - 2, Row: 1, Key: "(2)"})
		b.Release()
	}
}

func wantPlace(t *testing.T, err, kind error, want kernel.RowError) {
	t.Helper()
	var at *kernel.RowError
	if !errors.Is(err, kind) || !errors.As(err, &at) {
		t.Errorf("%v, want %v", err, kind)
		return
	}
	if got := (kernel.RowError{Run: at.Run, Batch: at.Batch, Row: at.Row, Column: at.Column, Key: at.Key}); got != want {
		t.Errorf("%v is at %+v, want %+v", err, got, want)
	}
}

// TestWriteBufferRefuses adds rows that are wrong, after which the buffer goes on as if they had not come.
func TestWriteBufferRefuses(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	b := writeBuffer(t, mem, nil)
	defer b.Release()
	if err := addRows(t, mem, b, `[{"k":1,"a":1,"b":"x"}]`); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rows string
		kind error
		at   kernel.RowError
	}{
		{`[{"k":3,"b":"x"},{"k":4}]`, kernel.ErrNotNull, kernel.RowError{Batch: 1, Row: 1, Column: "b", Key: "(4)"}},
		{`[{"k":3,"b":"x"},{"b":"y"},{"k":4}]`, kernel.ErrNotNull, kernel.RowError{Batch: 1, Row: 1, Column: "k", Key: "(NULL)"}},
		{`[{"k":3,"b":"x","_VALUE_KIND":4}]`, kernel.ErrRowKind, kernel.RowError{Batch: 1, Column: kernel.KindColumn, Key: "(3)"}},
		{`[{"k":3,"b":"x","_VALUE_KIND":null}]`, kernel.ErrRowKind, kernel.RowError{Batch: 1, Column: kernel.KindColumn, Key: "(3)"}},
		{`[{"k":3,"_VALUE_KIND":4}]`, kernel.ErrNotNull, kernel.RowError{Batch: 1, Column: "b", Key: "(3)"}},
	} {
		wantPlace(t, addRows(t, mem, b, c.rows), c.kind, c.at)
	}
	for _, fields := range [][]arrow.Field{
		writeTable().Fields()[:2],
		append(writeTable().Fields()[:2:2], arrow.Field{Name: "b", Type: arrow.BinaryTypes.Binary}),
		append(writeTable().Fields(), arrow.Field{Name: "b", Type: arrow.BinaryTypes.String}),
		append(writeTable().Fields(), arrow.Field{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int32}),
	} {
		rb := array.NewRecordBuilder(mem, arrow.NewSchema(fields, nil))
		rec := rb.NewRecord()
		if err := b.Add(rec); !errors.Is(err, kernel.ErrSchema) {
			t.Errorf("%v: %v", fields, err)
		}
		rec.Release()
		rb.Release()
	}
	if got, err := flush(t, b); got != "100 0 1 1 x | " || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// TestWriteBufferForged adds a column whose offsets leave its bytes.
func TestWriteBufferForged(t *testing.T) {
	b := writeBuffer(t, memory.DefaultAllocator, nil)
	defer b.Release()
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, writeTable(), strings.NewReader(`[{"k":1,"b":"x"}]`))
	if err != nil {
		t.Fatal(err)
	}
	copy(rec.Column(2).Data().Buffers()[1].Bytes(), []byte{0, 0, 0, 0, 0, 0, 0, 1})
	err = b.Add(rec)
	wantPlace(t, err, kernel.ErrCorrupt, kernel.RowError{Row: -1, Column: "b"})
}

// TestWriteBufferNeedsDefaults refuses a default that is no value of its column.
func TestWriteBufferNeedsDefaults(t *testing.T) {
	fields := writeTable().Fields()
	fields[1].Metadata = arrow.MetadataFrom(map[string]string{"paimon.default": "seven"})
	plan, err := kernel.Compile(kernel.Table{Schema: arrow.NewSchema(fields, nil), PrimaryKey: []string{"k"}}, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.NewWriteBuffer(0, memory.DefaultAllocator); !errors.Is(err, kernel.ErrSchema) {
		t.Error(err)
	}
}

// TestWriteBufferOptions takes the options of a merge, and leaves the buffer as it was where one is wrong.
func TestWriteBufferOptions(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	b := writeBuffer(t, mem, nil)
	defer b.Release()
	if err := addRows(t, mem, b, `[{"k":2,"b":"x"},{"k":1,"b":"y"}]`); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Flush(context.Background(), kernel.WithBatchRows(0)); !errors.Is(err, kernel.ErrOption) || b.Rows() != 2 {
		t.Errorf("%v, %d rows", err, b.Rows())
	}
	r, err := b.Flush(context.Background(), kernel.WithBatchRows(1), kernel.WithProjection("b"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	records := 0
	for r.Next() {
		if r.Record().NumRows() != 1 || r.Record().NumCols() != 4 {
			t.Error(r.Record())
		}
		records++
	}
	if records != 2 || r.Err() != nil {
		t.Error(records, r.Err())
	}
}

// BenchmarkWriteBuffer writes a quarter of a million rows of an int64 key in random order, a float and a text of eight bytes.
func BenchmarkWriteBuffer(b *testing.B) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "k", Type: arrow.PrimitiveTypes.Int64},
		{Name: "v", Type: arrow.PrimitiveTypes.Float64, Nullable: true}, {Name: "s", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	plan, err := kernel.Compile(kernel.Table{Schema: schema, PrimaryKey: []string{"k"}}, kernel.Options{})
	if err != nil {
		b.Fatal(err)
	}
	const rows = 1 << 18
	for _, batch := range []int{1 << 10, 1 << 14} {
		rng := rand.New(rand.NewPCG(1, 71))
		var records []arrow.Record
		builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for range rows / batch {
			for range batch {
				builder.Field(0).(*array.Int64Builder).Append(int64(rng.Uint64() >> 20))
				builder.Field(1).(*array.Float64Builder).Append(rng.Float64())
				builder.Field(2).(*array.StringBuilder).Append(fmt.Sprintf("%08x", rng.Uint32()))
			}
			records = append(records, builder.NewRecord())
		}
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			for range b.N {
				w, err := plan.NewWriteBuffer(0, memory.DefaultAllocator)
				if err != nil {
					b.Fatal(err)
				}
				for _, rec := range records {
					if err := w.Add(rec); err != nil {
						b.Fatal(err)
					}
				}
				r, err := w.Flush(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				got := int64(0)
				for r.Next() {
					got += r.Record().NumRows()
				}
				if got != rows || r.Err() != nil {
					b.Fatal(got, r.Err())
				}
				r.Release()
				w.Release()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}
