package columnar

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// maxOffset32 is the greatest 32-bit offset; tests lower it.
var maxOffset32 = math.MaxInt32

// NewBuffer returns an uninitialised buffer of n bytes with slack for the loops of package simd behind them.
func NewBuffer(mem memory.Allocator, n int) *memory.Buffer {
	b := memory.NewResizableBuffer(mem)
	b.Reserve(n + slack)
	b.ResizeNoShrink(n)
	return b
}

// Validity is the validity bitmap of an output column: nil for a column without NULLs.
type Validity struct {
	Bitmap *memory.Buffer
	Nulls  int
}

// Release gives the bitmap back.
func (v Validity) Release() {
	if v.Bitmap != nil {
		v.Bitmap.Release()
	}
}

// Without makes rows NULL: those of holes, a bitmap, of n rows. It takes v over, which must not be shared.
func (v Validity) Without(holes []byte, n int, mem memory.Allocator) Validity {
	if v.Bitmap == nil {
		v.Bitmap = NewBuffer(mem, (n+7)/8)
		for i := range v.Bitmap.Bytes() {
			v.Bitmap.Bytes()[i] = 0xff
		}
	}
	bitmap := v.Bitmap.Bytes()
	for i := range bitmap {
		bitmap[i] &^= holes[i]
	}
	v.Nulls = n - validity.CountRange(bitmap, 0, n)
	return v
}

// TakeValid takes the selected rows of staged validity bytes. The caller releases the result.
func TakeValid(valid []byte, sel []uint32, mem memory.Allocator) Validity {
	return newValidity(len(sel), mem, func(bitmap []byte) int { return simd.TakeBits(bitmap, valid, sel) })
}

// CompressValid makes the validity of n rows, those of rows, which are valid where they are in has. The caller releases the result.
func CompressValid(has, rows []uint64, n int, mem memory.Allocator) Validity {
	return newValidity(n, mem, func(bitmap []byte) int { return validity.Compress(bitmap, has, rows) })
}

// newValidity makes the validity of n rows with a bitmap that fill writes, which returns how many rows are valid.
func newValidity(n int, mem memory.Allocator, fill func(bitmap []byte) int) Validity {
	bitmap := NewBuffer(mem, (n+7)/8)
	ones := fill(bitmap.Bytes())
	if ones == n {
		bitmap.Release()
		return Validity{}
	}
	return Validity{Bitmap: bitmap, Nulls: n - ones}
}

// Take makes an array of type t, which has the layout staged last, of the selected staged rows. It does not keep valid; the
// caller releases both. Text of more than 2 GiB for 32-bit offsets is ErrTooLarge.
func (s *Staged) Take(t arrow.DataType, sel []uint32, valid Validity, mem memory.Allocator) (arrow.ArrayData, error) {
	n := len(sel)
	switch s.layout.Form {
	case FormNull:
		return array.NewData(t, n, []*memory.Buffer{nil}, nil, n, 0), nil
	case FormBits:
		values := NewBuffer(mem, (n+7)/8)
		simd.TakeBits(values.Bytes(), s.values, sel)
		return newData(t, n, valid, nil, values), nil
	case FormFixed:
		values := NewBuffer(mem, n*s.layout.Width)
		s.takeFixed(values.Bytes(), sel)
		return newData(t, n, valid, nil, values), nil
	case FormText32:
		offsets := NewBuffer(mem, (n+1)*4)
		size := takeOffsets(castSlice[int32](offsets.Bytes()), s, sel)
		if size > maxOffset32 {
			offsets.Release()
			return nil, fmt.Errorf("%w: %d bytes of text in one output batch of type %s", ErrTooLarge, size, t)
		}
		return newData(t, n, valid, nil, offsets, s.takeText(size, sel, mem)), nil
	case FormList32:
		return takeList[int32](s, t, sel, valid, mem)
	case FormList64:
		return takeList[int64](s, t, sel, valid, mem)
	case FormFixedList:
		return s.takeFixedList(t, sel, valid, mem)
	case FormStruct:
		return s.takeStruct(t, sel, valid, mem)
	default:
		offsets := NewBuffer(mem, (n+1)*8)
		size := takeOffsets(castSlice[int64](offsets.Bytes()), s, sel)
		return newData(t, n, valid, nil, offsets, s.takeText(size, sel, mem)), nil
	}
}

