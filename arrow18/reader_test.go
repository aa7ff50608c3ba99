package arrow18_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/kernel"
)

func names(s *arrow.Schema) (out []string) {
	for _, f := range s.Fields() {
		out = append(out, f.Name)
	}
	return out
}

func TestReadColumns(t *testing.T) {
	mem, _ := checked(t)
	r, err := arrow18.OpenParquet(context.Background(), fixture("byte_stream_split"), arrow18.ReadOptions{Columns: []string{"f64", "i32"}, Allocator: mem})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if got := names(r.Schema()); !slices.Equal(got, []string{"f64", "i32"}) {
		t.Errorf("columns %v", got)
	}
	at := 0
	for r.Next() {
		n := int(r.Record().NumRows())
		for i, c := range []expected{numberColumns[3], numberColumns[0]} {
			want := c.build(t, mem, at, at+n)
			if !array.Equal(r.Record().Column(i), want) {
				t.Errorf("column %s: %v", c.name, r.Record().Column(i))
			}
			want.Release()
		}
		at += n
	}
	if at != 200 || r.Err() != nil {
		t.Errorf("%d rows, error %v", at, r.Err())
	}
}

func TestReadUnknownColumns(t *testing.T) {
	for _, c := range []struct {
		file    string
		columns []string
		says    string
	}{
		{"byte_stream_split", []string{"i32", "nope"}, `"nope"`},
		{"nested", []string{"structs.n"}, `"structs.n"`},
		{"same_names", []string{"a"}, `2 columns "a"`},
		{"fixed_lists", []string{"full", "deep", "full"}, `"full" asked for twice`},
	} {
		_, err := arrow18.OpenParquet(context.Background(), fixture(c.file), arrow18.ReadOptions{Columns: c.columns})
		if !errors.Is(err, columnar.ErrSchema) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.file) {
			t.Errorf("%v: error %v", c.columns, err)
		}
	}
}

// TestReadSameNames: columns of one name can be read, only not asked for.
func TestReadSameNames(t *testing.T) {
	mem, _ := checked(t)
	for _, columns := range [][]string{nil, {"b"}} {
		schema, recs := decode(t, readFixture(t, "same_names"), arrow18.ReadOptions{Columns: columns, Allocator: mem})
		if want := 3 - 2*len(columns); schema.NumFields() != want || len(recs) != 1 || recs[0].NumRows() != 2 {
			t.Errorf("columns %v: %v", columns, schema)
		}
		if last := recs[0].Column(schema.NumFields() - 1); columns == nil && last.ValueStr(1) != "2.5" {
			t.Errorf("last column %v", last)
		}
		recs[0].Release()
	}
}

func TestReadRowGroups(t *testing.T) {
	mem, _ := checked(t)
	b := readFixture(t, "delta_binary_packed") // row groups of 150, 150 and 100 rows
	for _, c := range []struct {
		groups []int
		starts []int // of the row groups read
	}{{[]int{1}, []int{150}}, {[]int{2, 0}, []int{300, 0}}, {[]int{1, 1}, []int{150, 150}}, {[]int{}, nil}} {
		r, err := arrow18.NewParquetReader(context.Background(), "f", bytes.NewReader(b), int64(len(b)), arrow18.ReadOptions{RowGroups: c.groups, Allocator: mem})
		if err != nil {
			t.Fatal(err)
		}
		rows, at := int64(0), 0
		for r.Next() {
			n := int(r.Record().NumRows())
			want := numberColumns[1].build(t, mem, c.starts[at], c.starts[at]+n)
			if !array.Equal(r.Record().Column(1), want) {
				t.Errorf("row groups %v, record %d: %v", c.groups, at, r.Record().Column(1))
			}
			want.Release()
			rows, at = rows+int64(n), at+1
		}
		if rows != r.NumRows() || at != len(c.starts) || r.Err() != nil {
			t.Errorf("row groups %v: %d rows of %d, error %v", c.groups, rows, r.NumRows(), r.Err())
		}
		r.Release()
	}
	for _, g := range []int{-1, 3} {
		_, err := arrow18.NewParquetReader(context.Background(), "f", bytes.NewReader(b), int64(len(b)), arrow18.ReadOptions{RowGroups: []int{g}})
		if !errors.Is(err, kernel.ErrOption) {
			t.Errorf("row group %d: error %v", g, err)
		}
	}
}

