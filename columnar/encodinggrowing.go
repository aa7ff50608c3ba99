package columnar

import "github.com/apache/arrow/go/v17/arrow/memory"

// growing is a buffer that only grows at its end. What has been shared of it never changes.
type growing struct {
	buf *memory.Buffer // as long as it has room
	n   int            // bytes that are used
}

func (g *growing) append(mem memory.Allocator, b []byte) {
	if g.buf == nil || g.n+len(b) > g.buf.Len() {
		wider := NewBuffer(mem, max(64, 2*(g.n+len(b))))
		copy(wider.Bytes(), g.bytes())
		g.release()
		g.buf = wider
	}
	g.n += copy(g.buf.Bytes()[g.n:], b)
}

func (g *growing) bytes() []byte {
	if g.buf == nil {
		return nil
	}
	return g.buf.Bytes()[:g.n]
}

// share returns what there is so far. The caller releases it.
func (g *growing) share() *memory.Buffer {
	if g.buf == nil {
		return memory.NewBufferBytes(nil)
	}
	return memory.SliceBuffer(g.buf, 0, g.n)
}

func (g *growing) size() int64 {
	if g.buf == nil {
		return 0
	}
	return int64(g.buf.Cap())
}

func (g *growing) release() {
	if g.buf != nil {
		g.buf.Release()
		g.buf = nil
	}
}