// takeFixed takes values of fixed width, and asks for the next column on the way.
func (s *Staged) takeFixed(dst []byte, sel []uint32) {
	if len(s.stretches) > 0 {
		s.copyFixed(dst)
		return
	}
	s.share = simd.ShareOf(sel, s.rows)
	rows := s.ahead.divide(len(sel))
	for ; len(sel) > rows; sel = sel[rows:] {
		s.takeValues(dst[:rows*s.layout.Width], sel[:rows])
		dst = dst[rows*s.layout.Width:]
		s.ahead.warm()
	}
	s.takeValues(dst, sel)
}

// takeValues takes a part of the rows of a selection, whose share is known.
func (s *Staged) takeValues(dst []byte, sel []uint32) {
	switch s.layout.Width {
	case 1:
		takeWidth[uint8](s, dst, sel)
	case 2:
		takeWidth[uint16](s, dst, sel)
	case 4:
		takeWidth[uint32](s, dst, sel)
	case 8:
		takeWidth[uint64](s, dst, sel)
	case 16:
		takeWidth[[16]byte](s, dst, sel)
	case 32:
		takeWidth[[32]byte](s, dst, sel)
	default: // never in place
		simd.TakeBytes(dst, bytesIn(s.fixed), s.layout.Width, sel)
	}
}

// takeWidth takes values of the width of a T, from where they lie or have been copied to.
func takeWidth[T simd.Fixed](s *Staged, dst []byte, sel []uint32) {
	if s.inPlace {
		simd.TakeBlocks(castSlice[T](dst), s.rowBlocks.of[:s.rowBlocks.used], sel, s.share)
		return
	}
	simd.Take(castSlice[T](dst), castSlice[T](bytesIn(s.fixed)), sel)
}

func (s *Staged) takeText(size int, sel []uint32, mem memory.Allocator) *memory.Buffer {
	text := NewBuffer(mem, size)
	s.copyTexts(text.Buf(), sel)
	return text
}

// takeOffsets makes the offsets of the selected texts and returns how many bytes these have.
func takeOffsets[O simd.Offset](out []O, s *Staged, sel []uint32) int {
	if len(s.stretches) > 0 {
		return copyOffsets(out, s)
	}
	if s.inPlace && s.rowBlocks.text > 0 {
		return putLengths(out, s.rowBlocks.text)
	}
	return simd.TakeOffsets(out, s.off, sel)
}

// copyTexts copies the selected texts one after another.
func (s *Staged) copyTexts(dst []byte, sel []uint32) {
	if len(s.stretches) > 0 {
		s.copyStretchTexts(dst)
		return
	}
	if s.inPlace {
		s.takeLocated(dst, sel)
		return
	}
	rows := s.ahead.divide(len(sel))
	for ; len(sel) > rows; sel = sel[rows:] {
		dst = dst[simd.TakeText(dst, s.off, s.data, sel[:rows]):]
		s.ahead.warm()
	}
	simd.TakeText(dst, s.off, s.data, sel)
}

func (s *Staged) takeLocated(dst []byte, sel []uint32) {
	if s.rowBlocks.text > 0 {
		blocks := s.blocksOf(s.rowBlocks.text)
		blocks.Take(dst, sel)
		return
	}
	texts := s.texts()
	texts.Take(dst, sel)
}

// newData hands the children and the value buffers over to new array data, which shares the bitmap.
func newData(t arrow.DataType, n int, valid Validity, children []arrow.ArrayData, values ...*memory.Buffer) arrow.ArrayData {
	buffers := make([]*memory.Buffer, 1+len(values))
	buffers[0] = valid.Bitmap
	copy(buffers[1:], values)
	d := array.NewData(t, n, buffers, children, valid.Nulls, 0)
	for _, b := range values {
		b.Release()
	}
	for _, c := range children {
		c.Release()
	}
	return d
}
