package ipcfile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/cmd/braid/ipcfile"
	"github.com/braidmerge/braid/cmd/braid/text"
	"github.com/braidmerge/braid/columnar"
)

// write puts the bytes into a file of its own.
func write(t testing.TB, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sample.arrow")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// readFile reads a whole file.
func readFile(path string, o ipcfile.Options) ([]arrow.Record, error) {
	f, err := ipcfile.Open(path, o)
	if err != nil {
		return nil, err
	}
	return readOpened(f, o)
}

// readBytes reads the bytes of a whole file.
func readBytes(content []byte, o ipcfile.Options) ([]arrow.Record, error) {
	f, err := ipcfile.OpenReaderAt(bytes.NewReader(content), int64(len(content)), o)
	if err != nil {
		return nil, err
	}
	return readOpened(f, o)
}

func readOpened(f *ipcfile.File, o ipcfile.Options) ([]arrow.Record, error) {
	defer f.Release()
	r, err := f.Reader(o)
	if err != nil {
		return nil, err
	}
	return drain(r)
}

// readStream reads a whole stream.
func readStream(content []byte, o ipcfile.Options) ([]arrow.Record, error) {
	r, err := ipcfile.NewStream(bytes.NewReader(content), o)
	if err != nil {
		return nil, err
	}
	return drain(r)
}

// drain returns all batches of the reader and releases it; none if there was an error.
func drain(r *ipcfile.Reader) ([]arrow.Record, error) {
	defer r.Release()
	var records []arrow.Record
	for r.Next() {
		record := r.Record()
		record.Retain()
		records = append(records, record)
	}
	if err := r.Err(); err != nil {
		release(records)
		return nil, err
	}
	return records, nil
}

func TestRoundTrip(t *testing.T) {
	options := map[string][]ipc.Option{"plain": nil, "lz4": {ipc.WithLZ4()}, "zstd": {ipc.WithZstd()}}
	for name, option := range options {
		t.Run(name, func(t *testing.T) {
			checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
			defer checked.AssertSize(t, 0)
			want := sampleRecords(t, memory.DefaultAllocator, 3, 1, 0, 2, 70)
			defer release(want)
			file, err := readFile(write(t, encodeFile(t, want, option...)), ipcfile.Options{Allocator: checked})
			compare(t, "file", want, file, err)
			unmapped, err := readBytes(encodeFile(t, want, option...), ipcfile.Options{Allocator: checked})
			compare(t, "bytes", want, unmapped, err)
			stream, err := readStream(encodeStream(t, want, option...), ipcfile.Options{Allocator: checked})
			compare(t, "stream", want, stream, err)
		})
	}
}

// compare checks the records and releases those that were read.
func compare(t *testing.T, what string, want, got []arrow.Record, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer release(got)
	if len(got) != len(want) {
		t.Fatalf("%s: %d batches, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !array.RecordEqual(want[i], got[i]) {
			t.Errorf("%s: batch %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// TestColumns reads some of the columns, one of every layout left out once.
func TestColumns(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 5)
	defer release(records)
	path := write(t, encodeFile(t, records))
	for i, left := range sampleSchema.Fields() {
		var names []string
		var fields []arrow.Field
		var columns []arrow.Array
		for j, field := range sampleSchema.Fields() {
			if j != i {
				names, fields, columns = append(names, field.Name), append(fields, field), append(columns, records[0].Column(j))
			}
		}
		want := array.NewRecord(arrow.NewSchema(fields, nil), columns, 5)
		checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
		got, err := readFile(path, ipcfile.Options{Allocator: checked, Columns: names})
		compare(t, "without "+left.Name, []arrow.Record{want}, got, err)
		want.Release()
		checked.AssertSize(t, 0)
	}
	if _, err := readFile(path, ipcfile.Options{Columns: []string{"id", "missing"}}); !errors.Is(err, columnar.ErrSchema) {
		t.Errorf("error %v", err)
	}
}

func TestOpenStream(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 5, 1)
	defer release(records)
	r, err := ipcfile.OpenStream(write(t, encodeStream(t, records)), ipcfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := drain(r)
	compare(t, "stream", records, got, err)
}

func TestFileDescribesItself(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 5, 2)
	defer release(records)
	f, err := ipcfile.Open(write(t, encodeFile(t, records, ipc.WithZstd())), ipcfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Release()
	if f.Rows() != 7 || len(f.Batches()) != 2 || f.Batches()[0].Rows != 5 || f.Batches()[1].Compression != "zstd" || f.Dictionaries() != 1 {
		t.Errorf("rows %d, batches %+v, dictionaries %d", f.Rows(), f.Batches(), f.Dictionaries())
	}
	if !f.Schema().Equal(sampleSchema) {
		t.Errorf("schema %v", f.Schema())
	}
}

// TestReadersShareAFile has two readers of one file that is closed while they read.
func TestReadersShareAFile(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 2, 2)
	defer release(records)
	f, err := ipcfile.Open(write(t, encodeFile(t, records)), ipcfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, err1 := f.Reader(ipcfile.Options{})
	second, err2 := f.Reader(ipcfile.Options{})
	f.Release()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	got, err := drain(first)
	compare(t, "first", records, got, err)
	got, err = drain(second)
	compare(t, "second", records, got, err)
}

// TestBatchesOutliveTheFile releases a file and its reader before its batches are looked at, and sees that the file is
// mapped until the last batch is gone.
func TestBatchesOutliveTheFile(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 4, 3)
	defer release(records)
	path := write(t, encodeFile(t, records))
	got, err := readFile(path, ipcfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" && !isMapped(t, path) {
		t.Error("the file is not mapped while its batches are alive")
	}
	column := got[1].Column(4)
	column.Retain()
	compare(t, "batches", records, got, nil)
	if want := records[1].Column(4); !array.Equal(want, column) {
		t.Errorf("column %v, want %v", column, want)
	}
	column.Release()
	if runtime.GOOS == "linux" && isMapped(t, path) {
		t.Error("the file is mapped after the last of its batches")
	}
}

// isMapped says whether the file is mapped into this process.
func isMapped(t *testing.T, path string) bool {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip(err)
	}
	return bytes.Contains(maps, []byte(path))
}

// TestTruncatedFile cuts a file at every length.
func TestTruncatedFile(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 4, 3)
	defer release(records)
	whole := encodeFile(t, records)
	for n := range len(whole) {
		checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
		got, err := readBytes(whole[:n], ipcfile.Options{Allocator: checked})
		if !errors.Is(err, columnar.ErrCorrupt) {
			t.Fatalf("cut at %d of %d: %d batches, error %v", n, len(whole), len(got), err)
		}
		checked.AssertSize(t, 0)
	}
}

// TestTruncatedMappedFile cuts a file on disk in some places.
func TestTruncatedMappedFile(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 4, 3)
	defer release(records)
	whole := encodeFile(t, records)
	for _, n := range []int{0, 1, 20, 4000, len(whole) / 2, len(whole) - 1} {
		if _, err := readFile(write(t, whole[:n]), ipcfile.Options{}); !errors.Is(err, columnar.ErrCorrupt) {
			t.Errorf("cut at %d of %d: %v", n, len(whole), err)
		}
	}
}

