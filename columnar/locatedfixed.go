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
	of     []unsafe.Pointer
	used   int
	aside  int // the last block that has been put aside, or noBlock
	asides int // so many have been
	text   int // the width of texts of one length that have been located so, 0 where others have been
}

// begin makes way for blocks of n rows.
func (b *rowBlocks) begin(n int) {
	b.letGo()
	b.used, b.aside, b.asides = (n+simd.BlockRows-1)/simd.BlockRows, noBlock, 0
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
func (s *Staged) locateFixed(w *Shape) { s.locateBlocks(w, s.layout.Width) }

// locateBlocks locates values of a width: of fixed width, or texts that all have so many bytes.
func (s *Staged) locateBlocks(w *Shape, width int) {
	b := &s.rowBlocks
	b.begin(w.rows())
	most := min(b.used, len(w.Pieces)+len(w.Singles)/simd.BlockRows+2) // put aside: one a piece, and those of singles
	s.fixed = grow(s.fixed, most*simd.BlockRows*width/8)
	var before *Piece
	for i := range w.Pieces {
		p := &w.Pieces[i]
		if p.Skip || p.Rows() == 0 {
			continue
		}
		values, end := p.values(width), p.Start+p.Rows()
		at := min((p.Start+simd.BlockRows-1)/simd.BlockRows*simd.BlockRows, end)
		if p.Start < at {
			copy(s.aside(p.Start, width, before), values[:(at-p.Start)*width])
		}
		for ; at < end; at += simd.BlockRows {
			b.of[at/simd.BlockRows] = unsafe.Pointer(&values[(at-p.Start)*width])
		}
		before = p
	}
	at := SinglesAt(w.Room)
	for i, row := range w.Singles {
		copy(s.aside(at+i, width, before), w.Pieces[row.Piece].View.Text(int(row.Row)))
	}
}

// values returns the bytes of a piece's values of a width.
func (p *Piece) values(width int) []byte {
	if p.View.Layout.Form == FormFixed {
		return p.View.fixed[p.From*width : p.To*width]
	}
	from, to := p.View.ends(p.From, p.To)
	return p.View.data[from:to]
}

// aside makes the block of a staged row one that is put aside, if it is not, and returns where in it the values from that row on go. before
// is the last piece with rows before it, or nil.
func (s *Staged) aside(row, width int, before *Piece) []byte {
	b, block, size := &s.rowBlocks, row/simd.BlockRows, simd.BlockRows*width
	first := block * simd.BlockRows
	if block != b.aside {
		b.aside = block
		b.asides++
		copies := bytesIn(s.fixed)[(b.asides-1)*size:]
		b.of[block] = unsafe.Pointer(&copies[0])
		if before != nil && before.Start+before.Rows() > first {
			copy(copies, before.values(width)[(first-before.Start)*width:])
		}
	}
	return bytesIn(s.fixed)[(b.asides-1)*size+(row-first)*width : b.asides*size]
}

// blocksOf are the located values.
func (s *Staged) blocksOf(width int) simd.Blocks {
	return simd.Blocks{Of: s.rowBlocks.of[:s.rowBlocks.used], Width: width}
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
