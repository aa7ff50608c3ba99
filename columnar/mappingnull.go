package columnar

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// nullData makes n NULLs of a type. All its buffers, at every level, are one buffer of zeros. A type that nullLayout refuses
// is its error, more than 2 GiB in one buffer are ErrTooLarge.
func nullData(t arrow.DataType, n int, mem memory.Allocator) (arrow.ArrayData, error) {
	layout, err := nullLayout(t)
	if err != nil {
		return nil, err
	}
	size := zerosFor(&layout, int64(n))
	if size > math.MaxInt32 {
		return nil, fmt.Errorf("%w: %d NULLs of type %s", ErrTooLarge, n, t)
	}
	zeros := NewBuffer(mem, int(size))
	memory.Set(zeros.Bytes(), 0)
	defer zeros.Release()
	return nullsOver(zeros, t, &layout, n), nil
}

// nullLayout returns the layout of a type that nullData knows. NULLs of a view are headers of zeros.
func nullLayout(t arrow.DataType) (Layout, error) {
	if _, view := t.(arrow.BinaryViewDataType); view {
		return Layout{Form: FormFixed, Width: arrow.ViewHeaderSizeBytes}, nil
	}
	layout, err := LayoutOf(t)
	if err == nil && !layout.zeroable() {
		err = fmt.Errorf("%w: type %s cannot be added to a file", ErrSchema, t)
	}
	return layout, err
}

// zeroable says whether NULLs of a layout are what nullsOver makes.
func (l *Layout) zeroable() bool {
	for i := range l.Children {
		if !l.Children[i].zeroable() {
			return false
		}
	}
	return l.Form <= FormStruct
}

// zerosFor returns the bytes of the longest buffer of n NULLs.
func zerosFor(l *Layout, n int64) int64 {
	size := (n + 7) / 8
	switch l.Form {
	case FormFixed:
		size = n * int64(l.Width)
	case FormText32, FormList32:
		size = (n + 1) * 4
	case FormText64, FormList64:
		size = (n + 1) * 8
	}
	for i := range l.Children {
		if size > math.MaxInt32 {
			return size
		}
		size = max(size, zerosFor(&l.Children[i], l.childRows(n)))
	}
	return size
}

// childRows returns the rows that the child of n NULLs has.
func (l *Layout) childRows(n int64) int64 {
	switch l.Form {
	case FormStruct:
		return n
	case FormFixedList:
		return n * int64(l.Width)
	}
	return 0
}

// nullsOver makes n NULLs whose buffers are all the same zeros.
func nullsOver(zeros *memory.Buffer, t arrow.DataType, l *Layout, n int) arrow.ArrayData {
	buffers := []*memory.Buffer{zeros}
	switch l.Form {
	case FormNull:
		buffers[0] = nil
	case FormBits, FormFixed, FormList32, FormList64:
		buffers = append(buffers, zeros)
	case FormText32, FormText64:
		buffers = append(buffers, zeros, zeros)
	}
	children := make([]arrow.ArrayData, len(l.Children))
	for i, childType := range childTypes(t) {
		children[i] = nullsOver(zeros, childType, &l.Children[i], int(l.childRows(int64(n))))
	}
	defer release(children)
	return array.NewData(t, n, buffers, children, n, 0)
}
