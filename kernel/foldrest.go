package kernel

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// begun is where a function of numbers begins in a window that has nothing but adds, in order: the first value of every key is its result
// so far, and the rest of the values are folded into that.
//
//	key      a a a  b b  c
//	value    - 3 4  1 5  -
//	first      ^    ^    ^     the result of a key without a value is NULL
//	rest         ^    ^
type begun struct {
	first []uint64 // one row of every key
	sel   []uint32 // these as staged rows
	rest  []uint64
	rows  []uint32 // the rest as staged rows
	of    []uint32 // and the keys they are of
}

// find finds where a column begins whose rows with a value are those of has.
func (b *begun) find(w *window, has, ends []uint64) {
	b.first, b.rest = maskOf(b.first, w.rows), maskOf(b.rest, w.rows)
	validity.FirstValid(b.first, has, ends)
	for i, first := range b.first {
		b.rest[i] = has[i] &^ first
	}
	rest := validity.Count(b.rest)
	validity.OrEnds(b.first, ends)
	b.sel = slices.Grow(b.sel[:0], w.groups)[:w.groups]
	simd.SelectBits(b.sel, b.first, w.words, w.form.idxBits)
	b.rows, b.of = slices.Grow(b.rows[:0], rest)[:rest], slices.Grow(b.of[:0], rest)[:rest]
	simd.SelectBits(b.rows, b.rest, w.words, w.form.idxBits)
	simd.GroupsOf(b.of, b.rest, ends)
}

// bytes returns how many bytes it holds.
func (b *begun) bytes() int64 {
	return 8*int64(cap(b.first)+cap(b.rest)) + 4*int64(cap(b.sel)+cap(b.rows)+cap(b.of))
}

// beginAll returns where functions of columns without NULLs begin.
func (f *folds) beginAll(w *window, ends []uint64) *begun {
	if !f.known {
		f.known = true
		f.every = maskOf(f.every, w.rows)
		validity.Fill(f.every, w.rows)
		f.begun.find(w, f.every, ends)
	}
	return &f.begun
}

// foldRest makes a column of what a function makes of the values of every key, beginning with the first. It makes nothing where only Fold
// can tell what comes of the rows, or which is to blame.
func (c *columns) foldRest(w *window, m *masks, fn *function, folder aggfuncs.RestFolder, place int, mem memory.Allocator) (arrow.ArrayData, error) {
	f, input := &c.folds, c.in.at(place)
	var b *begun
	var valid columnar.Validity
	if noNullsIn(w.column(place).Pieces) {
		b = f.beginAll(w, m.ends)
	} else {
		b = &f.some
		has := c.merged.of(place, w, &c.staged)
		b.find(w, has, m.ends)
		valid = columnar.CompressValid(has, b.first, w.groups, mem)
		defer valid.Release()
	}
	shape := w.column(place)
	c.stretch(shape, b.sel)
	if err := c.staged.Stage(input.layout, shape); err != nil {
		return nil, named(input, err)
	}
	results, err := c.staged.Take(fn.field.Type, b.sel, valid, mem)
	if err != nil {
		return nil, named(input, err)
	}
	f.rest = aggfuncs.Rest{Values: &c.staged, Rows: b.rows, Of: b.of}
	if !folder.FoldRest(results.Buffers()[1].Bytes(), &f.rest) {
		results.Release()
		return nil, nil
	}
	return fn.held(results, w.groups)
}
