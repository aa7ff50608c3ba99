package columnar

import (
	"unsafe"

	"github.com/braidmerge/braid/simd"
)

// located is staged text that has not been copied: the offsets are staged and say how long each text is, the texts lie where
// they lay. Rows belong to places by groups of eight. Groups that two pieces share, and texts at the very end of a buffer,
// behind which the loops of package simd must not read, are put aside, that is, copied:
//
//	staged rows   0-7 8-15 16-23 24-31 32-39
//	pieces        0   0    0 1   1     1
//	place         0   0    aside 1     aside
type located struct {
	places [simd.MaxPlaces]simd.Place
	used   int
	owners []uint8 // the place of every eight staged rows

	asides   bool   // texts have been put aside:
	aside    int    // so many bytes of them
	asideEnd uint32 // the staged offset behind the last of them
	asideAt  uint8  // their place
}

// maxLocated is how many pieces may stay where they are: each has up to two stretches that are put aside.
const maxLocated = simd.MaxPlaces / 3

// locateText is stageText for texts that stay where they are, all but few.
func (s *Staged) locateText(w *Shape) error {
	total, err := w.textBytes()
	if err != nil {
		return err
	}
	s.LetGo()
	if s.rowBlocks.text = w.textWidth(); s.rowBlocks.text > 0 {
		s.locateBlocks(w, s.rowBlocks.text)
		return nil
	}
	s.off = grow(s.off, w.rows()+slack)
	if s.located == nil {
		s.located = &located{}
	}
	l := s.located
	l.owners = grow(l.owners, w.rows()>>3+1)
	l.asides, l.aside = false, 0
	stay := len(w.Pieces) <= maxLocated && w.inGroups()
	aside, at := total, 0
	if stay {
		aside = 0
	}
	var heads, tails [maxLocated]int
	for i := range w.Pieces {
		p := &w.Pieces[i]
		if p.Skip || p.Rows() == 0 {
			continue
		}
		text, err := s.rebase(p, at)
		if err != nil {
			return err
		}
		if stay {
			heads[i], tails[i] = p.staying(s.off, at, text)
			aside += len(text) - int(s.off[tails[i]]-s.off[heads[i]])
		}
		at += len(text)
	}
	off := s.off[SinglesAt(w.Room):]
	for i, row := range w.Singles {
		off[i] = uint32(at)
		at += len(w.Pieces[row.Piece].View.Text(int(row.Row)))
		off[i+1] = uint32(at)
	}
	if stay && len(w.Singles) > 0 {
		aside += at - int(off[0])
	}
	s.data = grow(s.data, aside+slack)
	for i := range w.Pieces {
		p := &w.Pieces[i]
		if p.Skip || p.Rows() == 0 {
			continue
		}
		first, last := p.View.ends(p.From, p.To)
		text, end := p.View.data[first:last], p.Start+p.Rows()
		if !stay {
			s.putAside(text, p.Start, end)
			continue
		}
		from := s.off[p.Start]
		head, tail := s.off[heads[i]]-from, s.off[tails[i]]-from
		s.putAside(text[:head], p.Start, heads[i])
		l.stay(text[head:tail], s.off[heads[i]], heads[i], tails[i])
		s.putAside(text[tail:], tails[i], end)
	}
	for i, row := range w.Singles {
		s.putAside(w.Pieces[row.Piece].View.Text(int(row.Row)), SinglesAt(w.Room)+i, SinglesAt(w.Room)+i+1)
	}
	return nil
}

// LetGo ends the borrowing: nothing is left that points to the values, which may be in memory that is given back. They must not be
// taken any more.
func (s *Staged) LetGo() {
	s.rowBlocks.letGo()
	s.letTextsGo()
}

func (s *Staged) letTextsGo() {
	if l := s.located; l != nil {
		clear(l.places[:l.used])
		l.used = 0
	}
}

// inGroups says whether pieces share groups of eight staged rows only with those right before and behind them.
func (w *Shape) inGroups() bool {
	end := -1
	for i := range w.Pieces {
		p := &w.Pieces[i]
		if p.Skip || p.Rows() == 0 {
			continue
		}
		if p.Start != end && (p.Start&7 != 0 || p.Start < end) {
			return false
		}
		end = p.Start + p.Rows()
	}
	return true
}

// staying returns the staged rows of a piece that need not be put aside: whole groups, with room behind them. Its texts are
// text, the staged offset of the first is at.
func (p *Piece) staying(off []uint32, at int, text []byte) (from, to int) {
	end := p.Start + p.Rows()
	from = min((p.Start+7)&^7, end)
	to = max(end&^7, from)
	for to > from && int(off[to])-at+simd.Slack > cap(text) {
		to = max(to-8, from)
	}
	return from, to
}

// stay makes staged rows [from, to), whole groups, belong to a place where their texts lie already.
func (l *located) stay(text []byte, at uint32, from, to int) {
	if from < to {
		l.own(l.place(text, at), from, to)
	}
}

func (l *located) place(text []byte, at uint32) uint8 {
	l.places[l.used] = simd.Place{Text: unsafe.Pointer(unsafe.SliceData(text)), At: at}
	l.used++
	return uint8(l.used - 1)
}

func (l *located) own(place uint8, from, to int) {
	owners := l.owners[from>>3 : (to+7)>>3]
	for i := range owners {
		owners[i] = place
	}
}

// putAside copies the texts of staged rows [from, to). Those that follow one another share a place.
func (s *Staged) putAside(text []byte, from, to int) {
	if from == to {
		return
	}
	l := s.located
	if at := s.off[from]; !l.asides || at != l.asideEnd {
		l.asides, l.asideAt = true, l.place(s.data[l.aside:], at)
	}
	l.own(l.asideAt, from, to)
	l.aside += copy(s.data[l.aside:], text)
	l.asideEnd = s.off[to]
}

// texts are the located texts.
func (s *Staged) texts() simd.Texts {
	return simd.Texts{Off: s.off, Places: &s.located.places, Owners: s.located.owners}
}