func TestFieldIDs(t *testing.T) {
	schema, recs := decode(t, readFixture(t, "field_ids"), arrow18.ReadOptions{})
	for _, r := range recs {
		r.Release()
	}
	id := func(f arrow.Field) string {
		v, _ := f.Metadata.GetValue("PARQUET:field_id")
		return v
	}
	if a, s := schema.Field(0), schema.Field(1); id(a) != "3" || a.Nullable || id(s) != "-1" || id(s.Type.(*arrow.StructType).Field(0)) != "5" {
		t.Errorf("schema %v", schema)
	}
}

// TestRecordOutlivesReader keeps one record, and one column of another, after the reader is gone.
func TestRecordOutlivesReader(t *testing.T) {
	mem, _ := checked(t)
	r, err := arrow18.OpenParquet(context.Background(), fixture("nested"), arrow18.ReadOptions{BatchRows: 10, Allocator: poisoned{mem}})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Next() {
		t.Fatal(r.Err())
	}
	rec := r.Record()
	rec.Retain()
	if !r.Next() {
		t.Fatal(r.Err())
	}
	column := r.Record().Column(1)
	column.Retain()
	r.Retain()
	r.Release()
	if r.Record() == nil {
		t.Error("the record in hand is gone while the reader is held")
	}
	r.Release()
	for i, c := range nestedColumns {
		want := c.build(t, mem, 0, 10)
		if !array.Equal(rec.Column(i), want) {
			t.Errorf("column %s: %v", c.name, rec.Column(i))
		}
		want.Release()
	}
	want := nestedColumns[1].build(t, mem, 10, 20)
	if !array.Equal(column, want) {
		t.Errorf("column %v", column)
	}
	for _, r := range []interface{ Release() }{rec, column, want} {
		r.Release()
	}
}

func TestReleaseClosesFile(t *testing.T) {
	r, err := arrow18.OpenParquet(context.Background(), fixture("codec_zstd"), arrow18.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := openFiles(t)
	r.Next()
	r.Release()
	if after := openFiles(t); after != before-1 {
		t.Errorf("%d files open before, %d after", before, after)
	}
	if _, err := arrow18.OpenParquet(context.Background(), fixture("codec_zstd"), arrow18.ReadOptions{Columns: []string{"nope"}}); err == nil || openFiles(t) != before-1 {
		t.Errorf("a file is left open by error %v", err)
	}
}

func openFiles(t *testing.T) int {
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not list open files")
	}
	return len(all)
}

func TestOpenErrors(t *testing.T) {
	if _, err := arrow18.OpenParquet(context.Background(), fixture("nope"), arrow18.ReadOptions{}); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "nope") {
		t.Errorf("error %v", err)
	}
	if _, err := arrow18.OpenParquet(context.Background(), "testdata", arrow18.ReadOptions{}); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("error %v", err)
	}
	for text, kind := range map[string]error{"": columnar.ErrCorrupt, "PAR1": columnar.ErrCorrupt, "id,name\n1,one\n": columnar.ErrCorrupt, "PAR1\x00\x00\x00\x00PARE": errors.ErrUnsupported} {
		path := onDisk(t, []byte(text))
		if _, err := arrow18.OpenParquet(context.Background(), path, arrow18.ReadOptions{}); !errors.Is(err, kind) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// flaky fails every read that goes beyond an offset.
type flaky struct {
	io.ReaderAt
	from int64
	err  error
}

func (f flaky) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > f.from {
		return 0, f.err
	}
	return f.ReaderAt.ReadAt(b, at)
}

