package columnar

import "github.com/braidmerge/braid/simd"

// textWidth returns how many bytes each of the texts has that are to be located, if they are of one length and can lie in blocks as values of
// fixed width do. It returns 0 for others. First and last offsets have been checked.
func (w *Shape) textWidth() int {
	if len(w.Singles) > 0 {
		return 0
	}
	width := 0
	for i := range w.Pieces {
		p := &w.Pieces[i]
		if p.Skip || p.Rows() == 0 {
			continue
		}
		if width == 0 {
			if width = p.View.textLen(p.From); width < simd.MinBlockWidth || width > simd.MaxBlockWidth {
				return 0
			}
			if least, most := p.textLengths(min(p.To, p.From+simd.BlockRows)); least != most {
				return 0
			}
		}
		from, to := p.View.ends(p.From, p.To)
		if least, most := p.textLengths(p.To); least != width || most != width || to-from != int64(width*p.Rows()) {
			return 0
		}
	}
	return width
}

// textLengths returns the lengths of the shortest and the longest text of rows [p.From, to) of a piece, at least one.
func (p *Piece) textLengths(to int) (least, most int) {
	if p.View.Layout.Form == FormText32 {
		l, m, _ := simd.Lengths(p.View.off32[p.From : to+1])
		return int(l), int(m)
	}
	l, m, _ := simd.Lengths(p.View.off64[p.From : to+1])
	return int(l), int(m)
}

// putLengths writes the offsets of n texts of a width and returns how many bytes they have.
func putLengths[O simd.Offset](offsets []O, width int) int {
	at := O(0)
	for i := range offsets {
		offsets[i] = at
		at += O(width)
	}
	return (len(offsets) - 1) * width
}