// TestTruncatedStream cuts a stream at every length: between two messages that is an end like any other, elsewhere an
// error.
func TestTruncatedStream(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 4, 3)
	defer release(records)
	whole := encodeStream(t, records)
	clean := 0
	for n := range len(whole) {
		checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
		got, err := readStream(whole[:n], ipcfile.Options{Allocator: checked})
		switch {
		case err == nil:
			clean++
			compare(t, "cut", records[:len(got)], got, nil)
		case !errors.Is(err, columnar.ErrCorrupt):
			t.Fatalf("cut at %d: %v", n, err)
		}
		checked.AssertSize(t, 0)
	}
	// After the schema, after the dictionary, after each batch.
	if clean != 4 {
		t.Errorf("%d lengths are a clean end, want 4", clean)
	}
}

// TestFileShrinks truncates a file after it was opened.
func TestFileShrinks(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 20_000, 20_000)
	defer release(records)
	path := write(t, encodeFile(t, records))
	f, err := ipcfile.Open(path, ipcfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Release()
	r, err := f.Reader(ipcfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	got, err := drain(r)
	if !errors.Is(err, columnar.ErrCorrupt) {
		t.Fatalf("%d batches, error %v", len(got), err)
	}
}

// TestFlippedBytes damages single bytes of files and streams: they read as something sound or not at all, without a panic or a
// leak, and what is read can be walked.
func TestFlippedBytes(t *testing.T) {
	options := map[string][]ipc.Option{"plain": nil, "lz4": {ipc.WithLZ4()}, "zstd": {ipc.WithZstd()}}
	for name, option := range options {
		t.Run(name, func(t *testing.T) {
			records := sampleRecords(t, memory.DefaultAllocator, 6, 2)
			defer release(records)
			file, stream := encodeFile(t, records, option...), encodeStream(t, records, option...)
			random := rand.New(rand.NewPCG(1, 2))
			tried, failed := 0, 0
			for i := random.IntN(4); i < len(file); i += 1 + random.IntN(6) {
				damaged := slices.Clone(file)
				damaged[i] ^= byte(1 + random.IntN(255))
				failed += walk(t, func(o ipcfile.Options) ([]arrow.Record, error) { return readBytes(damaged, o) })
				tried++
			}
			for i := random.IntN(4); i < len(stream); i += 1 + random.IntN(6) {
				damaged := slices.Clone(stream)
				damaged[i] ^= byte(1 + random.IntN(255))
				failed += walk(t, func(o ipcfile.Options) ([]arrow.Record, error) { return readStream(damaged, o) })
				tried++
			}
			if failed < tried/10 {
				t.Errorf("only %d of %d damaged inputs were refused", failed, tried)
			}
		})
	}
}

// walk reads and shows every value; it returns 1 if reading failed.
func walk(t testing.TB, read func(ipcfile.Options) ([]arrow.Record, error)) int {
	t.Helper()
	checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
	records, err := read(ipcfile.Options{Allocator: checked, Limit: 1 << 24})
	for _, record := range records {
		if record.NumRows() > 1000 {
			continue // rows of nothing but NULLs cost no bytes
		}
		if err := text.NewJSONLines(io.Discard, record.Schema()).Write(record); err != nil {
			t.Fatal(err)
		}
	}
	release(records)
	checked.AssertSize(t, 0)
	if err != nil {
		return 1
	}
	return 0
}

// TestLyingLengths asks for far more bytes than there are.
func TestLyingLengths(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 3)
	defer release(records)
	whole := encodeStream(t, records)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := 0; i+8 <= len(whole); i += 4 {
		damaged := slices.Clone(whole)
		binary.LittleEndian.PutUint64(damaged[i:], 1<<40)
		_, _ = readStream(damaged, ipcfile.Options{Limit: 1 << 26})
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > uint64(len(whole))*(4<<20) {
		t.Errorf("%d bytes allocated for streams of %d", used, len(whole))
	}
}

func TestBatchOverTheLimit(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 1000)
	defer release(records)
	_, err := readStream(encodeStream(t, records), ipcfile.Options{Limit: 10_000})
	if !errors.Is(err, columnar.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

// TestHelpfulErrors checks what is said about inputs of the wrong kind.
func TestHelpfulErrors(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 1)
	defer release(records)
	stream, file := encodeStream(t, records), encodeFile(t, records)
	_, fromStream := readFile(write(t, stream), ipcfile.Options{})
	_, fromFile := readStream(file, ipcfile.Options{})
	_, fromText := readFile(write(t, []byte("id,delay\n1,2\n3,4\n5,6\n")), ipcfile.Options{})
	_, fromEmpty := readStream(nil, ipcfile.Options{})
	_, fromMissing := readFile(filepath.Join(t.TempDir(), "missing"), ipcfile.Options{})
	for _, c := range []struct {
		err  error
		want string
	}{
		{fromStream, "it is an Arrow stream, not an Arrow file"},
		{fromFile, "it is an Arrow file, not a stream"},
		{fromText, "it does not begin with ARROW1"},
		{fromEmpty, "it is empty"},
		{fromMissing, "no such file"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}

// failing is an input that fails after some bytes.
type failing struct {
	in  io.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.in.Read(p)
	if err == io.EOF {
		err = f.err
	}
	return n, err
}

// TestInputErrorIsKept checks that the input's own error is not taken for damage.
func TestInputErrorIsKept(t *testing.T) {
	records := sampleRecords(t, memory.DefaultAllocator, 3)
	defer release(records)
	whole := encodeStream(t, records)
	broken := errors.New("cable pulled")
	for n := range len(whole) - 8 {
		r, err := ipcfile.NewStream(&failing{bytes.NewReader(whole[:n]), broken}, ipcfile.Options{})
		if err == nil {
			_, err = drain(r)
		}
		if !errors.Is(err, broken) || errors.Is(err, columnar.ErrCorrupt) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}
