package columnar

import (
	"unsafe"

	"github.com/braidmerge/braid/simd"
)

// rowBlocks are where the values of staged rows lie that have not been copied: those of rows i*simd.BlockRows and after, up to the next
// block, lie from of[i] on. A block that a piece begins within is put aside, that is, copied:
//
//	staged rows   0-63 64-127 128-191 192-255
//	pieces        0    0      0 1     1
//	block         0    0      aside   1
type rowBlocks struct {
	of    []unsafe.Pointer
	used  int
	aside int // the last block that has been put aside, or noBlock
}

// begin makes way for blocks of n rows.
func (b *rowBlocks) begin(n int) {
	b.letGo()
	b.used, b.aside = (n+simd.BlockRows-1)/simd.BlockRows, noBlock
	if len(b.of) < b.used {
		b.of = make([]unsafe.Pointer, b.used+b.used/4)
	}
}

func (b *rowBlocks) letGo() {
	clear(b.of[:b.used])
	b.used = 0
}

// canLocate says whether values of a layout can stay in place.
func canLocate(l Layout) bool {
	switch l.Width {
	case 1, 2, 4, 8, 16, 32:
		return l.Form == FormFixed
	}
	return l.IsText()
}

// locateFixed is stageFixed for values that stay where they are, all but few.
func (s *Staged) locateFixed(w *Shape) {
	width := s.layout.Width
	s.fixed = grow(s.fixed, (w.rows()+slack)*width/8+1)
	copies, b := bytesIn(s.fixed), &s.rowBlocks
	b.begin(w.rows())
	var before *Piece
	for i := range w.Pieces {
		p := &w.Pieces[i]
		if p.Skip || p.Rows() == 0 {
			continue
		}
		values, end := p.View.fixed[p.From*width:p.To*width], p.Start+p.Rows()
		at := min((p.Start+simd.BlockRows-1)/simd.BlockRows*simd.BlockRows, end)
		if p.Start < at {
			s.putBlockAside(p.Start/simd.BlockRows, before)
			copy(copies[p.Start*width:at*width], values)
		}
		for ; at < end; at += simd.BlockRows {
			b.of[at/simd.BlockRows] = unsafe.Pointer(&values[(at-p.Start)*width])
		}
		before = p
	}
	at := SinglesAt(w.Room)
	for i, row := range w.Singles {
		s.putBlockAside((at+i)/simd.BlockRows, before)
		copy(copies[(at+i)*width:(at+i+1)*width], w.Pieces[row.Piece].View.Text(int(row.Row)))
	}
}

// putBlockAside makes a block one of copies, if it is not. before is the last piece with rows before those that are to be copied, or nil.
func (s *Staged) putBlockAside(block int, before *Piece) {
	b, width := &s.rowBlocks, s.layout.Width
	if block == b.aside {
		return
	}
	copies, first := bytesIn(s.fixed), block*simd.BlockRows
	if before != nil && before.Start+before.Rows() > first {
		copy(copies[first*width:], before.View.fixed[(before.From+first-before.Start)*width:before.To*width])
	}
	b.of[block], b.aside = unsafe.Pointer(&copies[first*width]), block
}

// Blocks returns where the values of the column staged last lie, as simd.TakeBlocks wants to know it. They must be numbers, and are
// borrowed as values in place are.
func (s *Staged) Blocks() []unsafe.Pointer {
	b := &s.rowBlocks
	if !s.inPlace {
		b.begin(s.rows)
		copies, size := bytesIn(s.fixed), simd.BlockRows*s.layout.Width
		for i := range b.used {
			b.of[i] = unsafe.Pointer(&copies[i*size])
		}
	}
	return b.of[:b.used]
}

// TakeNumbers takes the selected rows of the column staged last, which must be numbers of the width of T, as many at a time as values has
// room for, and gives each part, which begins with row sel[at], to a function until that returns false.
func TakeNumbers[T any](s *Staged, values []T, sel []uint32, part func(values []T, at int) bool) {
	s.share = simd.ShareOf(sel, s.rows)
	bytes, width := unsafe.Pointer(unsafe.SliceData(values)), int(unsafe.Sizeof(*new(T)))
	for at := 0; at < len(sel); at += len(values) {
		n := min(len(values), len(sel)-at)
		s.takeValues(unsafe.Slice((*byte)(bytes), n*width), sel[at:at+n])
		if !part(values[:n], at) {
			return
		}
	}
}
