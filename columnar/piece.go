package columnar

import "github.com/braidmerge/braid/validity"

// Values returns the values of a piece of FormFixed as numbers of the same width. They are the array's own.
func Values[T any](p *Piece) []T { return Fixed[T](p.View)[p.From:p.To] }

// Nulls returns how many rows of the piece are NULL.
func (p *Piece) Nulls() int { return p.View.NullsIn(p.From, p.To) }

// ValidMask writes a mask of n rows of the piece, from row first of it on, which says which of them are not NULL. dst has
// validity.Words(n) words.
func (p *Piece) ValidMask(dst []uint64, first, n int) {
	switch v := p.View; {
	case v.Layout.Form == FormNull:
		clear(dst)
	case v.valid == nil:
		validity.Fill(dst, n)
	default:
		copyBits(dst, v.valid, v.validAt+p.From+first, n)
	}
}
