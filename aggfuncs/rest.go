package aggfuncs

import (
	"unsafe"

	"github.com/braidmerge/braid/columnar"
)

// Rest are the rows of a column of numbers that have a value, but for the first of each group, in a window whose rows are all added, in
// order:
//
//	row        0 1 2 3 4        of group  0 0 1 2 2
//	value      3 - 1 5 2        results   3 1 5      at first
//	rest       4    of  2       results   3 1 7      where they are added
type Rest struct {
	Values *columnar.Staged // of the column
	Rows   []uint32         // as staged rows, in merged order
	Of     []uint32         // the groups they are of
}

// RestFolder is a Function of numbers that can begin with the first value of every group.
type RestFolder interface {
	Function
	// FoldRest folds the rest of the values into the results, which are the first values of the groups. Not ok is said where only Fold can
	// tell what comes of the rows, or which is to blame; then the results mean nothing.
	FoldRest(results []byte, r *Rest) (ok bool)
}

// foldRest brings the rest of the values to the results of their groups and says whether there is trouble: then what it has written means
// nothing. It is called once a window.
type foldRest[T integer | float] func(results []T, r *Rest) (trouble bool)

func (f foldRest[T]) fold(results []byte, r *Rest) (ok bool) {
	return !f(unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(results))), len(results)/int(unsafe.Sizeof(*new(T)))), r)
}

// located makes a foldRest of a loop of package simd that looks values up where they are.
func located[T integer | float](bring func(out []T, blocks []unsafe.Pointer, rows, of []uint32) (trouble bool)) foldRest[T] {
	return func(results []T, r *Rest) (trouble bool) { return bring(results, r.Values.Blocks(), r.Rows, r.Of) }
}

// takenRows is how many values are taken at a time.
const takenRows = 1024

// taken makes a foldRest of a loop that brings values to their groups which have been taken.
func taken[T integer | float](bring func(out, values []T, of []uint32) (trouble bool)) foldRest[T] {
	var values []T
	return func(results []T, r *Rest) (trouble bool) {
		values = grown(values, takenRows)
		columnar.TakeNumbers(r.Values, values, r.Rows, func(part []T, at int) bool {
			trouble = bring(results, part, r.Of[at:at+len(part)])
			return !trouble
		})
		return trouble
	}
}
