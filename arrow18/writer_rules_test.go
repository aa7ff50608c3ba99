package arrow18_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
)

// counted is a record of rows numbered from first, in columns of several kinds.
func counted(mem memory.Allocator, first, rows int) arrow.Record {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64, Metadata: arrow.NewMetadata([]string{"PARQUET:field_id"}, []string{"17"})},
		{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "tags", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(mem, schema)
	defer b.Release()
	for i := first; i < first+rows; i++ {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		if i%3 == 0 {
			b.Field(1).AppendNull()
		} else {
			b.Field(1).(*array.StringBuilder).Append(fmt.Sprint("name ", i))
		}
		l := b.Field(2).(*array.ListBuilder)
		l.Append(true)
		for k := range i % 4 {
			l.ValueBuilder().(*array.Int32Builder).Append(int32(i + k))
		}
	}
	return b.NewRecord()
}

func parquetInfo(t testing.TB, b []byte) *arrow18.ParquetInfo {
	t.Helper()
	info, err := arrow18.ReadParquetInfo(onDisk(t, b))
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// TestRowGroups writes batches of one size into row groups of another: every row is in its place, and every row group but
// the last is full.
func TestRowGroups(t *testing.T) {
	for _, batch := range []int{1, 7, 100} {
		for _, group := range []int64{1, 7, 64, 1000} {
			mem, _ := checked(t)
			var recs []arrow.Record
			for first := 0; first < 100; first += batch {
				recs = append(recs, counted(mem, first, min(batch, 100-first)))
			}
			empty := counted(mem, 0, 0)
			b := encode(t, empty.Schema(), arrow18.WriteOptions{RowGroupRows: group, Allocator: mem}, append(recs, empty)...)
			groups := parquetInfo(t, b).RowGroups
			for i, g := range groups {
				if want := min(group, 100-int64(i)*group); g.Rows != want {
					t.Errorf("batches of %d, row group %d: %d rows, want %d", batch, i, g.Rows, want)
				}
			}
			schema, read := decode(t, b, arrow18.ReadOptions{Allocator: mem})
			got, want := together(t, mem, schema, read), counted(mem, 0, 100)
			if !sameValues(got, want) {
				t.Errorf("batches of %d, row groups of %d: got %v", batch, group, got)
			}
			for _, r := range append(recs, empty, got, want) {
				r.Release()
			}
		}
	}
}

// sameValues compares records whatever their field metadata.
func sameValues(a, b arrow.Record) bool {
	if a.NumRows() != b.NumRows() || a.NumCols() != b.NumCols() {
		return false
	}
	for i := range a.Columns() {
		if a.ColumnName(i) != b.ColumnName(i) || !array.Equal(a.Column(i), b.Column(i)) {
			return false
		}
	}
	return true
}

func TestWriteCompression(t *testing.T) {
	for name, want := range map[string]string{"": "ZSTD", "zstd": "ZSTD", "snappy": "SNAPPY", "gzip": "GZIP", "brotli": "BROTLI", "lz4": "LZ4_RAW", "none": "UNCOMPRESSED"} {
		for _, level := range []int{0, 3} {
			mem, _ := checked(t)
			rec := counted(mem, 0, 3000)
			b := encode(t, rec.Schema(), arrow18.WriteOptions{Compression: name, Level: level, Allocator: mem}, rec)
			if got := parquetInfo(t, b).RowGroups[0].Columns[0].Compression; got != want {
				t.Errorf("%q: compression %s, want %s", name, got, want)
			}
			schema, recs := decode(t, b, arrow18.ReadOptions{Allocator: mem})
			got := together(t, mem, schema, recs)
			if !sameValues(got, rec) {
				t.Errorf("%q: other values", name)
			}
			got.Release()
			rec.Release()
		}
	}
	_, err := arrow18.NewParquetWriter(&bytes.Buffer{}, arrow.NewSchema(nil, nil), arrow18.WriteOptions{Compression: "lzo"})
	if !errors.Is(err, kernel.ErrOption) || !strings.Contains(err.Error(), "lzo") {
		t.Errorf("error %v", err)
	}
}

func TestWriteMetadata(t *testing.T) {
	mem, _ := checked(t)
	rec := counted(mem, 0, 5)
	defer rec.Release()
	meta := arrow.NewMetadata([]string{"paimon.table"}, []string{"flights"})
	schema := arrow.NewSchema(rec.Schema().Fields(), &meta)
	b := encode(t, schema, arrow18.WriteOptions{Allocator: mem}, rec)
	got, recs := decode(t, b, arrow18.ReadOptions{Allocator: mem})
	for _, r := range recs {
		r.Release()
	}
	if !got.Metadata().Equal(meta) {
		t.Errorf("schema metadata %v", got.Metadata())
	}
	if id := got.Field(0).Metadata.Values(); len(id) != 1 || id[0] != "17" || got.Field(0).Nullable {
		t.Errorf("field %v", got.Field(0))
	}
	if i := parquetInfo(t, b).Metadata.FindKey("paimon.table"); i < 0 {
		t.Error("metadata is not in the file")
	}
}

func TestWriteWithoutSchema(t *testing.T) {
	mem, _ := checked(t)
	a := layouts[29].build17(t, mem) // large utf8
	defer a.Release()
	rec := one(a)
	defer rec.Release()
	for without, want := range map[bool]arrow.Type{false: arrow.LARGE_STRING, true: arrow.STRING} {
		schema, recs := decode(t, encode(t, rec.Schema(), arrow18.WriteOptions{WithoutSchema: without, Allocator: mem}, rec), arrow18.ReadOptions{Allocator: mem})
		recs[0].Release()
		if schema.Field(0).Type.ID() != want {
			t.Errorf("without schema %v: %v", without, schema.Field(0))
		}
	}
}

// TestWriteNothing: a file of no rows has a schema and can be read, written with and without an empty record.
func TestWriteNothing(t *testing.T) {
	mem, _ := checked(t)
	empty := counted(mem, 0, 0)
	defer empty.Release()
	for _, recs := range [][]arrow.Record{nil, {empty}} {
		b := encode(t, empty.Schema(), arrow18.WriteOptions{Allocator: mem}, recs...)
		schema, got := decode(t, b, arrow18.ReadOptions{Allocator: mem})
		if len(got) != 0 || schema.NumFields() != 3 || len(parquetInfo(t, b).RowGroups) != 0 {
			t.Errorf("%d records, schema %v", len(got), schema)
		}
	}
}

// failing is a writer that fails after a number of bytes, by an error, a short write or a panic.
type failing struct {
	left int
	how  string
}

var errFull = errors.New("disk is full")

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left >= 0 {
		return len(b), nil
	}
	switch f.how {
	case "panic":
		panic("writer gone")
	case "short":
		return len(b) - 1, nil
	}
	return 0, errFull
}

