package columnar

import (
	"encoding/binary"
	"math/bits"

	"github.com/braidmerge/braid/simd"
)

// TextShape is what the texts of some pieces have in common, and where they differ. For order, a text counts as padded with
// zeros to the longest, and bits that are the same in all texts do not matter: digits have four that do, small letters five.
// The texts are seen as words of eight bytes, and their first 64 bits that vary make an integer:
//
//	         0        8        16
//	         shop-017 /item/00 43......
//	         shop-018 /item/00 431.....
//	varying  00000000 00000000 ffff000...     the low nibbles of a byte, and all that a digit has of a byte that is padding
//
// Which bits vary is found by looking at some texts. Staging looks at the others, and measures them all if one differs
// elsewhere.
type TextShape struct {
	Min, Max int  // bytes of the shortest and of the longest
	Bits     int  // how many bits the integers have
	Exact    bool // bits that Bits does not count are the same in all texts

	first  []byte
	prefix int // so many first bytes are compared as they are, before words
	vary   []uint64
	words  []textWord
	fours  []textFour // of the words that lead, those with bits to be packed
	ahead  int        // so many bytes from its beginning on may be read of a text
	seen   []uint64   // where the texts of an earlier window differed that was not expected, by word from the first byte on
	from   []int32    // scratch: where texts begin
}

// textWord is eight bytes of texts, from at on, the first in the highest byte.
type textWord struct {
	at    int
	base  uint64 // of the first text
	loose uint64 // bits that may vary; the others are those of base
	simd.Packer

	leads bool // it and up to three words behind it are looked at together
	led   bool // it is one of such words
}

// textFour are words that are looked at together, and packed in the same pass.
type textFour struct {
	simd.Four
	words  []textWord
	padded bool // some texts end in them
}

const (
	reach      = 256 // how many bytes behind the common prefix are looked at for 64 bits that vary
	longPrefix = 64  // from how many bytes on a common prefix is worth comparing as such
	samples    = 256 // texts that are looked at first
)

// measure finds the lengths of the texts and the first of them, and guesses from some texts where they differ. NULLs do not
// count.
func (s *TextShape) measure(pieces []Piece) {
	s.Min, s.Max, s.first = -1, 0, nil
	rows := 0
	for i := range pieces {
		pieces[i].lengths(s)
		rows += pieces[i].Rows()
	}
	s.Min = max(s.Min, 0)
	s.prefix = s.Min
	stride := max(1, rows/samples)
	for i := range pieces {
		p := &pieces[i]
		p.sample(stride, func(text []byte) { s.prefix = min(s.prefix, sameBytes(s.first, text)) })
	}
	s.prefix &^= 7
	s.clear()
	for i := range pieces {
		p := &pieces[i]
		p.sample(stride, func(text []byte) {
			for w := range s.vary {
				s.vary[w] |= load8(text, s.prefix+8*w) ^ load8(s.first, s.prefix+8*w)
			}
		})
	}
	s.recall()
}

// recall takes bits that varied in an earlier window for varying again in bytes of which some bit does now.
func (s *TextShape) recall() {
	for w := range s.vary {
		if at := s.prefix/8 + w; at < len(s.seen) {
			s.vary[w] |= s.seen[at] & wholeBytes(s.vary[w])
		}
	}
}

// remember keeps where texts differ for windows to come.
func (s *TextShape) remember() {
	s.seen = append(s.seen[:0], make([]uint64, s.prefix/8)...)
	s.seen = append(s.seen, s.vary...)
}

// wholeBytes has all bits of the bytes of which x has one.
func wholeBytes(x uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	top := (x&low + low | x) &^ low // the top bit of every byte that is not 0
	return top >> 7 * 0xff
}

// clear forgets where texts differ behind the prefix.
func (s *TextShape) clear() {
	n := (min(s.Max-s.prefix, reach) + 7) / 8
	s.vary = grow(s.vary, n)[:n]
	clear(s.vary)
}

// remeasure finds out where texts differ by looking at all of them.
func (s *TextShape) remeasure(pieces []Piece) {
	for i := range pieces {
		pieces[i].sample(1, func(text []byte) { s.prefix = min(s.prefix, sameBytes(s.first, text)) })
	}
	s.prefix &^= 7
	s.clear()
	taken := 0
	for w := 0; w < len(s.vary) && taken <= 64; w += 4 {
		var base, masks [4]uint64
		for i := range base {
			base[i] = load8(s.first, s.prefix+8*(w+i))
		}
		for i := range pieces {
			pieces[i].differ(&masks, &base, s.prefix+8*w)
		}
		for i, mask := range masks[:min(4, len(s.vary)-w)] {
			s.vary[w+i] = mask
			taken += bits.OnesCount64(mask)
		}
	}
}

// plan chooses the bits of the integers: the first 64 that vary, or only enough where there are more than 64.
func (s *TextShape) plan(enough int) {
	s.Bits, s.words = 0, s.words[:0]
	s.Exact = s.prefix+8*len(s.vary) >= s.Max
	most, varying := 64, 0
	for _, mask := range s.vary {
		varying += bits.OnesCount64(mask)
	}
	if varying > most {
		most = min(most, enough)
	}
	if s.prefix < longPrefix {
		for at := 0; at < s.prefix; at += 8 {
			s.words = append(s.words, textWord{at: at, base: load8(s.first, at)})
		}
	}
	needed := len(s.words) // words that no integer can do without
	for w, mask := range s.vary {
		at := s.prefix + 8*w
		loose := mask
		for s.Bits+bits.OnesCount64(mask) > most { // only the highest of its bits
			mask &= mask - 1
		}
		if loose != mask {
			s.Exact = false
			if mask != 0 {
				loose = mask | (mask&-mask - 1) // and all below the lowest bit that is taken
			}
		}
		if mask == 0 && loose != 0 {
			break
		}
		s.words = append(s.words, textWord{at: at, base: load8(s.first, at), loose: loose, Packer: simd.NewPacker(mask)})
		if s.Bits += bits.OnesCount64(mask); mask != 0 {
			needed = len(s.words)
		}
		if !s.Exact && s.Bits == most {
			break
		}
	}
	if !s.Exact {
		s.words = s.words[:needed]
	}
	s.group()
}

