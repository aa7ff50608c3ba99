package columnar

import (
	"bytes"
	"encoding/binary"
)

// TextShape is what the texts of some pieces have in common, and where they differ. For order, a text counts as padded with
// zeros to the longest, followed by its length; bytes that are the same in all texts do not matter. Segments are the places of
// the first eight bytes that vary, side by side where they are:
//
//	shop-017/item/0043      Min 18, Max 19
//	shop-018/item/00431     Segments [7,8) [16,19): byte 18 of the first is padding
//	shop-017/item/0112
type TextShape struct {
	Min, Max int // bytes of the shortest and of the longest
	Segments []Segment
	Vary     int  // bytes in segments
	More     bool // bytes may vary that Segments do not have
}

// Segment is N bytes from At on.
type Segment struct{ At, N int }

// reach is how many bytes are looked at for eight that vary.
const reach = 256

// longPrefix is from how many bytes on a common prefix is worth comparing as such.
const longPrefix = 24

// ShapeOf measures the texts of pieces, and appends segments to those given. NULLs do not count.
func ShapeOf(pieces []Piece, segments []Segment) TextShape {
	shape := TextShape{Min: -1, Segments: segments}
	var first []byte
	for i := range pieces {
		pieces[i].lengths(&shape, &first)
	}
	shape.Min = max(shape.Min, 0)
	at := commonPrefix(pieces, first)
	for ; at < min(shape.Max, reach) && shape.Vary < 8; at += 32 {
		var base, masks [4]uint64
		for w := range base {
			base[w] = load8(first, at+8*w)
		}
		for i := range pieces {
			pieces[i].differ(&masks, &base, at)
		}
		for w, mask := range masks {
			shape.add(mask, at+8*w)
		}
	}
	shape.More = shape.More || at < shape.Max
	return shape
}

// add appends the bytes of the word at a place whose mask is not zero, as far as eight are not reached.
func (s *TextShape) add(mask uint64, at int) {
	for b := range 8 {
		if mask<<(8*b)>>56 == 0 {
			continue
		}
		if s.Vary == 8 {
			s.More = true
			return
		}
		s.Vary++
		if n := len(s.Segments); n > 0 && s.Segments[n-1].At+s.Segments[n-1].N == at+b {
			s.Segments[n-1].N++
		} else {
			s.Segments = append(s.Segments, Segment{at + b, 1})
		}
	}
}

// lengths takes the lengths of a piece into account, and finds the first text of all.
func (p *Piece) lengths(shape *TextShape, first *[]byte) {
	v := p.View
	if v.Nulls == 0 && p.Rows() > 0 {
		if shape.Min < 0 {
			*first = v.Text(p.From)
			shape.Min, shape.Max = len(*first), len(*first)
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
			*first = v.Text(row)
			shape.Min, shape.Max = n, n
		}
		shape.Min, shape.Max = min(shape.Min, n), max(shape.Max, n)
	}
}