func TestWriterFails(t *testing.T) {
	for _, how := range []string{"error", "short", "panic"} {
		mem, _ := checked(t)
		rec := counted(mem, 0, 50)
		size := len(encode(t, rec.Schema(), arrow18.WriteOptions{RowGroupRows: 10, Allocator: mem}, rec))
		for after := 0; after < size; after += 41 {
			w, err := arrow18.NewParquetWriter(&failing{after, how}, rec.Schema(), arrow18.WriteOptions{RowGroupRows: 10, Allocator: mem})
			if err == nil {
				err = w.Write(rec)
				if closed := w.Close(); err == nil {
					err = closed
				} else if closed != err {
					t.Fatalf("%s after %d bytes: Close says %v, Write %v", how, after, closed, err)
				}
			}
			if err == nil || how == "error" && !errors.Is(err, errFull) || how == "panic" && !strings.Contains(err.Error(), "writer gone") {
				t.Fatalf("%s after %d of %d bytes: error %v", how, after, size, err)
			}
		}
		rec.Release()
	}
}

// TestWriteError: after an error nothing more is written, so that no file of fewer rows looks complete.
func TestWriteError(t *testing.T) {
	mem, _ := checked(t)
	good := counted(mem, 0, 20)
	defer good.Release()
	var out bytes.Buffer
	w, err := arrow18.NewParquetWriter(&out, good.Schema(), arrow18.WriteOptions{RowGroupRows: 5, Allocator: mem})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(good); err != nil {
		t.Fatal(err)
	}
	size := out.Len()
	other := layouts[4].build17(t, mem)
	bad := one(other)
	other.Release()
	err = w.Write(bad)
	bad.Release()
	if !errors.Is(err, columnar.ErrSchema) {
		t.Errorf("error %v", err)
	}
	if again := w.Write(good); again != err {
		t.Errorf("second error %v", again)
	}
	if closed := w.Close(); closed != err {
		t.Errorf("Close says %v", closed)
	}
	if out.Len() != size {
		t.Errorf("%d bytes were written after the error", out.Len()-size)
	}
	if _, err := arrow18.NewParquetReader(context.Background(), "out", bytes.NewReader(out.Bytes()), int64(out.Len()), arrow18.ReadOptions{}); !errors.Is(err, columnar.ErrCorrupt) {
		t.Errorf("what was written reads with error %v", err)
	}
}

