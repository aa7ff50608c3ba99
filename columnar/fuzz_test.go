package columnar_test

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// forger reads forged array data out of bytes:
//
//	1 byte        type, a place in mergeTypes
//	number        length
//	number        offset
//	number        NULLs
//	1 byte        buffers: how many, up to 3
//	each buffer   1 byte: 0 for none, else its length and 1; then its bytes, zeros when there are no more
//
// A number is a byte below 128, or 128 and eight bytes.
type forger struct{ rest []byte }

func (f *forger) byte() byte {
	if len(f.rest) == 0 {
		return 0
	}
	b := f.rest[0]
	f.rest = f.rest[1:]
	return b
}

func (f *forger) bytes(n int) []byte {
	b := make([]byte, n)
	f.rest = f.rest[copy(b, f.rest):]
	return b
}

func (f *forger) number() int {
	if b := f.byte(); b < 128 {
		return int(b)
	}
	return int(binary.LittleEndian.Uint64(f.bytes(8)))
}

func (f *forger) data() *array.Data {
	dt := mergeTypes[int(f.byte())%len(mergeTypes)]
	length, offset, nulls := f.number(), f.number(), f.number()
	buffers := make([]*memory.Buffer, f.byte()%4)
	for i := range buffers {
		if n := f.byte(); n > 0 {
			buffers[i] = memory.NewBufferBytes(f.bytes(int(n) - 1))
		}
	}
	return array.NewData(dt, length, buffers, nil, nulls, offset)
}

// forge is the way back, for seeds.
func forge(dt arrow.DataType, length, offset, nulls int, buffers ...[]byte) []byte {
	var b []byte
	for i, t := range mergeTypes {
		if arrow.TypeEqual(t, dt) {
			b = []byte{byte(i)}
			break
		}
	}
	for _, n := range []int{length, offset, nulls} {
		if n >= 0 && n < 128 {
			b = append(b, byte(n))
		} else {
			b = binary.LittleEndian.AppendUint64(append(b, 128), uint64(n))
		}
	}
	b = append(b, byte(len(buffers)))
	for _, buffer := range buffers {
		b = append(append(b, byte(len(buffer)+1)), buffer...)
	}
	return b
}

func offsets32(offsets ...int32) (b []byte) {
	for _, o := range offsets {
		b = binary.LittleEndian.AppendUint32(b, uint32(o))
	}
	return b
}

func offsets64(offsets ...int64) (b []byte) {
	for _, o := range offsets {
		b = binary.LittleEndian.AppendUint64(b, uint64(o))
	}
	return b
}

// FuzzNewView forges array data: NewView refuses it, or everything can be done with the view.
func FuzzNewView(f *testing.F) {
	text := []byte("abcdefgh")
	for _, dt := range mergeTypes {
		f.Add(forge(dt, 3, 2, -1, []byte{0x55}, zeros(200), nil))
		f.Add(forge(dt, 0, 0, 0))
		f.Add(forge(dt, 1<<60, 0, 0, nil, zeros(8), nil))
		f.Add(forge(dt, 8, math.MaxInt-7, -1, []byte{1}, zeros(8), nil))
	}
	f.Add(forge(arrow.BinaryTypes.String, 3, 0, 0, []byte{5}, offsets32(0, 2, 2, 8), text))
	f.Add(forge(arrow.BinaryTypes.String, 3, 0, 0, nil, offsets32(0, math.MaxInt32, -2, 5), text))
	f.Add(forge(arrow.BinaryTypes.String, 2, 1, 0, nil, offsets32(7, 4, 3, 8), text))
	f.Add(forge(arrow.BinaryTypes.LargeBinary, 3, 0, 1, []byte{3}, offsets64(1, 2, 2, 8), text))
	f.Add(forge(arrow.BinaryTypes.LargeBinary, 3, 0, 0, nil, offsets64(0, math.MaxInt64, -2, 5), text))
	f.Fuzz(func(t *testing.T, b []byte) {
		forger := forger{b}
		data := forger.data()
		v, err := columnar.NewView(data)
		if err != nil {
			if !errors.Is(err, columnar.ErrCorrupt) {
				t.Fatalf("error %v, want ErrCorrupt", err)
			}
			return
		}
		if v.Rows != data.Len() || v.Nulls < 0 || v.Nulls > v.Rows {
			t.Fatalf("%d rows with %d NULLs of an array of %d", v.Rows, v.Nulls, data.Len())
		}
		useRanges(t, &v)
		if v.Rows <= 1<<12 {
			useAll(t, &v, data.DataType())
		}
	})
}