// TestFailingDisk: a read that fails is no corrupt file.
func TestFailingDisk(t *testing.T) {
	broken := errors.New("input/output error")
	b := readFixture(t, "nested")
	pages := int64(len(b)) - 8 - int64(binary.LittleEndian.Uint32(b[len(b)-8:]))
	for from := int64(0); from < pages; from += 97 {
		mem, _ := checked(t)
		failing := &late{flaky: flaky{bytes.NewReader(b), from, broken}}
		r, err := arrow18.NewParquetReader(context.Background(), "disk", failing, int64(len(b)), arrow18.ReadOptions{Allocator: mem})
		if err != nil {
			t.Fatal(err)
		}
		failing.on = true
		for r.Next() {
		}
		if !errors.Is(r.Err(), broken) || errors.Is(r.Err(), columnar.ErrCorrupt) || !strings.HasPrefix(r.Err().Error(), "disk: row group") {
			t.Errorf("reads fail beyond %d: error %v", from, r.Err())
		}
		r.Release()
		if _, err := arrow18.NewParquetReader(context.Background(), "disk", failing, int64(len(b)), arrow18.ReadOptions{}); !errors.Is(err, broken) {
			t.Errorf("footer: error %v", err)
		}
	}
}

// late is flaky once it is on.
type late struct {
	flaky
	on bool
}

func (l *late) ReadAt(b []byte, at int64) (int, error) {
	if l.on {
		return l.flaky.ReadAt(b, at)
	}
	return l.ReaderAt.ReadAt(b, at)
}

func TestCancelled(t *testing.T) {
	mem, _ := checked(t)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := arrow18.OpenParquet(ctx, fixture("delta_binary_packed"), arrow18.ReadOptions{Allocator: mem})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if !r.Next() {
		t.Fatal(r.Err())
	}
	cancel()
	for r.Next() {
	}
	if !errors.Is(r.Err(), context.Canceled) || errors.Is(r.Err(), columnar.ErrCorrupt) {
		t.Errorf("error %v", r.Err())
	}
	if r.Next() || r.Record() != nil {
		t.Error("a record after the error")
	}
	if _, err := arrow18.OpenParquet(ctx, fixture("delta_binary_packed"), arrow18.ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestMaxBytes reads a file of short rows within a limit that its rows pass together, and fails within less.
func TestMaxBytes(t *testing.T) {
	mem, _ := checked(t)
	rec := counted(mem, 0, 50_000)
	b := encode(t, rec.Schema(), arrow18.WriteOptions{Allocator: mem}, rec)
	rec.Release()
	for limit, kind := range map[int64]error{1 << 20: nil, 1 << 10: columnar.ErrTooLarge} {
		r, err := arrow18.NewParquetReader(context.Background(), "f", bytes.NewReader(b), int64(len(b)), arrow18.ReadOptions{BatchRows: 1000, MaxBytes: limit, Allocator: mem})
		if err != nil {
			t.Fatal(err)
		}
		rows := int64(0)
		for r.Next() {
			rows += r.Record().NumRows()
		}
		if !errors.Is(r.Err(), kind) || kind == nil && rows != 50_000 {
			t.Errorf("limit %d: %d rows, error %v", limit, rows, r.Err())
		}
		r.Release()
	}
}

// TestWideRows: records are shorter where rows are wide.
func TestWideRows(t *testing.T) {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	for i := range 100 {
		b.Append(strings.Repeat(word(i), 100_000) + strconv.Itoa(i))
	}
	a := b.NewArray()
	defer a.Release()
	rec := one(a)
	defer rec.Release()
	_, recs := decode(t, encode(t, rec.Schema(), arrow18.WriteOptions{Compression: "none"}, rec), arrow18.ReadOptions{})
	if len(recs) < 2 {
		t.Errorf("%d records of %d MB", len(recs), len(a.Data().Buffers()[2].Bytes())>>20)
	}
	for _, r := range recs {
		r.Release()
	}
}

func TestParquetFile(t *testing.T) {
	f, err := arrow18.ParquetFile(fixture("delta_binary_packed"), arrow18.ReadOptions{RowGroups: []int{0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != fixture("delta_binary_packed") || f.Rows != 250 {
		t.Errorf("file %q of %d rows", f.Name, f.Rows)
	}
	for range 2 {
		r, err := f.Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		rows := int64(0)
		for r.Next() {
			rows += r.Record().NumRows()
		}
		if rows != f.Rows || r.Err() != nil {
			t.Errorf("%d rows, error %v", rows, r.Err())
		}
		r.Release()
	}
	if _, err := arrow18.ParquetFile(fixture("nope"), arrow18.ReadOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	path := onDisk(t, readFixture(t, "codec_none"))
	if f, err = arrow18.ParquetFile(path, arrow18.ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if r, err := f.Open(context.Background()); r != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reader %v, error %v", r, err)
	}
}
