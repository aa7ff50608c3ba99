package columnar

import (
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// gatherer is scratch memory for arrays that are made of rows of others.
type gatherer struct {
	staged Staged
	shape  Shape
	nulls  bool     // among the staged rows
	sel    []uint32 // rows to take, filled by the user of the gatherer
}

var gatherers = sync.Pool{New: func() any { return new(gatherer) }}

// keptScratch is how many bytes of scratch memory a gatherer may take back to the pool.
const keptScratch = 64 << 20

// free gives the gatherer back to the pool.
func (g *gatherer) free() {
	g.forget()
	if g.staged.Bytes()+4*int64(cap(g.sel)) <= keptScratch {
		gatherers.Put(g)
	}
}

// forget drops the views that were added. What has been staged of them stays.
func (g *gatherer) forget() {
	clear(g.shape.Pieces)
	g.shape.Pieces, g.shape.Room = g.shape.Pieces[:0], 0
	g.staged.forget()
}

// forget drops the views that staged children refer to.
func (s *Staged) forget() {
	for _, c := range s.children {
		clear(c.shape.Pieces[:cap(c.shape.Pieces)])
		c.shape.Pieces = c.shape.Pieces[:0]
		c.staged.forget()
	}
}

// add makes the rows of a view the next ones to take from.
func (g *gatherer) add(v *View) {
	g.shape.Pieces = append(g.shape.Pieces, Piece{View: v, To: v.Rows, Start: g.shape.Room})
	g.shape.Room += v.Rows
}

// stage stages the rows of the views that were added, after which those are no longer needed. More of them than maxLoaded
// allows are ErrTooLarge.
func (g *gatherer) stage(t arrow.DataType, layout Layout) error {
	bytes := int64(0)
	g.nulls = false
	for i := range g.shape.Pieces {
		v := g.shape.Pieces[i].View
		bytes += weight(v, 0, v.Rows)
		g.nulls = g.nulls || v.Nulls > 0
	}
	if err := checkLoaded(bytes, t); err != nil {
		return err
	}
	if g.nulls {
		g.staged.StageValid(&g.shape)
	}
	return g.staged.Stage(layout, &g.shape)
}

// take makes an array of the staged rows that sel names.
func (g *gatherer) take(t arrow.DataType, mem memory.Allocator) (arrow.ArrayData, error) {
	valid := Validity{}
	if g.nulls && len(g.sel) > 0 {
		valid = TakeValid(g.staged.valid, g.sel, mem)
	}
	defer valid.Release()
	return g.staged.Take(t, g.sel, valid, mem)
}

// rowWeight is what a row costs beside its values, at every level: its selection and its offset.
const rowWeight = 8

// weight returns how many bytes it takes to stage or take rows [from, to) of a view, or something above maxLoaded. Rows that
// have no bytes weigh too: an array can have any number of them.
func weight(v *View, from, to int) int64 {
	rows := to - from
	switch {
	case rows == 0:
		return 0
	case rows > maxLoaded/rowWeight:
		return maxLoaded + 1
	}
	n := int64(rows)*rowWeight + v.TextBytes(from, to)
	switch v.Layout.Form {
	case FormFixed:
		n += int64(rows) * int64(v.Layout.Width)
	case FormList32, FormList64, FormFixedList:
		first, last := v.items(from, to)
		n += weight(&v.children[0], first, last)
	case FormStruct:
		for i := range v.children {
			n += weight(&v.children[i], from, to)
		}
	}
	return min(n, maxLoaded+1)
}

// rowBytes is the weight of a row with no text and no items.
func rowBytes(l *Layout) int64 {
	n := int64(rowWeight)
	switch l.Form {
	case FormFixed:
		n += int64(l.Width)
	case FormFixedList:
		n += int64(l.Width) * rowBytes(&l.Children[0])
	case FormStruct:
		for i := range l.Children {
			n += rowBytes(&l.Children[i])
		}
	}
	return min(n, maxLoaded+1)
}
