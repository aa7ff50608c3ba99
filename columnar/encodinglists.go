package columnar

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// lists are the rows of an array of lists with offsets, 32 or 64 bits wide.
type lists[O int32 | int64] struct {
	frame
	off   []O             // rows + 1 of them, into items; one 0 for no rows
	items arrow.ArrayData // all there are; the array holds them
	buf   *memory.Buffer
}

// listsOf reads and checks an array of lists.
func listsOf[O int32 | int64](d arrow.ArrayData) (lists[O], error) {
	f, err := frameOf(d)
	if err != nil {
		return lists[O]{}, err
	}
	children, err := childrenOf(d, 1)
	if err != nil {
		return lists[O]{}, err
	}
	l := lists[O]{frame: f, off: []O{0}, items: children[0]}
	if f.rows == 0 {
		return l, nil
	}
	offsets := bytesOf(d.Buffers(), 1)
	if err := enough("offsets", offsets, (f.at+f.rows+1)*int(unsafe.Sizeof(O(0)))); err != nil {
		return l, err
	}
	l.buf = d.Buffers()[1]
	l.off = castSlice[O](offsets)[f.at : f.at+f.rows+1]
	return l, ascending(l.off, l.items.Len())
}

// used returns the items from the first one of the rows to the last. The caller releases them.
func (l *lists[O]) used() arrow.ArrayData {
	return rowsOf(l.items, int(l.off[0]), int(l.off[l.rows]))
}

// offsets returns the offsets of the rows into the used items: a part of the array's own where they begin at 0 anyway. The
// caller releases them.
func (l *lists[O]) offsets(mem memory.Allocator) *memory.Buffer {
	width := int(unsafe.Sizeof(O(0)))
	if l.off[0] == 0 && l.buf != nil {
		return memory.SliceBuffer(l.buf, l.at*width, (l.rows+1)*width)
	}
	buf := NewBuffer(mem, (l.rows+1)*width)
	out := castSlice[O](buf.Bytes())
	for i, o := range l.off {
		out[i] = o - l.off[0]
	}
	return buf
}