// Known returns how many first bytes of texts of one length are the same where integers are, if these have all their bits.
func (s *TextShape) Known() int {
	known := s.prefix
	for i := range s.words {
		w := &s.words[i]
		left := w.loose &^ w.Mask()
		known = w.at + bits.LeadingZeros64(left)/8
		if left != 0 {
			break
		}
	}
	return known
}

// pattern makes the pattern of the texts. It returns false where they are too long, or their integers do not tell all of them.
func (s *TextShape) pattern(p *simd.Pattern) (ok bool) {
	if !s.Exact || s.Max > simd.MaxPattern || s.prefix >= longPrefix {
		return false
	}
	p.Clear(s.Max)
	for i := range s.words {
		w := &s.words[i]
		p.Add(w.at, w.base, &w.Packer)
	}
	return true
}

// length returns the length of a text that has been padded with zeros, where integers are exact.
func (s *TextShape) length(padded []byte) int {
	n := len(padded)
	for n > s.Min && padded[n-1] == 0 {
		n--
	}
	return n
}

// group finds words to be looked at together, up to four at a time: several of which some have bits to be packed, or
// the only one of short texts of several lengths, and four that have none.
func (s *TextShape) group() {
	s.fours, s.ahead = s.fours[:0], 0
	for i := 0; i < len(s.words); {
		words := s.words[i:min(i+4, len(s.words))]
		bits, padded, whole := uint64(0), false, false
		for j := range words {
			w := &words[j]
			bits |= w.Mask()
			padded = padded || !s.unpadded(w)
			whole = whole || w.Mask() == ^uint64(0)
		}
		s.ahead = words[0].at + 8
		switch {
		case whole || bits != 0 && len(words) == 1 && (!padded || s.Max > 32) || bits == 0 && (len(words) < 4 || padded):
			i++
			continue
		case bits != 0:
			s.addFour(words, padded)
		}
		words[0].leads = true
		for j := range words {
			words[j].led = true
		}
		s.ahead = words[0].at + 32
		i += len(words)
	}
}

func (s *TextShape) addFour(words []textWord, padded bool) {
	four := textFour{Four: simd.NewFour(words[0].at, s.Max), words: words, padded: padded}
	for j := range words {
		four.Add(words[j].base, &words[j].Packer)
	}
	s.fours = append(s.fours, four)
}

// sample calls f with the first and the last text of a piece and those between in steps of stride.
func (p *Piece) sample(stride int, f func(text []byte)) {
	for row := p.From; row < p.To; row += stride {
		if !p.View.IsNull(row) {
			f(p.View.Text(row))
		}
	}
	if p.To > p.From && !p.View.IsNull(p.To-1) {
		f(p.View.Text(p.To - 1))
	}
}

// lengths takes the lengths of a piece into account, and finds the first text of all.
func (p *Piece) lengths(shape *TextShape) {
	v := p.View
	if v.Nulls == 0 && p.Rows() > 0 {
		if shape.Min < 0 {
			shape.first = v.Text(p.From)
			shape.Min, shape.Max = len(shape.first), len(shape.first)
		}
		switch v.Layout.Form {
		case FormText32:
			lengths(shape, v.off32[p.From:p.To+1])
		case FormText64:
			lengths(shape, v.off64[p.From:p.To+1])
		}
		return
	}
	for row := p.From; row < p.To; row++ {
		if v.IsNull(row) {
			continue
		}
		n := v.textLen(row)
		if shape.Min < 0 {
			shape.first = v.Text(row)
			shape.Min, shape.Max = n, n
		}
		shape.Min, shape.Max = min(shape.Min, n), max(shape.Max, n)
	}
}

func lengths[O int32 | int64](shape *TextShape, off []O) {
	least, most, _ := simd.Lengths(off)
	shape.Min, shape.Max = min(shape.Min, int(least)), max(shape.Max, int(most))
}

func (v *View) textLen(row int) int {
	switch v.Layout.Form {
	case FormText32:
		return int(v.off32[row+1] - v.off32[row])
	case FormText64:
		return int(v.off64[row+1] - v.off64[row])
	}
	return v.Layout.Width
}

// sameBytes returns how many first bytes two texts have in common.
func sameBytes(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// differ ORs into masks what differs from base in the 32 bytes of every text from at on.
func (p *Piece) differ(masks, base *[4]uint64, at int) {
	v := p.View
	for row := p.From; row < p.To; row++ {
		if v.Nulls > 0 && v.IsNull(row) {
			continue
		}
		text := v.Text(row)
		for w := range masks {
			masks[w] |= load8(text, at+8*w) ^ base[w]
		}
	}
}

// load8 reads eight bytes from at on, the first in the highest byte; behind the end of the text there are zeros.
func load8(text []byte, at int) uint64 {
	left := len(text) - at
	if left <= 0 {
		return 0
	}
	if cap(text)-at < 8 {
		x := uint64(0)
		for i, b := range text[at:] {
			x |= uint64(b) << (56 - 8*i)
		}
		return x
	}
	x := binary.BigEndian.Uint64(text[at : at+8 : at+8])
	return x &^ (^uint64(0) >> (8 * min(left, 8)))
}
