package columnar

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/simd"
)

// child is a staged child column of a nested one: its pieces are the ranges of items of the parent's pieces, one after
// another, so that a list's staged offsets count its staged items.
//
//	piece 0   lists [a b] [c]        staged offsets 0 2 3     items a b c d e f
//	piece 1   lists [] [d e f]                      3 6
type child struct {
	staged Staged
	shape  Shape
	nulls  bool
	sel    []uint32 // scratch: the selected items
	bare   bool     // its rows have no bytes, so that their number says all
}

// reset empties the lists of pieces of n children.
func (s *Staged) resetChildren(n int) {
	for len(s.children) < n {
		s.children = append(s.children, &child{})
	}
	for _, c := range s.children[:n] {
		c.shape.Pieces, c.shape.Singles = c.shape.Pieces[:0], nil
	}
}

// stage stages the pieces of the child.
func (c *child) stage(layout Layout) error {
	c.nulls, c.bare = false, c.isBare(layout)
	if c.bare {
		return nil
	}
	for i := range c.shape.Pieces {
		p := &c.shape.Pieces[i]
		c.nulls = c.nulls || p.View.NullsIn(p.From, p.To) > 0
	}
	if c.nulls {
		c.staged.StageValid(&c.shape)
	}
	return c.staged.Stage(layout, &c.shape)
}

// stageList stages lists with offsets: offsets as those of text, and the items.
func (s *Staged) stageList(w *Shape) error {
	s.resetChildren(1)
	items := s.children[0]
	s.off = grow(s.off, w.rows()+slack)
	at := 0
	add := func(p *Piece, from, to, start int) {
		first, last := p.View.items(from, to)
		if last > first {
			items.shape.Pieces = append(items.shape.Pieces, Piece{View: &p.View.children[0], From: first, To: last, Start: at})
		}
		if at+last-first <= math.MaxUint32 {
			if off, add := s.off[start:start+to-from+1], uint32(at)-uint32(first); p.View.Layout.Form == FormList32 {
				simd.Rebase(off, p.View.off32[from:to+1], add)
			} else {
				simd.Rebase(off, p.View.off64[from:to+1], add)
			}
		}
		at += last - first
	}
	s.eachRange(w, add)
	if at > math.MaxUint32 {
		return fmt.Errorf("%w: %d list items in the rows that must be merged at once", ErrTooLarge, at)
	}
	items.shape.Room = at
	return items.stage(s.layout.Children[0])
}

// stageFixedList stages the items of lists of one length: those of staged row r are the items from r*Width on.
func (s *Staged) stageFixedList(w *Shape) error {
	s.resetChildren(1)
	items, width := s.children[0], s.layout.Width
	if int64(w.rows())*int64(width) > math.MaxUint32 {
		return fmt.Errorf("%w: %d lists of %d items in the rows that must be merged at once", ErrTooLarge, w.rows(), width)
	}
	s.eachRange(w, func(p *Piece, from, to, start int) {
		if first, last := p.View.items(from, to); last > first {
			items.shape.Pieces = append(items.shape.Pieces, Piece{View: &p.View.children[0], From: first, To: last, Start: start * width})
		}
	})
	items.shape.Room = w.rows() * width
	return items.stage(s.layout.Children[0])
}

// stageStruct stages every field at the staged rows of the struct.
func (s *Staged) stageStruct(w *Shape) error {
	s.resetChildren(len(s.layout.Children))
	for i, layout := range s.layout.Children {
		field := s.children[i]
		s.eachRange(w, func(p *Piece, from, to, start int) {
			field.shape.Pieces = append(field.shape.Pieces, Piece{View: &p.View.children[i], From: from, To: to, Start: start})
		})
		field.shape.Room = w.rows()
		if err := field.stage(layout); err != nil {
			return err
		}
	}
	return nil
}

// eachRange calls f for the rows [from, to) of every piece that is staged, and for every single, in ascending order of the
// staged row start.
func (s *Staged) eachRange(w *Shape, f func(p *Piece, from, to, start int)) {
	for i := range w.Pieces {
		if p := &w.Pieces[i]; !p.Skip && p.Rows() > 0 {
			f(p, p.From, p.To, p.Start)
		}
	}
	for i, row := range w.Singles {
		f(&w.Pieces[row.Piece], int(row.Row), int(row.Row)+1, SinglesAt(w.Room)+i)
	}
}

// isBare says whether the rows of the child have no bytes. A file can claim any number of such rows, so no scratch is made for
// them.
func (c *child) isBare(layout Layout) bool {
	for i := range c.shape.Pieces {
		if c.shape.Pieces[i].View.valid != nil {
			return false
		}
	}
	return layout.isBare()
}

// takeItems takes n items: those of sel, which fill lists.
func (c *child) takeItems(t arrow.DataType, n int, sel func([]uint32), mem memory.Allocator) (arrow.ArrayData, error) {
	if c.bare {
		return bareData(t, n), nil
	}
	c.sel = grow(c.sel, n)
	sel(c.sel[:n])
	return c.take(t, c.sel[:n], mem)
}

// take takes the selected rows of a child, with their validity.
func (c *child) take(t arrow.DataType, sel []uint32, mem memory.Allocator) (arrow.ArrayData, error) {
	if c.bare {
		return bareData(t, len(sel)), nil
	}
	valid := Validity{}
	if c.nulls && len(sel) > 0 {
		valid = TakeValid(c.staged.valid, sel, mem)
	}
	defer valid.Release()
	return c.staged.Take(t, sel, valid, mem)
}

// takeList takes lists with offsets. The type of an offset is that of the layout.
func takeList[O int32 | int64](s *Staged, t arrow.DataType, sel []uint32, valid Validity, mem memory.Allocator) (arrow.ArrayData, error) {
	offsets := NewBuffer(mem, (len(sel)+1)*int(unsafe.Sizeof(O(0))))
	total := simd.TakeOffsets(castSlice[O](offsets.Bytes()), s.off, sel)
	if s.layout.Form == FormList32 && total > maxOffset32 {
		offsets.Release()
		return nil, fmt.Errorf("%w: %d list items in one output batch of type %s", ErrTooLarge, total, t)
	}
	data, err := s.children[0].takeItems(childTypes(t)[0], total, func(items []uint32) { simd.ExpandRanges(items, s.off, sel) }, mem)
	if err != nil {
		offsets.Release()
		return nil, err
	}
	return newData(t, len(sel), valid, []arrow.ArrayData{data}, offsets), nil
}

func (s *Staged) takeFixedList(t arrow.DataType, sel []uint32, valid Validity, mem memory.Allocator) (arrow.ArrayData, error) {
	width := s.layout.Width
	data, err := s.children[0].takeItems(childTypes(t)[0], len(sel)*width, func(items []uint32) {
		for i, row := range sel {
			for j := range width {
				items[i*width+j] = row*uint32(width) + uint32(j)
			}
		}
	}, mem)
	if err != nil {
		return nil, err
	}
	return newData(t, len(sel), valid, []arrow.ArrayData{data}), nil
}

func (s *Staged) takeStruct(t arrow.DataType, sel []uint32, valid Validity, mem memory.Allocator) (arrow.ArrayData, error) {
	fields := make([]arrow.ArrayData, 0, len(s.layout.Children))
	for i, fieldType := range childTypes(t) {
		data, err := s.children[i].take(fieldType, sel, mem)
		if err != nil {
			for _, d := range fields {
				d.Release()
			}
			return nil, err
		}
		fields = append(fields, data)
	}
	return newData(t, len(sel), valid, fields), nil
}
