package columnar

import (
	"fmt"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// textViews is the codec of views of text and bytes, staged as text with 64-bit offsets.
type textViews struct {
	t, staged arrow.DataType
	mem       memory.Allocator
}

func (c *compiler) textViews(t, staged arrow.DataType) (*level, error) {
	return c.converted(t, staged, t, &textViews{t, staged, c.mem})
}

func (x *textViews) load(d arrow.ArrayData) (arrow.ArrayData, error) {
	f, err := frameOf(d)
	if err != nil {
		return nil, err
	}
	headers, err := valuesIn[arrow.ViewHeader](&f, "views", bytesOf(d.Buffers(), 1))
	if err != nil {
		return nil, err
	}
	var blocks [][]byte
	for i := 2; i < len(d.Buffers()); i++ {
		blocks = append(blocks, bytesOf(d.Buffers(), i))
	}
	offsets := NewBuffer(x.mem, 8*(f.rows+1))
	off := castSlice[int64](offsets.Bytes())
	if err := x.measure(off, headers, &f, blocks); err != nil {
		offsets.Release()
		return nil, err
	}
	text := NewBuffer(x.mem, int(off[f.rows]))
	copyViews(text.Buf(), headers, off, blocks)
	valid := f.validity(x.mem)
	defer valid.Release()
	return newData(x.staged, f.rows, valid, nil, offsets, text), nil
}

// measure checks views and writes their offsets, from 0, were their texts one after another. NULL has no text.
func (x *textViews) measure(off []int64, headers []arrow.ViewHeader, f *frame, blocks [][]byte) error {
	at := int64(0)
	off[0] = 0
	for row := range headers {
		if h := &headers[row]; !f.isNull(row) {
			if !h.IsInline() && !lies(h, blocks) || h.Len() < 0 {
				return fmt.Errorf("%w: row %d is a view of %d bytes from %d in buffer %d of %d", ErrCorrupt, row, h.Len(), h.BufferOffset(),
					h.BufferIndex(), len(blocks))
			}
			at += int64(h.Len())
		}
		off[row+1] = at
	}
	return checkLoaded(at, x.t)
}

// lies says whether the text of a view lies in one of the blocks.
func lies(h *arrow.ViewHeader, blocks [][]byte) bool {
	block, from := int(h.BufferIndex()), int(h.BufferOffset())
	return block >= 0 && block < len(blocks) && from >= 0 && from+h.Len() <= len(blocks[block])
}

// copyViews copies the texts of views that measure has found good to their offsets. All bytes a view has room for move at
// once, and the next text overwrites the surplus: text needs slack behind what is used.
func copyViews(text []byte, headers []arrow.ViewHeader, off []int64, blocks [][]byte) {
	inside := unsafe.Slice((*[4 + inlineText]byte)(unsafe.Pointer(unsafe.SliceData(headers))), len(headers))
	for row := range headers {
		at, n := off[row], off[row+1]-off[row]
		if n <= inlineText { // or NULL, whatever its header says
			copy(text[at:at+inlineText], inside[row][4:])
			continue
		}
		h := &headers[row]
		copy(text[at:at+n], blocks[h.BufferIndex()][h.BufferOffset():])
	}
}

// finish makes views that share the text of d.
func (x *textViews) finish(d arrow.ArrayData) (arrow.ArrayData, error) {
	return TextViews(d, x.t, x.mem)
}
