package columnar

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/braidmerge/braid/simd"
)

// Piece is rows [From, To) of a view, which are the staged rows from Start on.
type Piece struct {
	View     *View
	From, To int
	Start    int
	Skip     bool // no value of it is selected but by a Single
}

// Rows returns how many rows the piece has.
func (p *Piece) Rows() int { return p.To - p.From }

// Single is a row of the view of pieces[Piece] that is staged by itself. The singles of a window are the staged rows from
// SinglesAt on. They stand for the few selected rows of pieces that are not worth staging.
type Single struct {
	Piece uint32
	Row   uint32 // in the view
}

// SinglesAt returns the staged row of the first single, given the number of staged rows before.
func SinglesAt(room int) int { return room + Gap }

// Gap is how many staged rows lie between the pieces of one run and the next, so that slices of equal length do not fall on
// the same cache sets.
const Gap = 8

// slack is how many staged rows and bytes the loops of package simd may touch past the last.
const slack = 64

// Staged is the scratch memory for one staged column at a time. Its zero value is ready for use, and staging a column
// forgets the one before. It grows to the largest window and allocates nothing afterwards.
type Staged struct {
	layout Layout
	rows   int      // singles included
	valid  []byte   // a byte a staged row, 1 for valid
	values []byte   // FormBits: a byte a staged row
	fixed  []uint64 // FormFixed
	off    []uint32 // text: the staged offsets
	data   []byte

	inPlace   bool // values have been located, not copied
	share     simd.Share
	located   *located
	rowBlocks rowBlocks
	blocks    textBlocks // of StageViews
	stretches []simd.Stretch

	children []*child // of a nested layout

	ahead ahead

	touched byte // keeps the compiler from dropping the reads that warm the caches
}

// bytesIn sees numbers as bytes.
func bytesIn[T uint64 | int32](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// Bytes returns how much memory the scratch holds.
func (s *Staged) Bytes() int64 {
	n := int64(cap(s.valid)+cap(s.values)+8*cap(s.fixed)+4*cap(s.off)+cap(s.data)+24*cap(s.ahead.slices)+8*cap(s.rowBlocks.of)) + s.blocks.bytes()
	if s.located != nil {
		n += int64(unsafe.Sizeof(*s.located)) + int64(cap(s.located.owners))
	}
	for _, c := range s.children {
		n += c.staged.Bytes() + 4*int64(cap(c.sel))
	}
	return n
}

// grow makes a slice at least n long, without keeping what it held.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/4)
	}
	return s[:cap(s)]
}

// Shape says which rows of a window are staged where. Pieces come in ascending order of Start; Room is the number of staged
// rows they span. Values in place are looked up where they lie: for few long pieces that costs less than copying them first, and so it
// does for any pieces that are in the caches.
type Shape struct {
	Pieces  []Piece
	Room    int
	Singles []Single
	InPlace bool // text and values of fixed width need not be copied

	// Stretches are what the selection is made of with which the column is taken, if they are long and it is not in place: they are
	// copied as a whole then.
	Stretches []simd.Stretch
}

// rows returns the number of staged rows, singles included.
func (w *Shape) rows() int { return SinglesAt(w.Room) + len(w.Singles) }

// StageValid stages the validity of all pieces, skipped ones too, and of the singles, one byte a row, and returns it: 1 for
// valid, 0 for NULL. The result is good until the next StageValid.
func (s *Staged) StageValid(w *Shape) []byte {
	s.valid = grow(s.valid, w.rows()+slack)
	for i := range w.Pieces {
		p := &w.Pieces[i]
		dst := s.valid[p.Start:]
		switch {
		case p.View.Layout.Form == FormNull:
			clear(dst[:p.Rows()])
		case p.View.valid == nil:
			fillOnes(dst[:p.Rows()])
		default:
			simd.UnpackBits(dst, p.View.valid, p.View.validAt+p.From, p.Rows())
		}
	}
	for i, row := range w.Singles {
		s.valid[SinglesAt(w.Room)+i] = 1
		if w.Pieces[row.Piece].View.IsNull(int(row.Row)) {
			s.valid[SinglesAt(w.Room)+i] = 0
		}
	}
	return s.valid
}

// AddValid stages the validity of the pieces of one more column, as bit `column`, from 1 to 7, of the bytes that StageValid has returned
// for another column of the same window.
func (s *Staged) AddValid(w *Shape, column int) {
	for i := range w.Pieces {
		p := &w.Pieces[i]
		dst := s.valid[p.Start:]
		switch {
		case p.View.Layout.Form == FormNull:
		case p.View.valid == nil:
			for i := range dst[:p.Rows()] {
				dst[i] |= 1 << (column & 7)
			}
		default:
			simd.OrBits(dst, p.View.valid, p.View.validAt+p.From, p.Rows(), column)
		}
	}
}

func fillOnes(b []byte) {
	for i := range b {
		b[i] = 1
	}
}

// Stage stages the values of a column, whose pieces must be of one layout. Values that stay in place are borrowed until LetGo or the next
// Stage. More than 4 GiB of text is ErrTooLarge.
func (s *Staged) Stage(layout Layout, w *Shape) error {
	s.layout, s.rows = layout, w.rows()
	s.inPlace, s.stretches = w.InPlace && canLocate(layout), w.Stretches
	switch layout.Form {
	case FormBits:
		s.stageBits(w)
	case FormFixed:
		if s.inPlace {
			s.locateFixed(w)
			return nil
		}
		s.stageFixed(w)
	case FormText32, FormText64:
		if s.inPlace {
			return s.locateText(w)
		}
		return s.stageText(w)
	case FormList32, FormList64:
		return s.stageList(w)
	case FormFixedList:
		return s.stageFixedList(w)
	case FormStruct:
		return s.stageStruct(w)
	}
	return nil
}

