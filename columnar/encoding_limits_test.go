package columnar_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

func newEncoding(t testing.TB, dt arrow.DataType, mem memory.Allocator) *columnar.Encoding {
	t.Helper()
	enc, err := columnar.NewEncoding(dt, false, mem)
	if err != nil {
		t.Fatal(err)
	}
	return enc
}

// TestRunEndRoom puts as many rows into an array as its run ends can count, and one more.
func TestRunEndRoom(t *testing.T) {
	pair := arrow.StructOf(arrow.Field{Name: "x", Type: arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32)})
	for _, c := range []struct {
		t    arrow.DataType
		rows int
	}{
		{arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32), 32767}, {pair, 32767}, {arrow.FixedSizeListOf(2, arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32)), 16383},
		{&coded{arrow.ExtensionBase{Storage: pair}}, 32767}, {arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int32), 1<<31 - 1},
		{arrow.ListOf(arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int32)), 1<<63 - 1}, {arrow.BinaryTypes.StringView, 1<<63 - 1},
	} {
		enc := newEncoding(t, c.t, memory.DefaultAllocator)
		if got := enc.MaxRows(); got != c.rows {
			t.Errorf("%s: at most %d rows, want %d", c.t, got, c.rows)
		}
		enc.Release()
	}
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	enc := newEncoding(t, arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32), mem)
	defer enc.Release()
	for rows, want := range map[int]error{32767: nil, 32768: columnar.ErrTooLarge} {
		d := array.NewData(arrow.PrimitiveTypes.Int32, rows, []*memory.Buffer{nil, memory.NewBufferBytes(zeros(4 * rows))}, nil, 0, 0)
		out, err := enc.Finish(d)
		if !errors.Is(err, want) {
			t.Errorf("%d rows: error %v, want %v", rows, err, want)
		}
		if err == nil {
			a := array.NewRunEndEncodedData(out)
			if a.RunEndsArr().Len() != 1 || a.RunEndsArr().(*array.Int16).Value(0) != 32767 {
				t.Errorf("run ends %s of equal rows", a.RunEndsArr())
			}
			a.Release()
			out.Release()
		}
	}
}

// TestRuns states the runs of rows: NULLs are equal, whatever lies under them, and numbers are when their bits are.
func TestRuns(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	values := []byte{1, 1, 7, 8, 2, 2, 0, 0x80}
	valid := []byte{0b11110011}
	enc := newEncoding(t, arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int8), mem)
	defer enc.Release()
	d := array.NewData(arrow.PrimitiveTypes.Int8, 8, []*memory.Buffer{memory.NewBufferBytes(valid), memory.NewBufferBytes(values)}, nil, 2, 0)
	out, err := enc.Finish(d)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	a := array.NewRunEndEncodedData(out)
	defer a.Release()
	if ends, values := a.RunEndsArr().String(), a.Values().String(); ends != "[2 4 6 7 8]" || values != "[1 (null) 2 0 -128]" {
		t.Errorf("run ends %s of values %s", ends, values)
	}
}

// TestEncodingBounds has few bytes that stand for very many: they are refused before they are asked for.
func TestEncodingBounds(t *testing.T) {
	buffer := memory.NewBufferBytes
	text := func(n int) arrow.ArrayData {
		return array.NewData(arrow.BinaryTypes.String, 1, []*memory.Buffer{nil, buffer(offsets32(0, int32(n))), buffer(zeros(n))}, nil, 0, 0)
	}
	nulls := func(n int) arrow.ArrayData { return array.NewData(arrow.Null, n, []*memory.Buffer{nil}, nil, n, 0) }
	ends := func(end int64) arrow.ArrayData {
		return array.NewData(arrow.PrimitiveTypes.Int64, 1, []*memory.Buffer{nil, buffer(offsets64(end))}, nil, 0, 0)
	}
	var header arrow.ViewHeader
	header.SetBytes(zeros(1 << 20))
	views := []byte(strings.Repeat(string(arrow.ViewHeaderTraits.CastToBytes([]arrow.ViewHeader{header})), 1<<13))
	var offsets, sizes []int64 // lists of the first 2^16 items, not in their order
	for range 1 << 16 {
		offsets, sizes = append(offsets, 0), append(sizes, 1<<16)
	}
	bytes := array.NewData(arrow.PrimitiveTypes.Int8, 1<<16, []*memory.Buffer{nil, buffer(zeros(1 << 16))}, nil, 0, 0)
	for _, c := range []struct {
		name string
		d    arrow.ArrayData
	}{
		{"a run of long texts", array.NewData(arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String), 1<<24, []*memory.Buffer{nil}, []arrow.ArrayData{ends(1 << 40), text(1 << 20)}, 0, 0)},
		{"a run of very many rows", array.NewData(arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String), 1<<50, []*memory.Buffer{nil}, []arrow.ArrayData{ends(1 << 60), text(1)}, 0, 0)},
		{"a run of very many NULLs", array.NewData(arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int64, arrow.Null), 1<<50, []*memory.Buffer{nil}, []arrow.ArrayData{ends(1 << 60), nulls(1)}, 0, 0)},
		{"views of one text", array.NewData(arrow.BinaryTypes.StringView, 1<<13, []*memory.Buffer{nil, buffer(views), buffer(zeros(1 << 20))}, nil, 0, 0)},
		{"a dictionary of very many NULLs", indexed(memory.DefaultAllocator, arrow.PrimitiveTypes.Int8, nulls(1<<50), []int{0})},
		{"views of all items", array.NewData(arrow.LargeListViewOf(arrow.PrimitiveTypes.Int8), 1<<16, []*memory.Buffer{nil, buffer(offsets64(offsets...)), buffer(offsets64(sizes...))}, []arrow.ArrayData{bytes}, 0, 0)},
		{"views of all items of 32 bits", array.NewData(arrow.ListViewOf(arrow.Null), 3, []*memory.Buffer{nil, buffer(offsets32(0, 0, 0)), buffer(offsets32(1<<30, 1<<30, 1<<30))}, []arrow.ArrayData{nulls(1 << 30)}, 0, 0)},
		{"views of very many NULLs", array.NewData(arrow.LargeListViewOf(arrow.Null), 2, []*memory.Buffer{nil, buffer(offsets64(1, 0)), buffer(offsets64(1<<49, 1<<49))}, []arrow.ArrayData{nulls(1 << 50)}, 0, 0)},
	} {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		enc := newEncoding(t, c.d.DataType(), mem)
		if _, err := enc.Load(c.d); !errors.Is(err, columnar.ErrTooLarge) {
			t.Errorf("%s: error %v, want ErrTooLarge", c.name, err)
		}
		enc.Release()
		mem.AssertSize(t, 0)
	}
}