func TestWriteAfterClose(t *testing.T) {
	mem, _ := checked(t)
	rec := counted(mem, 0, 3)
	defer rec.Release()
	w, err := arrow18.NewParquetWriter(&bytes.Buffer{}, rec.Schema(), arrow18.WriteOptions{Allocator: mem})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Write(rec) == nil {
		t.Error("write after Close")
	}
	if err := w.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

// TestWriteNotNull writes NULLs where the schema has none, at every depth.
func TestWriteNotNull(t *testing.T) {
	i32 := arrow.PrimitiveTypes.Int32
	item := arrow.Field{Name: "item", Type: i32}
	cases := []struct {
		path     string
		field    arrow.Field
		nullable arrow.DataType // the same, for the builder
		values   string
		bad      bool
	}{
		{"c", arrow.Field{Name: "c", Type: i32}, i32, `[1, null]`, true},
		{"c", arrow.Field{Name: "c", Type: i32}, i32, `[1, 2]`, false},
		{"c.a", arrow.Field{Name: "c", Type: arrow.StructOf(arrow.Field{Name: "a", Type: i32}), Nullable: true}, arrow.StructOf(arrow.Field{Name: "a", Type: i32, Nullable: true}), `[{"a": 1}, {"a": null}]`, true},
		{"c.a", arrow.Field{Name: "c", Type: arrow.StructOf(arrow.Field{Name: "a", Type: i32}), Nullable: true}, arrow.StructOf(arrow.Field{Name: "a", Type: i32, Nullable: true}), `[{"a": 1}, null]`, false},
		{"c.item", arrow.Field{Name: "c", Type: arrow.ListOfField(item), Nullable: true}, arrow.ListOf(i32), `[[1], null, [2, null]]`, true},
		{"c.item", arrow.Field{Name: "c", Type: arrow.ListOfField(item), Nullable: true}, arrow.ListOf(i32), `[[1], null, [2, 3]]`, false},
		{"c.item", arrow.Field{Name: "c", Type: arrow.FixedSizeListOfField(2, item), Nullable: true}, arrow.FixedSizeListOf(2, i32), `[[1, 2], null, [3, 4]]`, false},
		{"c.item", arrow.Field{Name: "c", Type: arrow.FixedSizeListOfField(2, item), Nullable: true}, arrow.FixedSizeListOf(2, i32), `[[1, 2], null, [3, null]]`, true},
	}
	for _, c := range cases {
		mem, _ := checked(t)
		built := layout{name: c.path, v17: c.nullable, values: c.values}.build17(t, mem)
		data := retyped(built.Data(), c.field.Type)
		a := array.MakeFromData(data)
		rec := array.NewRecord(arrow.NewSchema([]arrow.Field{c.field}, nil), []arrow.Array{a}, int64(a.Len()))
		w, err := arrow18.NewParquetWriter(&bytes.Buffer{}, rec.Schema(), arrow18.WriteOptions{Allocator: mem})
		if err != nil {
			t.Fatal(err)
		}
		err = w.Write(rec)
		if closed := w.Close(); err == nil {
			err = closed
		}
		if got := errors.Is(err, kernel.ErrNotNull); got != c.bad || got && !strings.Contains(err.Error(), `"`+c.path+`"`) || !got && err != nil {
			t.Errorf("%s: error %v", c.values, err)
		}
		built.Release()
		data.Release()
		a.Release()
		rec.Release()
	}
}

func TestWriteDate64(t *testing.T) {
	for _, ms := range []int64{1, -1, 86_400_001, 86_400_000 * (1 << 32)} {
		mem, _ := checked(t)
		b := array.NewDate64Builder(mem)
		b.Append(arrow.Date64(ms))
		a := b.NewArray()
		rec := one(a)
		w, err := arrow18.NewParquetWriter(&bytes.Buffer{}, rec.Schema(), arrow18.WriteOptions{Allocator: mem})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(rec); !errors.Is(err, columnar.ErrTooLarge) {
			t.Errorf("%d: error %v", ms, err)
		}
		for _, r := range []interface{ Release() }{a, b, rec} {
			r.Release()
		}
	}
}

// TestWriteDictionaries writes batches whose dictionaries differ, repeat values and hold NULLs, over all kinds of values.
func TestWriteDictionaries(t *testing.T) {
	mem, _ := checked(t)
	values := func(dt arrow.DataType, json string) arrow.Array {
		return layout{name: "values", v17: dt, values: json}.build17(t, mem)
	}
	utf8, large := arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString
	cases := []struct {
		dt      arrow.DataType
		batches []string // dictionaries
		wanted  string
	}{
		{utf8, []string{`["a", "b", "c"]`, `["a", "b", "c"]`}, `["b", null, "c", "a", "b", null, "c", "a"]`},
		{utf8, []string{`["a", "b", "c"]`, `["x", "y", "z"]`}, `["b", null, "c", "a", "y", null, "z", "x"]`},
		{utf8, []string{`["a", "b", "a"]`, `["a", "a", "a"]`}, `["b", null, "a", "a", "a", null, "a", "a"]`},
		{utf8, []string{`["a", null, "c"]`}, `[null, null, "c", "a"]`},
		{large, []string{`["a", "b", "c"]`, `["x", "y", "z"]`}, `["b", null, "c", "a", "y", null, "z", "x"]`},
		{arrow.BinaryTypes.Binary, []string{`["YQ==", "Yg==", "Yw=="]`}, `["Yg==", null, "Yw==", "YQ=="]`},
		{arrow.PrimitiveTypes.Int64, []string{`[1, 2, 3]`, `[4, 5, 6]`}, `[2, null, 3, 1, 5, null, 6, 4]`},
		{arrow.PrimitiveTypes.Int8, []string{`[1, 2, 3]`}, `[2, null, 3, 1]`},
		{arrow.PrimitiveTypes.Float64, []string{`[1.5, 2, 3]`}, `[2, null, 3, 1.5]`},
		{arrow.FixedWidthTypes.Boolean, []string{`[true, false, true]`}, `[false, null, true, true]`},
		{arrow.PrimitiveTypes.Date32, []string{`["2020-01-01", "2020-01-02", "2020-01-03"]`}, `["2020-01-02", null, "2020-01-03", "2020-01-01"]`},
		{&arrow.TimestampType{Unit: arrow.Microsecond}, []string{`[1, 2, 3]`}, `[2, null, 3, 1]`},
		{&arrow.Decimal128Type{Precision: 10, Scale: 1}, []string{`["1.5", "2.0", "3.0"]`}, `["2.0", null, "3.0", "1.5"]`},
		{&arrow.Decimal128Type{Precision: 30, Scale: 1}, []string{`["1.5", "2.0", "3.0"]`}, `["2.0", null, "3.0", "1.5"]`},
		{&arrow.FixedSizeBinaryType{ByteWidth: 2}, []string{`["YWE=", "YmI=", "Y2M="]`}, `["YmI=", null, "Y2M=", "YWE="]`},
	}
	for _, c := range cases {
		for _, index := range []arrow.DataType{arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Int64} {
			dt := &arrow.DictionaryType{IndexType: index, ValueType: c.dt}
			var recs []arrow.Record
			for _, json := range c.batches {
				dictionary, indices := values(c.dt, json), values(index, `[1, null, 2, 0]`)
				a := array.NewDictionaryArray(dt, indices, dictionary)
				recs = append(recs, one(a))
				for _, r := range []arrow.Array{dictionary, indices, a} {
					r.Release()
				}
			}
			schema, read := decode(t, encode(t, recs[0].Schema(), arrow18.WriteOptions{Allocator: mem}, recs...), arrow18.ReadOptions{Allocator: mem})
			var got []string
			for _, r := range read {
				for i := range int(r.NumRows()) {
					got = append(got, valueAt(r.Column(0), i))
				}
				r.Release()
			}
			wanted := values(c.dt, c.wanted)
			var want []string
			for i := range wanted.Len() {
				want = append(want, valueAt(wanted, i))
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, indices %s: got %v, want %v (%v)", c.dt, index, got, want, schema.Field(0))
			}
			wanted.Release()
			for _, r := range recs {
				r.Release()
			}
		}
	}
}

// valueAt prints a value, through a dictionary.
func valueAt(a arrow.Array, i int) string {
	if d, ok := a.(*array.Dictionary); ok && d.IsValid(i) {
		return valueAt(d.Dictionary(), d.GetValueIndex(i))
	}
	return a.ValueStr(i)
}

func TestWriteBadIndex(t *testing.T) {
	mem, _ := checked(t)
	dictionary, indices := layouts[27].build17(t, mem), layout{name: "indices", v17: arrow.PrimitiveTypes.Int8, values: `[0, 9]`}.build17(t, mem)
	a := array.NewDictionaryArray(&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, indices, dictionary)
	rec := one(a)
	w, err := arrow18.NewParquetWriter(&bytes.Buffer{}, rec.Schema(), arrow18.WriteOptions{Allocator: mem})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(rec); !errors.Is(err, columnar.ErrCorrupt) || !strings.Contains(err.Error(), `column "c"`) {
		t.Errorf("error %v", err)
	}
	for _, r := range []interface{ Release() }{dictionary, indices, a, rec} {
		r.Release()
	}
}