func (s *Staged) stageBits(w *Shape) {
	s.values = grow(s.values, w.rows()+slack)
	for i := range w.Pieces {
		if p := &w.Pieces[i]; !p.Skip {
			simd.UnpackBits(s.values[p.Start:], p.View.bits, p.View.bitsAt+p.From, p.Rows())
		}
	}
	for i, row := range w.Singles {
		s.values[SinglesAt(w.Room)+i] = 0
		if w.Pieces[row.Piece].View.Bool(int(row.Row)) {
			s.values[SinglesAt(w.Room)+i] = 1
		}
	}
}

// stageFixed touches a line of every page of the slices before it copies them: the misses that each of many short slices
// begins with then overlap.
func (s *Staged) stageFixed(w *Shape) {
	width := s.layout.Width
	s.fixed = grow(s.fixed, (w.rows()+slack)*width/8+1)
	touched := byte(0)
	for i := range w.Pieces {
		p := &w.Pieces[i]
		if p.Skip {
			continue
		}
		b := p.View.fixed[p.From*width : p.To*width]
		for at := 0; at < len(b); at += 4096 {
			touched ^= b[at]
		}
	}
	s.touched = touched
	out := bytesIn(s.fixed)
	for i := range w.Pieces {
		if p := &w.Pieces[i]; !p.Skip {
			copy(out[p.Start*width:], p.View.fixed[p.From*width:p.To*width])
		}
	}
	if width == 8 {
		for i, row := range w.Singles {
			s.fixed[SinglesAt(w.Room)+i] = Fixed[uint64](w.Pieces[row.Piece].View)[row.Row]
		}
		return
	}
	for i, row := range w.Singles {
		copy(out[(SinglesAt(w.Room)+i)*width:], w.Pieces[row.Piece].View.Text(int(row.Row)))
	}
}

func (s *Staged) stageText(w *Shape) error {
	total, err := w.textBytes()
	if err != nil {
		return err
	}
	s.off = grow(s.off, w.rows()+slack)
	s.data = grow(s.data, total+slack)
	at := 0
	for i := range w.Pieces {
		p := &w.Pieces[i]
		if p.Skip || p.Rows() == 0 {
			continue
		}
		text, err := s.rebase(p, at)
		if err != nil {
			return err
		}
		at += copy(s.data[at:], text)
	}
	off := s.off[SinglesAt(w.Room):]
	off[0] = uint32(at)
	for i, row := range w.Singles {
		at += copy(s.data[at:], w.Pieces[row.Piece].View.Text(int(row.Row)))
		off[i+1] = uint32(at)
	}
	return nil
}

// textBytes returns how many bytes the texts have that are to be staged. More than 4 GiB are ErrTooLarge.
func (w *Shape) textBytes() (int, error) {
	total := int64(0)
	for i := range w.Pieces {
		if p := &w.Pieces[i]; !p.Skip {
			if err := p.checkEnds(p.From, p.To); err != nil {
				return 0, err
			}
			total += p.View.TextBytes(p.From, p.To)
		}
	}
	for _, row := range w.Singles {
		p := &w.Pieces[row.Piece]
		if err := p.checkEnds(int(row.Row), int(row.Row)+1); err != nil {
			return 0, err
		}
		total += p.View.TextBytes(int(row.Row), int(row.Row)+1)
	}
	if total > math.MaxUint32 {
		return 0, fmt.Errorf("%w: %d bytes of text in the rows that must be merged at once", ErrTooLarge, total)
	}
	return int(total), nil
}

// rebase stages the offsets of a piece as if the first were at, and returns its texts.
func (s *Staged) rebase(p *Piece, at int) (text []byte, err error) {
	var falls bool
	from, to := p.View.ends(p.From, p.To)
	if off, add := s.off[p.Start:p.Start+p.Rows()+1], uint32(at)-uint32(from); p.View.Layout.Form == FormText32 {
		falls = simd.Rebase(off, p.View.off32[p.From:p.To+1], add)
	} else {
		falls = simd.Rebase(off, p.View.off64[p.From:p.To+1], add)
	}
	if falls {
		return nil, p.View.CheckTexts(p.From, p.To)
	}
	return p.View.data[from:to:len(p.View.data)], nil
}

// checkEnds checks the first and the last offset of rows [from, to) of a text column, if that has not been done.
func (p *Piece) checkEnds(from, to int) error {
	if !p.View.unchecked || from == to {
		return nil
	}
	first, last := p.View.ends(from, to)
	if first < 0 || last < first || last > int64(len(p.View.data)) {
		return fmt.Errorf("%w: offsets from %d to %d of %d bytes of values", ErrCorrupt, first, last, len(p.View.data))
	}
	return nil
}

// ends returns the first and the last offset of rows [from, to) of a text column.
func (v *View) ends(from, to int) (first, last int64) {
	if v.Layout.Form == FormText32 {
		return int64(v.off32[from]), int64(v.off32[to])
	}
	return v.off64[from], v.off64[to]
}
