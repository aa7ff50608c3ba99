package aggfuncs

import (
	"math/bits"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// outcome is what the fixed-width values of a window become an array from.
type outcome struct {
	t      arrow.DataType
	values *memory.Buffer // one a group, also of dropped ones
	has    []uint64       // at group ends: the group's result is not NULL; nil: none is NULL
}

// newValues returns a buffer for one value of type T a group.
func newValues[T any](g *Groups, mem memory.Allocator) (*memory.Buffer, []T) {
	b := columnar.NewBuffer(mem, g.Count*int(unsafe.Sizeof(*new(T))))
	return b, unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b.Bytes()))), g.Count)
}

// finish makes the array of the results that are wanted. Values under a NULL become zero.
func finish[T any](o outcome, g *Groups, mem memory.Allocator) arrow.ArrayData {
	defer o.values.Release()
	values := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(o.values.Bytes()))), g.Count)
	n, keep := g.Results(), g.wanted()
	if n < g.Count {
		values = keepWanted(values, g)
		o.values.ResizeNoShrink(n * int(unsafe.Sizeof(*new(T))))
	}
	valid := validityOf(o.has, keep, n, mem)
	defer valid.Release()
	if valid.Bitmap != nil {
		zeroNulls(values, valid.Bitmap.Bytes())
	}
	return array.NewData(o.t, n, []*memory.Buffer{valid.Bitmap, o.values}, nil, valid.Nulls, 0)
}

// wanted returns the group ends less those that are dropped.
func (g *Groups) wanted() []uint64 {
	if g.Drop == nil {
		return g.Ends
	}
	keep := make([]uint64, len(g.Ends))
	for w := range keep {
		keep[w] = g.Ends[w] &^ g.Drop[w]
	}
	return keep
}

// validityOf makes the validity bitmap of the n results at the rows of keep. has nil means that none is NULL.
func validityOf(has, keep []uint64, n int, mem memory.Allocator) columnar.Validity {
	if has == nil || n == 0 {
		return columnar.Validity{}
	}
	bitmap := columnar.NewBuffer(mem, (n+7)/8)
	ones := validity.Compress(bitmap.Bytes(), has, keep)
	if ones == n {
		bitmap.Release()
		return columnar.Validity{}
	}
	return columnar.Validity{Bitmap: bitmap, Nulls: n - ones}
}

// keepWanted moves the values of groups that are not dropped together.
func keepWanted[T any](values []T, g *Groups) []T {
	n, group := 0, 0
	for row := validity.Next(g.Ends, 0); row >= 0; row = validity.Next(g.Ends, row+1) {
		values[n] = values[group]
		group++
		if !validity.Get(g.Drop, row) {
			n++
		}
	}
	return values[:n]
}

// zeroNulls writes zero over the values that are not valid.
func zeroNulls[T any](values []T, valid []byte) {
	var zero T
	for i, b := range valid {
		for null := ^b; null != 0; null &= null - 1 {
			at := i<<3 + bits.TrailingZeros8(null)
			if at >= len(values) {
				return
			}
			values[at] = zero
		}
	}
}
