package columnar

import (
	"bytes"
	"encoding/binary"
)

// TextShape is what the texts of some pieces have in common, and where they differ. For order, a text counts as padded with
// zeros to the longest, followed by its length; bytes that are the same in all texts do not matter.
//
//	shop-017/item/0043      Prefix 5, Min 18, Max 19
//	shop-018/item/00431     Vary 7, 16, 17, 18 (byte 18 of the first is padding)
//	shop-017/item/0112
type TextShape struct {
	Prefix int // how many first bytes are the same in all
	Min    int // bytes of the shortest
	Max    int // bytes of the longest
	Vary   []int
	More   bool // bytes may vary that Vary does not have
}

// reach is how many bytes behind the common prefix are looked at one by one.
const reach = 64

// ShapeOf measures the texts of pieces, and appends the places where bytes vary to vary. NULLs do not count.
func ShapeOf(pieces []Piece, vary []int) TextShape {
	shape, first := commonShape(pieces)
	shape.Vary = vary
	if shape.Max == shape.Prefix {
		return shape
	}
	var masks [reach / 8]uint64
	words := (min(shape.Max-shape.Prefix, reach) + 7) / 8
	base := first[shape.Prefix:]
	for i := range pieces {
		p := &pieces[i]
		for row := p.From; row < p.To; row++ {
			if p.View.Nulls > 0 && p.View.IsNull(row) {
				continue
			}
			rest := p.View.Text(row)[shape.Prefix:]
			for w := range words {
				masks[w] |= load8(rest, 8*w) ^ load8(base, 8*w)
			}
		}
	}
	shape.More = shape.Max-shape.Prefix > reach
	for w, mask := range masks[:words] {
		for b := range 8 {
			if mask<<(8*b)>>56 != 0 {
				shape.Vary = append(shape.Vary, 8*w+b)
			}
		}
	}
	return shape
}

// commonShape measures lengths and the common prefix, and returns the first text.
func commonShape(pieces []Piece) (shape TextShape, first []byte) {
	var common []byte
	found := false
	for i := range pieces {
		p := &pieces[i]
		for row := p.From; row < p.To; row++ {
			if p.View.Nulls > 0 && p.View.IsNull(row) {
				continue
			}
			text := p.View.Text(row)
			if !found {
				found, first, common = true, text, text
				shape.Min, shape.Max = len(text), len(text)
				continue
			}
			shape.Min, shape.Max = min(shape.Min, len(text)), max(shape.Max, len(text))
			if !bytes.HasPrefix(text, common) {
				common = common[:commonPrefix(common, text)]
			}
		}
	}
	shape.Prefix = len(common)
	return shape, first
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
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
	withLength := shape.Min != shape.Max && len(shape.Vary) <= 7 && !shape.More && shape.Max-shape.Min <= 255
	vary := shape.Vary[:min(len(shape.Vary), 8)]
	dense := len(vary) > 0 && vary[len(vary)-1] < 8 // all in the first word of the rest
	for i := range pieces {
		p := &pieces[i]
		out := dst[p.Start : p.Start+p.Rows()]
		for j := range out {
			row := p.From + j
			if p.View.Nulls > 0 && p.View.IsNull(row) {
				out[j] = 0
				continue
			}
			text := p.View.Text(row)
			rest := text[shape.Prefix:]
			var x uint64
			if dense && !withLength {
				x = load8(rest, 0)
			} else {
				x = pickBytes(rest, vary)
			}
			if withLength {
				x |= uint64(len(text) - shape.Min)
			}
			out[j] = x
		}
	}
	return withLength || shape.Min == shape.Max && len(shape.Vary) <= 8 && !shape.More
}

// pickBytes puts the bytes at up to eight places side by side, the first highest.
func pickBytes(text []byte, places []int) uint64 {
	x := uint64(0)
	shift := 56
	for _, at := range places {
		if at < len(text) {
			x |= uint64(text[at]) << shift
		}
		shift -= 8
	}
	return x
}
