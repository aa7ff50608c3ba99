package kernel

import "github.com/braidmerge/braid/validity"

// need is about how many bytes of scratch the engine has after a window of so many rows, the most they can take: every row with
// bytes of its own, and every column supplied by rows of its own.
func (s *supplied) need(rows int) int64 {
	if s == nil {
		return 0
	}
	n, columns := int64(rows+wordSlack), int64(len(s.has))
	patterns := min(n, 1<<min(columns, 40))          // of the results
	pattern := 8 * int64(validity.Words(len(s.has))) // bytes of one
	value := 16 + min(2*columns, 1<<13)              // of a bitmap of so many columns
	known := min(64*n, 3<<17*int64(len(s.in.arranged)))
	masks := (4*int64(len(s.in.values)) + 6) * n / 8
	selections := 4 * n * min(keptSelections+1, int64(len(s.in.values)))
	numbers := 7 * 4 * n
	return max(s.held(), fixedSupplied+known+2*n*pattern+n*pattern+2*patterns*(pattern+8+value)+masks+selections+numbers)
}

// fixedSupplied is what a decoder and an encoder take whatever they are given.
const fixedSupplied = 1 << 16

// held is how many bytes of scratch the engine has.
func (s *supplied) held() int64 {
	if s == nil {
		return 0
	}
	words := cap(s.nulls) + cap(s.valid) + cap(s.single) + cap(s.holes)
	for _, masks := range [][][]uint64{s.has, s.results} {
		for _, mask := range masks {
			words += cap(mask)
		}
	}
	numbers := cap(s.numbers) + cap(s.merged) + cap(s.values) + cap(s.rows) + cap(s.adopted) + cap(s.sel)
	for i := range s.classes {
		words += cap(s.classes[i].pick) + cap(s.classes[i].hit)
		numbers += cap(s.classes[i].sel)
	}
	return s.decoder.Bytes() + s.encoder.Bytes() + 8*int64(words) + 4*int64(numbers)
}
