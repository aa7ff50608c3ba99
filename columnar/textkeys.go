package columnar

import (
	"math"

	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/simd"
)

// StageText writes an integer of shape.Bits bits for every text of the pieces at its staged row, of the same order as the
// texts as far as it goes, and sets shape to what it is made of. If shape.Exact, equal integers mean equal texts. Where they
// cannot be exact, integers of enough bits will do. NULL is 0.
func StageText(dst []uint64, pieces []Piece, enough int, shape *TextShape) {
	shape.measure(pieces)
	shape.plan(enough)
	if !shape.stage(dst, pieces) {
		if !shape.relook(pieces) {
			shape.remeasure(pieces)
		}
		shape.remember()
		shape.plan(enough)
		known := shape.stage(dst, pieces)
		invariants.Check(known, "texts differ where none was known to")
	}
	shape.first = nil
}

// chunkRows is how many texts are worked on at a time: few enough to stay in the nearest cache from one of their words to the
// next.
const chunkRows = 256

// stage writes the integers of all pieces. It returns false when a text differs from the others where none was known to.
func (s *TextShape) stage(dst []uint64, pieces []Piece) (ok bool) {
	for i := range pieces {
		p := &pieces[i]
		for from := p.From; from < p.To; from += chunkRows {
			to := min(from+chunkRows, p.To)
			out := dst[p.Start+from-p.From:][:to-from]
			if p.View.Nulls > 0 {
				ok = s.stageRows(out, p.View, from)
			} else {
				ok = s.stageChunk(out, p.View, from)
			}
			if !ok {
				return false
			}
		}
	}
	return true
}

// relook finds out which bits of the words at hand vary, by looking at all texts. It returns false where that is not enough,
// because bytes of the prefix vary.
func (s *TextShape) relook(pieces []Piece) (ok bool) {
	if s.prefix >= longPrefix {
		return false
	}
	for i := range s.words {
		s.words[i].loose = 0
	}
	for i := range pieces {
		p := &pieces[i]
		for from := p.From; from < p.To; from += chunkRows {
			n := min(chunkRows, p.To-from)
			if p.View.Nulls > 0 {
				s.lookRows(p.View, from, n)
			} else {
				s.lookChunk(p.View, from, n)
			}
		}
	}
	for i := range s.words {
		w := &s.words[i]
		if w.at < s.prefix && w.loose != 0 {
			return false
		}
		if w.at >= s.prefix {
			s.vary[(w.at-s.prefix)/8] |= w.loose
		}
	}
	return true
}

// lookRows makes bits of words loose that differ in n rows of a view from a row on.
func (s *TextShape) lookRows(v *View, from, n int) {
	for row := from; row < from+n; row++ {
		if v.IsNull(row) {
			continue
		}
		for w := range s.words {
			w := &s.words[w]
			w.loose |= load8(v.Text(row), w.at) ^ w.base
		}
	}
}

// lookChunk is lookRows for rows without a NULL.
func (s *TextShape) lookChunk(v *View, from, n int) {
	c := s.texts(v, from, from+n)
	safe := s.safe(c)
	if safe > 0 {
		head := c.from[:safe+1]
		for w := range s.words {
			if w := &s.words[w]; s.unpadded(w) {
				w.loose |= simd.DifferTexts(c.data, head, w.at, w.base) &^ s.behind(w)
			} else {
				w.loose |= simd.DifferPadded(c.data, head, w.at, w.base)
			}
		}
	}
	s.lookRows(v, from+safe, n-safe)
}

// unpadded says whether eight bytes can be read at a word without a look at lengths: all texts have so many, or they are of one
// length, and the bytes behind it do not count.
func (s *TextShape) unpadded(w *textWord) bool { return w.at+8 <= s.Min || s.Min == s.Max }

// behind returns the bits of a word that lie behind the end of the shortest text.
func (s *TextShape) behind(w *textWord) uint64 { return ^uint64(0) >> (8 * min(s.Min-w.at, 8)) }

// safe returns how many first texts have the bytes that are read at once at every word: at the very end of the data there are less.
func (s *TextShape) safe(c texts) int {
	n := max(len(c.from)-1, 0)
	for n > 0 && int(c.from[n-1])+s.ahead > len(c.data) {
		n--
	}
	return n
}

// stageRows writes the integers of the rows of a view from a row on, one by one.
func (s *TextShape) stageRows(out []uint64, v *View, from int) (ok bool) {
	differ := uint64(0)
	for i := range out {
		out[i] = 0
		if v.IsNull(from + i) {
			continue
		}
		text := v.Text(from + i)
		if s.prefix >= longPrefix && sameBytes(s.first, text) < s.prefix {
			return false
		}
		for w := range s.words {
			w := &s.words[w]
			x := load8(text, w.at)
			differ |= (x ^ w.base) &^ w.loose
			out[i] = w.Append(out[i], x)
		}
		if n := len(text); n > s.Min && text[n-1] == 0 {
			s.Exact = false // padded like a shorter one
		}
	}
	return differ == 0
}

