package columnar

import (
	"fmt"
	"sort"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
)

// inlineText is how many bytes a view of text has room for in itself.
const inlineText = simd.InlineText

// textBlock is the stretch of a buffer of text that views point into: a whole buffer, unless it is longer than an offset of a
// view can say.
type textBlock struct {
	text     *memory.Buffer
	from, to int64
}

// textBlocks are the blocks of one array of views. They borrow their buffers.
type textBlocks struct {
	list []textBlock
	of   []int32  // scratch: the block that the singles of a piece have, or noBlock
	off  []uint32 // scratch: offsets of some rows, from the beginning of their block
}

// noBlock stands for no block.
const noBlock = -1

// viewChunk is of how many rows views are written at a time, so that their offsets stay in the nearest cache.
const viewChunk = 1 << 10

// ViewType returns the type of views that a column of type t can be put out as. Types that are no text, or views of it, have
// none.
func ViewType(t arrow.DataType) (views arrow.DataType, ok bool) {
	switch t.(type) {
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return arrow.BinaryTypes.StringView, true
	case *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType:
		return arrow.BinaryTypes.BinaryView, true
	}
	return nil, false
}

// TextViews returns the rows of d, an array of text, as an array of the views t, whose buffers of text are d's own. Offsets that
// are wrong are ErrCorrupt, and a text of more than 2 GiB is ErrTooLarge. The caller releases the result.
func TextViews(d arrow.ArrayData, t arrow.DataType, mem memory.Allocator) (arrow.ArrayData, error) {
	v, err := NewView(d)
	if err != nil {
		return nil, err
	}
	f, err := frameOf(d)
	if err != nil {
		return nil, err
	}
	views := NewBuffer(mem, v.Rows*arrow.ViewHeaderSizeBytes)
	var b textBlocks
	if _, err := b.write(castSlice[simd.TextView](views.Bytes()), &v, 0, noBlock); err != nil {
		views.Release()
		return nil, err
	}
	valid := f.validity(mem)
	defer valid.Release()
	return newData(t, v.Rows, valid, nil, b.behind(views)...), nil
}

// StageViews is Stage for a column of text that is to be put out as views: of every row 16 bytes are staged, and the texts stay
// where they are. The views of the pieces are borrowed until the column has been taken. A text of more than 2 GiB is ErrTooLarge.
func (s *Staged) StageViews(w *Shape) error {
	s.layout, s.inPlace, s.stretches = Layout{Form: FormFixed, Width: arrow.ViewHeaderSizeBytes}, false, w.Stretches
	s.fixed = grow(s.fixed, 2*(w.rows()+slack))
	staged := castSlice[simd.TextView](bytesIn(s.fixed))
	b := &s.blocks
	b.forget()
	last := noBlock
	for i := range w.Pieces {
		p := &w.Pieces[i]
		if p.Skip || p.Rows() == 0 {
			continue
		}
		var err error
		if last, err = b.write(staged[p.Start:p.Start+p.Rows()], p.View, p.From, last); err != nil {
			return err
		}
	}
	if len(w.Singles) == 0 {
		return nil
	}
	return b.writeSingles(staged[SinglesAt(w.Room):], w)
}

// writeSingles writes the views of single rows, of which those of one piece, in any order, share a block.
func (b *textBlocks) writeSingles(dst []simd.TextView, w *Shape) error {
	b.of = grow(b.of, len(w.Pieces))
	for i := range w.Pieces {
		b.of[i] = noBlock
	}
	for i, row := range w.Singles {
		v, at := w.Pieces[row.Piece].View, int(row.Row)
		from, to := v.ends(at, at+1)
		if to > int64(maxOffset32) {
			if _, err := b.write(dst[i:i+1], v, at, noBlock); err != nil {
				return err
			}
			continue
		}
		if from < 0 || to < from || to > int64(len(v.data)) {
			return v.CheckTexts(at, at+1)
		}
		block := int(b.of[row.Piece])
		if block == noBlock {
			block = len(b.list)
		}
		dst[i] = simd.View(v.data, uint32(from), uint32(to), uint32(block))
		if to-from > inlineText {
			b.of[row.Piece] = int32(b.use(block, textBlock{text: v.text}, to, int64(len(v.data))))
		}
	}
	return nil
}

