package columnar

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// frame is what array data of any type has: rows [at, at+rows) of its buffers, and their validity.
type frame struct {
	at, rows int
	valid    *memory.Buffer // nil when every value is valid
	nulls    int
}

// frameOf reads and checks the frame of array data. The bitmap is the array's own.
func frameOf(d arrow.ArrayData) (frame, error) {
	f := frame{at: d.Offset(), rows: d.Len()}
	if f.rows < 0 || f.at < 0 || f.rows > math.MaxInt/32-f.at { // the sum, times the widest offset or header, is an int
		return f, fmt.Errorf("%w: array of length %d at offset %d", ErrCorrupt, f.rows, f.at)
	}
	valid := bytesOf(d.Buffers(), 0)
	if len(valid) == 0 {
		if d.NullN() > 0 {
			return f, fmt.Errorf("%w: %d NULLs and no validity bitmap", ErrCorrupt, d.NullN())
		}
		return f, nil
	}
	if err := enough("validity bitmap", valid, (f.at+f.rows+7)/8); err != nil {
		return f, err
	}
	if f.nulls = f.rows - validity.CountRange(valid, f.at, f.rows); f.nulls > 0 {
		f.valid = d.Buffers()[0]
	}
	return f, nil
}

// isNull says whether a value is NULL.
func (f *frame) isNull(row int) bool {
	if f.valid == nil {
		return false
	}
	bit := f.at + row
	return f.valid.Bytes()[bit>>3]>>(bit&7)&1 == 0
}

// valuesIn returns the values of the frame in a buffer of array data. Too few of them are ErrCorrupt.
func valuesIn[T any](f *frame, what string, b []byte) ([]T, error) {
	if err := enough(what, b, (f.at+f.rows)*int(unsafe.Sizeof(*new(T)))); err != nil {
		return nil, err
	}
	return castSlice[T](b)[f.at : f.at+f.rows], nil
}

// validity returns the validity of the frame with row 0 as its first bit: a part of the array's bitmap where rows begin at a
// byte, else a copy. The caller releases it.
func (f *frame) validity(mem memory.Allocator) Validity {
	if f.valid == nil {
		return Validity{}
	}
	size, first, shift := (f.rows+7)/8, f.at/8, f.at%8
	if shift == 0 {
		return Validity{Bitmap: memory.SliceBuffer(f.valid, first, size), Nulls: f.nulls}
	}
	bitmap := NewBuffer(mem, size)
	in, out := f.valid.Bytes()[first:(f.at+f.rows+7)/8], bitmap.Bytes()
	for i := range out {
		out[i] = in[i] >> shift
		if i+1 < len(in) {
			out[i] |= in[i+1] << (8 - shift)
		}
	}
	return Validity{Bitmap: bitmap, Nulls: f.nulls}
}

// rowsOf returns rows [from, to) of array data, which must be among its rows. The caller releases it.
func rowsOf(d arrow.ArrayData, from, to int) arrow.ArrayData {
	if from == 0 && to == d.Len() {
		d.Retain()
		return d
	}
	return array.NewSliceData(d, int64(from), int64(to))
}

// childrenOf returns the children of array data, of which there must be n with rows that can be sliced.
func childrenOf(d arrow.ArrayData, n int) ([]arrow.ArrayData, error) {
	children := d.Children()
	if len(children) != n {
		return nil, fmt.Errorf("%w: %d child arrays, not %d", ErrCorrupt, len(children), n)
	}
	for i, c := range children {
		if absent(c) {
			return nil, fmt.Errorf("%w: child array %d is not there", ErrCorrupt, i)
		}
		if c.Len() < 0 || c.Offset() < 0 || c.Len() > math.MaxInt-c.Offset() {
			return nil, fmt.Errorf("%w: child array %d of length %d at offset %d", ErrCorrupt, i, c.Len(), c.Offset())
		}
	}
	return children, nil
}

// releaseAll releases array data.
func releaseAll(all []arrow.ArrayData) {
	for _, d := range all {
		d.Release()
	}
}
