package arrow18_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/arrow18"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/testscale"
)

// survive reads bytes that may be no Parquet file, to the end or to an error. It checks what must hold for any bytes: the
// error is of a known kind and names the file, the rows are as many as the footer says, values can be looked at, memory is
// given back, and it does not take long.
func survive(t testing.TB, b []byte) error {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	began := time.Now()
	err := readHostile(t, b, mem)
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("reading took %v", took)
	}
	mem.AssertSize(t, 0)
	if err == nil {
		return nil
	}
	known := false
	for _, kind := range []error{columnar.ErrCorrupt, columnar.ErrTooLarge, columnar.ErrSchema, errors.ErrUnsupported} {
		known = known || errors.Is(err, kind)
	}
	if !known || !strings.HasPrefix(err.Error(), "hostile") {
		t.Errorf("error %v", err)
	}
	return err
}

func readHostile(t testing.TB, b []byte, mem memory.Allocator) error {
	r, err := arrow18.NewParquetReader(context.Background(), "hostile", bytes.NewReader(b), int64(len(b)), arrow18.ReadOptions{BatchRows: 100, Allocator: mem, MaxBytes: 64 << 20})
	if err != nil {
		return err
	}
	defer r.Release()
	rows := int64(0)
	for r.Next() {
		rows += r.Record().NumRows()
		for _, c := range r.Record().Columns() {
			look(c)
		}
	}
	if r.Err() == nil && rows != r.NumRows() {
		t.Errorf("%d rows, the footer says %d", rows, r.NumRows())
	}
	return r.Err()
}

// look touches every value of an array: it panics if parts of the array do not fit.
func look(a arrow.Array) {
	switch a := a.(type) {
	case array.ListLike:
		for i := range a.Len() {
			from, to := a.ValueOffsets(i)
			array.NewSlice(a.ListValues(), from, to).Release()
		}
		look(a.ListValues())
	case *array.Struct:
		for i := range a.NumField() {
			look(a.Field(i))
		}
	case *array.Timestamp:
		for i := range a.Len() {
			_ = a.Value(i) // to print it takes a time zone that this system knows
		}
	default:
		for i := range a.Len() {
			_ = a.ValueStr(i)
		}
	}
}

func containsAll(s string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(s, part) {
			return false
		}
	}
	return true
}

func readFixture(t testing.TB, name string) []byte {
	b, err := os.ReadFile(fixture(name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTruncated(t *testing.T) {
	for _, f := range fixtures {
		b := readFixture(t, f.file)
		for n := range testscale.Seeds(t, len(b)) {
			if survive(t, b[:n]) == nil {
				t.Fatalf("%s: %d bytes of %d read without an error", f.file, n, len(b))
			}
		}
	}
}

// TestFlipped changes bits all over every file.
func TestFlipped(t *testing.T) {
	step := 89 * testscale.Sample(t)
	for i, f := range fixtures {
		b := readFixture(t, f.file)
		for at := i * step / len(fixtures); at < len(b); at += step {
			for _, flip := range []byte{1, 0x80, 0xff} {
				bad := bytes.Clone(b)
				bad[at] ^= flip
				_ = survive(t, bad) // bits of values may change unseen
			}
		}
	}
}

// FuzzParquet reads a file of testdata with bytes written over it in two places, or whatever bytes. A footer of random bytes
// is seen through at once; one of few wrong bytes is not.
func FuzzParquet(f *testing.F) {
	var files [][]byte
	for i, fixture := range fixtures {
		files = append(files, readFixture(f, fixture.file))
		f.Add(byte(i), uint16(40*i), []byte{0xff}, uint16(40*i+7), []byte{1, 2})
	}
	f.Add(byte(255), uint16(0), []byte("PAR1\x15\x00\x00\x02\x00\x00\x00PAR1"), uint16(0), []byte(nil))
	f.Fuzz(func(t *testing.T, file byte, at uint16, patch []byte, and uint16, more []byte) {
		b := patch
		if int(file) < len(files) {
			b = bytes.Clone(files[file])
			copy(b[int(at)%len(b):], patch)
			copy(b[int(and)%len(b):], more)
		}
		_ = survive(t, b)
	})
}