func lengths[O int32 | int64](shape *TextShape, off []O) {
	before, least, most := off[0], O(shape.Min), O(shape.Max)
	for _, o := range off[1:] {
		least, most = min(least, o-before), max(most, o-before)
		before = o
	}
	shape.Min, shape.Max = int(least), int(most)
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

// commonPrefix returns a number of first bytes that are the same in all texts, a multiple of eight, where it is long enough
// to be worth comparing them whole. The ends of the pieces tell what to expect.
func commonPrefix(pieces []Piece, first []byte) int {
	common := first
	for i := range pieces {
		p := &pieces[i]
		for _, row := range [2]int{p.From, p.To - 1} {
			if p.Rows() > 0 && !p.View.IsNull(row) {
				common = common[:sameBytes(common, p.View.Text(row))]
			}
		}
	}
	if len(common) < longPrefix {
		return 0
	}
	for i := range pieces {
		p := &pieces[i]
		for row := p.From; row < p.To; row++ {
			if p.View.Nulls > 0 && p.View.IsNull(row) {
				continue
			}
			if text := p.View.Text(row); !bytes.HasPrefix(text, common) {
				common = common[:sameBytes(common, text)]
			}
		}
	}
	return len(common) &^ 7
}

// sameBytes returns how many first bytes two texts have in common.
func sameBytes(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// differ ORs into masks what differs from base in the 32 bytes of every text from at on.
func (p *Piece) differ(masks, base *[4]uint64, at int) {
	v := p.View
	switch {
	case p.Rows() == 0:
	case v.Nulls == 0 && v.Layout.Form == FormText32:
		differ(masks, base, v.off32[p.From:p.To+1], v.data, at)
	case v.Nulls == 0 && v.Layout.Form == FormText64:
		differ(masks, base, v.off64[p.From:p.To+1], v.data, at)
	default:
		for row := p.From; row < p.To; row++ {
			if v.Nulls == 0 || !v.IsNull(row) {
				differText(masks, base, v.Text(row), at)
			}
		}
	}
}

func differ[O int32 | int64](masks, base *[4]uint64, off []O, data []byte, at int) {
	m0, m1, m2, m3 := masks[0], masks[1], masks[2], masks[3]
	b0, b1, b2, b3 := base[0], base[1], base[2], base[3]
	from := int(off[0])
	for _, o := range off[1:] {
		to := int(o)
		if from+at+32 <= to {
			d := data[from+at : from+at+32]
			m0 |= binary.BigEndian.Uint64(d) ^ b0
			m1 |= binary.BigEndian.Uint64(d[8:]) ^ b1
			m2 |= binary.BigEndian.Uint64(d[16:]) ^ b2
			m3 |= binary.BigEndian.Uint64(d[24:]) ^ b3
		} else {
			text := data[from:to]
			m0 |= load8(text, at) ^ b0
			m1 |= load8(text, at+8) ^ b1
			m2 |= load8(text, at+16) ^ b2
			m3 |= load8(text, at+24) ^ b3
		}
		from = to
	}
	*masks = [4]uint64{m0, m1, m2, m3}
}

func differText(masks, base *[4]uint64, text []byte, at int) {
	for w := range masks {
		masks[w] |= load8(text, at+8*w) ^ base[w]
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

// StageText writes an integer for every text of the pieces at its staged row, of the same order as the texts as far as it
// goes: the first eight bytes that vary, or seven and the length. It says whether it goes all the way, so that equal
// integers mean equal texts. NULL is 0.
func StageText(dst []uint64, pieces []Piece, shape TextShape) (exact bool) {
	withLength := shape.Min != shape.Max && shape.Vary <= 7 && !shape.More && shape.Max-shape.Min <= 255
	for i := range pieces {
		p := &pieces[i]
		out := dst[p.Start : p.Start+p.Rows()]
		clear(out)
		for _, s := range shape.Segments {
			p.shiftIn(out, s)
		}
		for j := range out {
			out[j] <<= 8 * (8 - shape.Vary)
		}
		if withLength {
			for j := range out {
				out[j] |= uint64(p.View.textLen(p.From+j) - shape.Min)
			}
		}
		zeroNulls(out, p)
	}
	return !shape.More && (withLength || shape.Min == shape.Max)
}

// shiftIn shifts the bytes of a segment into the integers of a piece.
func (p *Piece) shiftIn(out []uint64, s Segment) {
	v := p.View
	switch {
	case len(out) == 0:
	case v.Layout.Form == FormText32:
		shiftIn(out, v.off32[p.From:p.To+1], v.data, s)
	case v.Layout.Form == FormText64:
		shiftIn(out, v.off64[p.From:p.To+1], v.data, s)
	default:
		for j := range out {
			out[j] = out[j]<<(8*s.N) | load8(v.Text(p.From+j), s.At)>>(64-8*s.N)
		}
	}
}

func shiftIn[O int32 | int64](out []uint64, off []O, data []byte, s Segment) {
	width, drop := uint(8*s.N), uint(64-8*s.N)
	from := int(off[0])
	for j, o := range off[1:] {
		to := int(o)
		x := uint64(0)
		if from+s.At+8 <= to {
			x = binary.BigEndian.Uint64(data[from+s.At:])
		} else {
			x = load8(data[from:to], s.At)
		}
		out[j] = out[j]<<width | x>>drop
		from = to
	}
}
