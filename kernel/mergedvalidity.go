package kernel

import (
	"slices"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
)

// mergedValidity brings the validity of columns that have NULLs and values into merged order, up to eight of them at once: the one that is
// asked for, and those that are going to be.
//
//	staged row     0  1  2      words 2 0 1
//	column 5       1  1  0      in merged order   0 1 1
//	column 7       1  0  1                        1 1 0
//	staged byte    3  1  2      in merged order   2 3 1
type mergedValidity struct {
	places []int // of the columns that may be asked for, among the views of a batch, in the order of the output
	held   []int // of those whose masks are at hand
	masks  [][]uint64
}

// together is how many columns are brought into merged order at once.
const together = 8

// forget forgets the masks of the window.
func (v *mergedValidity) forget() { v.held = v.held[:0] }

// of returns the mask of the rows of the window, in merged order, that have a value in the column at a place. It is good until that of
// another column is asked for, and may be overwritten. The pieces of the window's shape become those of any column.
func (v *mergedValidity) of(at int, w *window, staged *columnar.Staged) []uint64 {
	held := slices.Index(v.held, at)
	if held < 0 {
		v.bring(at, w, staged)
		held = 0
	}
	return v.masks[held]
}

// bring makes the masks of the column at a place and of the next ones.
func (v *mergedValidity) bring(at int, w *window, staged *columnar.Staged) {
	v.held = append(v.held[:0], at)
	for _, next := range v.places[slices.Index(v.places, at)+1:] {
		if len(v.held) < together && isMixed(w.column(next)) {
			v.held = append(v.held, next)
		}
	}
	for len(v.masks) < len(v.held) {
		v.masks = append(v.masks, nil)
	}
	valid := staged.StageValid(w.column(at))
	for i, at := range v.held {
		v.masks[i] = maskOf(v.masks[i], w.rows)
		if i > 0 {
			staged.AddValid(w.column(at), i)
		}
	}
	simd.MergeColumns(v.masks[:len(v.held)], valid, w.words, w.rows, w.form.idxBits)
}

// isMixed says whether a piece of a column has NULLs and values.
func isMixed(shape *columnar.Shape) bool {
	for i := range shape.Pieces {
		if nullness(&shape.Pieces[i]) == mixed {
			return true
		}
	}
	return false
}

// bytes returns how many bytes the masks have.
func (v *mergedValidity) bytes() (bytes int64) {
	for _, mask := range v.masks {
		bytes += 8 * int64(cap(mask))
	}
	return bytes
}