// useRanges calls what looks at ranges of rows, or at one row, for some of the rows of a view of any length.
func useRanges(t *testing.T, v *columnar.View) {
	if v.Bytes() < 0 || v.NullsIn(0, v.Rows) != v.Nulls {
		t.Fatalf("%d bytes, %d NULLs in all rows, want %d", v.Bytes(), v.NullsIn(0, v.Rows), v.Nulls)
	}
	var kept columnar.View
	for i := range min(v.Rows, 1<<12) {
		for _, row := range []int{i, v.Rows - 1 - i} {
			useRow(t, v, row, &kept)
		}
	}
}

func useRow(t *testing.T, v *columnar.View, row int, kept *columnar.View) {
	null := 0
	if v.IsNull(row) {
		null = 1
	}
	if n := v.NullsIn(row, row+1); n != null {
		t.Fatalf("row %d: %d NULLs, want %d", row, n, null)
	}
	v.CopyRow(kept, row)
	switch v.Layout.Form {
	case columnar.FormBits:
		if kept.Bool(0) != v.Bool(row) {
			t.Fatalf("row %d: the copy differs", row)
		}
	case columnar.FormFixed, columnar.FormText32, columnar.FormText64:
		if string(kept.Text(0)) != string(v.Text(row)) {
			t.Fatalf("row %d: the copy differs", row)
		}
	}
	if v.BytesIn(row, row+1) < v.TextBytes(row, row+1) || v.String(row) == "" {
		t.Fatalf("row %d: %d bytes with %d of text, shown as %q", row, v.BytesIn(row, row+1), v.TextBytes(row, row+1), v.String(row))
	}
	if v.Order != columnar.OrderNone {
		if c := columnar.Compare(v, row, kept, 0); c != 0 {
			t.Fatalf("row %d: the copy compares %d", row, c)
		}
		columnar.LowerBound([]columnar.View{*v}, 0, v.Rows, row, []columnar.View{*kept}, 0)
	}
}

// useAll calls what works on all rows at once, and wants the rows that are taken to be those of the view.
func useAll(t *testing.T, v *columnar.View, dt arrow.DataType) {
	pieces := []columnar.Piece{{View: v, To: v.Rows}}
	normals, lower := make([]uint64, v.Rows), make([]uint64, v.Rows)
	columnar.StageNullness(normals, pieces)
	switch v.Order {
	case columnar.OrderNone:
	case columnar.OrderText:
		columnar.StageText(normals, pieces, 64, &columnar.TextShape{})
	case columnar.OrderDecimal128:
		columnar.StageDecimals(normals, lower, pieces)
	default:
		columnar.StageNormals(normals, pieces)
	}
	if v.Order != columnar.OrderNone {
		columnar.Ascending([]columnar.View{*v}, 0, v.Rows)
	}
	sel := make([]uint32, v.Rows)
	for i := range sel {
		sel[i] = uint32(i)
	}
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	var scratch columnar.Staged
	shape := columnar.Shape{Pieces: pieces, Room: v.Rows}
	valid := columnar.TakeValid(scratch.StageValid(&shape), sel, mem)
	defer valid.Release()
	if err := scratch.Stage(v.Layout, &shape); err != nil {
		t.Fatal(err)
	}
	data, err := scratch.Take(dt, sel, valid, mem)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Release()
	taken, err := columnar.NewView(data)
	if err != nil {
		t.Fatal(err)
	}
	for row := range v.Rows {
		if got, want := read(&taken, row), read(v, row); got != want {
			t.Fatalf("row %d is taken as %v, want %v", row, got, want)
		}
	}
}