// stageChunk is stageRows for rows without a NULL, word by word.
func (s *TextShape) stageChunk(out []uint64, v *View, from int) (ok bool) {
	c := s.texts(v, from, from+len(out))
	n := s.safe(c)
	if n == 0 {
		return s.stageRows(out, v, from)
	}
	if s.prefix >= longPrefix {
		for _, at := range c.from[:len(out)] {
			if string(c.data[at:int(at)+s.prefix]) != string(s.first[:s.prefix]) {
				return false
			}
		}
	}
	if s.Exact && s.Min < s.Max && c.mayEndInZero() {
		s.Exact = false // padded like a shorter one
	}
	differ := uint64(0)
	clear(out)
	head, fours := c.from[:n+1], s.fours
	for i := range s.words {
		w := &s.words[i]
		switch {
		case w.leads && len(fours) > 0 && fours[0].words[0].at == w.at:
			differ |= s.packFour(out[:n], c.data, head, &fours[0])
			fours = fours[1:]
		case w.leads:
			differ |= s.differ4(c.data, head, s.words[i:i+4])
		case w.led:
		case w.Mask() == 0 && s.unpadded(w):
			differ |= simd.DifferTexts(c.data, head, w.at, w.base) &^ (w.loose | s.behind(w))
		case w.Mask() == 0:
			differ |= simd.DifferPadded(c.data, head, w.at, w.base) &^ w.loose
		case s.unpadded(w):
			differ |= w.PackTexts(out[:n], c.data, head, w.at, w.base) &^ (w.loose | s.behind(w))
		default:
			differ |= w.PackPadded(out[:n], c.data, head, w.at, w.base) &^ w.loose
		}
	}
	return differ == 0 && (n == len(out) || s.stageRows(out[n:], v, from+n))
}

// packFour appends the bits of words to integers, and returns bits of the words that must not vary and do.
func (s *TextShape) packFour(out []uint64, data []byte, from []int32, four *textFour) (differ uint64) {
	if four.padded {
		bits := four.PackPadded(out, data, from)
		for i := range four.words {
			differ |= bits[i] &^ four.words[i].loose
		}
		return differ
	}
	return s.unexpected(four.PackTexts(out, data, from), four.words)
}

// differ4 returns bits of four words that must not vary and do.
func (s *TextShape) differ4(data []byte, from []int32, words []textWord) (differ uint64) {
	var base [4]uint64
	for i := range base {
		base[i] = words[i].base
	}
	return s.unexpected(simd.DifferTexts4(data, from, words[0].at, &base), words)
}

// unexpected returns the bits that differ and must not, of words that are not padded.
func (s *TextShape) unexpected(differ [4]uint64, words []textWord) (bits uint64) {
	for i := range words {
		bits |= differ[i] &^ (words[i].loose | s.behind(&words[i]))
	}
	return bits
}

// texts are some texts: text i is data[from[i]:from[i+1]].
type texts struct {
	from []int32
	data []byte
}

// texts returns rows [from, to) of a view, at most chunkRows. It returns no texts where 32 bits are not enough for their places.
func (s *TextShape) texts(v *View, from, to int) texts {
	n := to - from
	if v.Layout.Form == FormText32 {
		return texts{v.off32[from : to+1], v.data}
	}
	s.from = grow(s.from, chunkRows+1)
	at, data := s.from[:n+1], v.fixed
	if v.Layout.Form == FormText64 {
		off := v.off64[from : to+1]
		data = v.data[off[0]:]
		if off[n]-off[0] > math.MaxInt32 {
			return texts{}
		}
		for i, o := range off {
			at[i] = int32(o - off[0])
		}
		return texts{at, data}
	}
	if n*v.Layout.Width > math.MaxInt32 {
		return texts{}
	}
	for i := range at {
		at[i] = int32(i * v.Layout.Width)
	}
	return texts{at, data[from*v.Layout.Width:]}
}

// mayEndInZero says whether a text ends in a zero byte. It takes an empty text for one if there is such a byte before it.
func (t texts) mayEndInZero() bool {
	if len(t.data) == 0 {
		return false
	}
	zero := uint64(0)
	for _, end := range t.from[1:] {
		zero |= uint64(t.data[max(end, 1)-1]) - 1
	}
	return zero>>63 != 0
}