// TakeViews is Take for a column staged by StageViews: it makes an array of the views t, which shares the buffers of text with
// the arrays that were staged and keeps them alive.
func (s *Staged) TakeViews(t arrow.DataType, sel []uint32, valid Validity, mem memory.Allocator) arrow.ArrayData {
	views := NewBuffer(mem, len(sel)*arrow.ViewHeaderSizeBytes)
	s.takeFixed(views.Bytes(), sel)
	defer s.blocks.forget()
	return newData(t, len(sel), valid, nil, s.blocks.behind(views)...)
}

// forget makes way for another array, and for the garbage collector.
func (b *textBlocks) forget() {
	clear(b.list)
	b.list = b.list[:0]
}

// bytes returns how much memory is held.
func (b *textBlocks) bytes() int64 {
	return int64(cap(b.list))*int64(unsafe.Sizeof(textBlock{})) + 4*int64(cap(b.of)+cap(b.off))
}

// behind returns the buffers of an array: views, which it takes over, and the blocks. The caller releases them.
func (b *textBlocks) behind(views *memory.Buffer) []*memory.Buffer {
	buffers := make([]*memory.Buffer, 1, 1+len(b.list))
	buffers[0] = views
	for _, block := range b.list {
		if block.from == 0 && block.to == int64(block.text.Len()) {
			block.text.Retain()
			buffers = append(buffers, block.text)
			continue
		}
		buffers = append(buffers, memory.SliceBuffer(block.text, int(block.from), int(block.to-block.from)))
	}
	return buffers
}

// write writes the views of the rows of v from a row on, as many as dst has, whose offsets it checks. last is the block that was
// written before, or noBlock, and is used again if it is of the same text; the last one used is returned. A block that only inline
// texts would be of is not made.
func (b *textBlocks) write(dst []simd.TextView, v *View, from, last int) (int, error) {
	if v.Layout.Form == FormText32 {
		return writeViews(b, dst, v, v.off32, from, last)
	}
	return writeViews(b, dst, v, v.off64, from, last)
}

func writeViews[O int32 | int64](b *textBlocks, dst []simd.TextView, v *View, off []O, from, last int) (int, error) {
	for len(dst) > 0 {
		n := min(len(dst), viewChunk)
		rows := off[from : from+n+1]
		block, at := textBlock{text: v.text}, last
		if at != noBlock && b.list[at].text == v.text && int64(rows[0]) >= b.list[at].from {
			block = b.list[at]
		} else {
			at = len(b.list)
		}
		if int64(rows[n])-block.from > int64(maxOffset32) {
			block.from, at = int64(rows[0]), len(b.list)
			n = max(1, sort.Search(n, func(i int) bool { return int64(rows[i+1])-block.from > int64(maxOffset32) }))
			rows = rows[:n+1]
		}
		b.off = grow(b.off, n+1)
		falls := simd.Rebase(b.off[:n+1], rows, uint32(-block.from))
		if falls || int64(rows[n]) > int64(len(v.data)) {
			return last, v.CheckTexts(from, from+n)
		}
		if size := int64(rows[n]) - block.from; size > int64(maxOffset32) {
			return last, fmt.Errorf("%w: a text of %d bytes, a view has at most %d", ErrTooLarge, size, maxOffset32)
		}
		if simd.Views(dst[:n], b.off[:n+1], v.data[block.from:], uint32(at)) > inlineText {
			last = b.use(at, block, int64(rows[n]), int64(len(v.data)))
		}
		dst, from = dst[n:], from+n
	}
	return last, nil
}

// use notes that views point into a block, at, up to an end, in a text of so many bytes. Blocks that begin with their text have as
// much of it as they may.
func (b *textBlocks) use(at int, block textBlock, end, bytes int64) int {
	invariants.Check(block.text != nil, "texts of a view without a buffer")
	if block.to = max(block.to, end); block.from == 0 {
		block.to = min(bytes, int64(maxOffset32))
	}
	if at == len(b.list) {
		b.list = append(b.list, textBlock{})
	}
	b.list[at] = block
	return at
}
