package columnar

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// relay gives texts offsets of another width, and values of one width offsets. Their bytes are shared.
func relay(c *casting) (arrow.ArrayData, error) {
	wide := c.table.Layout().Buffers[1].ByteWidth == 8
	if c.view.Layout.Form == FormFixed {
		width := c.view.Layout.Width
		if wide {
			return c.done(evenOffsets[int64](c, width), c.shareValues()), nil
		}
		if c.rows()*width > math.MaxInt32 {
			return nil, tooWide(c.rows()*width, "bytes of text")
		}
		return c.done(evenOffsets[int32](c, width), c.shareValues()), nil
	}
	offsets, err := c.offsets(wide, c.mem)
	if err != nil {
		return nil, err
	}
	first := c.textStart()
	bytes := memory.SliceBuffer(textBytes(c), first, int(c.view.TextBytes(c.from, c.to)))
	return c.done(offsets, bytes), nil
}

// textBytes returns the buffer with the bytes of an excerpt's texts; one without any bytes if there is none.
func textBytes(c *casting) *memory.Buffer {
	if b := c.data.Buffers()[2]; b != nil {
		return b
	}
	return memory.NewBufferBytes(nil)
}

// textStart returns where the bytes of the first row begin.
func (p excerpt) textStart() int {
	if p.view.off32 != nil {
		return int(p.view.off32[p.from])
	}
	return int(p.view.off64[p.from])
}

// evenOffsets returns the offsets of the excerpt's rows with width bytes each.
func evenOffsets[O int32 | int64](c *casting, width int) *memory.Buffer {
	offsets := NewBuffer(c.mem, (c.rows()+1)*int(unsafe.Sizeof(O(0))))
	for i, dst := 0, castSlice[O](offsets.Bytes()); i < len(dst); i++ {
		dst[i] = O(i * width)
	}
	return offsets
}

// offsets returns the offsets of the rows, of texts or lists, counted from 0 and of 32 or 64 bits. More bytes or items than
// 32 bits count are ErrTooLarge.
func (p excerpt) offsets(wide bool, mem memory.Allocator) (*memory.Buffer, error) {
	if p.view.off32 != nil {
		return rebased(p.view.off32[p.from:p.to+1], wide, mem)
	}
	return rebased(p.view.off64[p.from:p.to+1], wide, mem)
}

func rebased[S int32 | int64](src []S, wide bool, mem memory.Allocator) (*memory.Buffer, error) {
	if wide {
		return rebasedTo[S, int64](src, mem), nil
	}
	if total := int64(src[len(src)-1] - src[0]); total > math.MaxInt32 {
		return nil, tooWide(int(total), "bytes or items")
	}
	return rebasedTo[S, int32](src, mem), nil
}

func rebasedTo[S, D int32 | int64](src []S, mem memory.Allocator) *memory.Buffer {
	offsets := NewBuffer(mem, len(src)*int(unsafe.Sizeof(D(0))))
	first := src[0]
	for i, dst := 0, castSlice[D](offsets.Bytes())[:len(src)]; i < len(dst); i++ {
		dst[i] = D(src[i] - first)
	}
	return offsets
}

func tooWide(n int, what string) error {
	return fmt.Errorf("%w: %d %s for 32-bit offsets", ErrTooLarge, n, what)
}
