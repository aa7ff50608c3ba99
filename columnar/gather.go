package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/simd"
)

// Gathered is scratch memory for selected rows of a column that are looked at and not put out. Its zero value is ready for
// use.
type Gathered struct {
	view   View
	valid  []byte
	values []byte
	off    []uint64
	nested arrow.ArrayData // what the view of a nested column looks at
}

// Release gives back what the view of a nested column looks at. The view of Gather is good no longer.
func (g *Gathered) Release() {
	if g.nested != nil {
		g.nested.Release()
		g.nested = nil
	}
}

// Bytes returns how much memory the scratch holds.
func (g *Gathered) Bytes() int64 { return int64(cap(g.valid) + cap(g.values) + 8*cap(g.off)) }

// Gather brings the selected staged rows together and returns a view of them, which is good until the next Gather into g, or
// Release. t is a type of the layout staged last, valid the staged validity, nil for a column without NULLs; the items of
// nested columns are allocated in mem. Text of more than 2 GiB for 32-bit offsets is ErrTooLarge.
func (s *Staged) Gather(g *Gathered, t arrow.DataType, sel []uint32, valid []byte, mem memory.Allocator) (*View, error) {
	g.Release()
	n := len(sel)
	g.view = View{Layout: s.layout, Order: OrderOf(t), Rows: n}
	switch s.layout.Form {
	case FormBits, FormFixed, FormText32, FormText64:
	default:
		return g.gatherNested(s, t, sel, valid, mem)
	}
	if valid != nil {
		g.valid = grow(g.valid, (n+7)/8)
		g.view.Nulls = n - simd.TakeBits(g.valid, valid, sel)
		if g.view.Nulls > 0 {
			g.view.valid = g.valid
		}
	}
	switch s.layout.Form {
	case FormBits:
		g.values = grow(g.values, (n+7)/8)
		simd.TakeBits(g.values, s.values, sel)
		g.view.bits = g.values
	case FormFixed:
		g.values = grow(g.values, n*s.layout.Width+slack)
		s.takeFixed(g.values[:n*s.layout.Width], sel)
		g.view.fixed = g.values[:n*s.layout.Width]
	case FormText32:
		g.off = grow(g.off, n/2+1)
		g.view.off32 = castSlice[int32](bytesIn(g.off))[:n+1]
		size := takeOffsets(g.view.off32, s, sel)
		if size > maxOffset32 {
			return nil, fmt.Errorf("%w: %d bytes of text of type %s in the rows of some keys", ErrTooLarge, size, t)
		}
		g.gatherText(s, size, sel)
	case FormText64:
		g.off = grow(g.off, n+1)
		g.view.off64 = castSlice[int64](bytesIn(g.off))[:n+1]
		g.gatherText(s, takeOffsets(g.view.off64, s, sel), sel)
	}
	return &g.view, nil
}

func (g *Gathered) gatherText(s *Staged, size int, sel []uint32) {
	g.values = grow(g.values, size+slack)
	s.copyTexts(g.values, sel)
	g.view.data = g.values[:size]
}

func (g *Gathered) gatherNested(s *Staged, t arrow.DataType, sel []uint32, valid []byte, mem memory.Allocator) (*View, error) {
	var v Validity
	if valid != nil {
		v = TakeValid(valid, sel, mem)
		defer v.Release()
	}
	var err error
	if g.nested, err = s.Take(t, sel, v, mem); err != nil {
		return nil, err
	}
	g.view, err = NewStagedView(g.nested)
	return &g.view, err
}
