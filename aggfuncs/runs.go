package aggfuncs

import (
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// Runs are a column in a window whose rows are all added in order, where its values are: as the pieces of runs, which come in such an
// order that of the rows of a group the older are before the newer.
//
//	run 0   rows 0 1 2       of  0 2 3
//	run 1   rows 8 9         of  2 4        the versions of group 2 are row 1 and then row 8
type Runs struct {
	Pieces []columnar.Piece
	Of     []uint32 // the group of every staged row; Count where a row is in none
	Count  int      // of groups, each of which has a row
}

// RunFolder is a Function that can do without merged order.
type RunFolder interface {
	Function
	// FoldRuns is Fold for such a window: it returns one result a group, which the caller releases, or nil where only Fold can tell
	// what comes of the rows, or which is to blame.
	FoldRuns(r *Runs, mem memory.Allocator) arrow.ArrayData
}

// runBlock is how many rows are looked at in turn for which of them are NULL.
const runBlock = 1024

// runs brings the values of runs to their groups. It is scratch memory.
type runs[T integer | float] struct {
	has    []byte // by group: 1 where a row has a value; in use if any row is NULL
	values []T    // of a block, NULLs left out
	of     []uint32
	mask   [runBlock / 64]uint64
}

// toGroups brings values to the groups they are of, which out has, and says whether there is trouble: then what it has written means
// nothing. It is called once for many rows.
type toGroups[T integer | float] func(out, values []T, of []uint32) (trouble bool)

// fold has values brought to groups, each of which begins with start. It returns nil if there is trouble.
func (f *runs[T]) fold(r *Runs, t arrow.DataType, start T, to toGroups[T], mem memory.Allocator) arrow.ArrayData {
	buffer := columnar.NewBuffer(mem, (r.Count+1)*int(unsafe.Sizeof(start)))
	defer buffer.Release()
	out := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(buffer.Bytes()))), r.Count+1)
	repeat(out, start)
	nulls := f.begin(r)
	f.ask(r)
	for i := range r.Pieces {
		if f.piece(r, &r.Pieces[i], nulls, out, to) {
			return nil
		}
	}
	buffer.ResizeNoShrink(r.Count * int(unsafe.Sizeof(start)))
	valid := columnar.Validity{}
	if nulls {
		valid = columnar.PackValid(f.has, r.Count, mem)
		defer valid.Release()
	}
	if zero := start == 0 && !math.Signbit(float64(start)); valid.Bitmap != nil && !zero {
		zeroNulls(out[:r.Count], valid.Bitmap.Bytes())
	}
	return array.NewData(t, r.Count, []*memory.Buffer{valid.Bitmap, buffer}, nil, valid.Nulls, 0)
}

// begin says whether a row is NULL, and makes ready to note the groups that have one that is not.
func (f *runs[T]) begin(r *Runs) (nulls bool) {
	for i := range r.Pieces {
		nulls = nulls || r.Pieces[i].Nulls() > 0
	}
	if nulls {
		f.has = grown(f.has, r.Count+64)
		clear(f.has)
	}
	return nulls
}

// pageBytes is how many bytes the smallest pages of memory have.
const pageBytes = 4096

// ask asks for a line of every page that values are on: the processor goes ahead by itself inside of a page, and is not to wait at the
// beginning of each.
func (f *runs[T]) ask(r *Runs) {
	for i := range r.Pieces {
		values := columnar.Values[T](&r.Pieces[i])
		b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T))))
		for at := 0; at < len(b); at += pageBytes {
			simd.Warm(b[at : at+1])
		}
	}
}

// piece brings the values of a piece to their groups.
func (f *runs[T]) piece(r *Runs, p *columnar.Piece, nulls bool, out []T, to toGroups[T]) (trouble bool) {
	values, of := columnar.Values[T](p), r.Of[p.Start:p.Start+p.Rows()]
	if p.Nulls() == 0 {
		if nulls {
			simd.Mark(f.has, of)
		}
		return to(out, values, of)
	}
	f.values, f.of = grown(f.values, runBlock), grown(f.of, runBlock)
	for first := 0; first < len(values); first += runBlock {
		n := min(runBlock, len(values)-first)
		mask := f.mask[:validity.Words(n)]
		p.ValidMask(mask, first, n)
		m := simd.Keep(f.values, f.of, values[first:first+n], of[first:first+n], mask)
		simd.Mark(f.has, f.of[:m])
		trouble = to(out, f.values[:m], f.of[:m]) || trouble
	}
	return trouble
}

// repeat fills out with a value.
func repeat[T any](out []T, x T) {
	if len(out) == 0 {
		return
	}
	out[0] = x
	for n := 1; n < len(out); n *= 2 {
		copy(out[n:], out[:n])
	}
}
