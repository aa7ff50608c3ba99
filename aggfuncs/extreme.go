package aggfuncs

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// extreme finds the row with the least or greatest value of every group by comparing values in place, and takes these rows.
// It works on every type that has an order.
type extreme struct {
	t       arrow.DataType
	options Options
	least   bool
	masks   rowMasks
	taker   taker
	sel     []uint32
}

// Fold is Function.Fold.
func (e *extreme) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := g.refuse(&e.options); err != nil {
		return nil, err
	}
	return e.byRow(g, in, mem)
}

// byRow goes row by row.
func (e *extreme) byRow(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	has := e.masks.noHits(g)
	acc := -1 // the row of the accumulator; NULL is -1
	e.sel = e.sel[:0]
	for row, st := range e.masks.stepsOf(g, in, e.options.IgnoreRetract) {
		if st&(stepReset|stepSet) != 0 {
			acc = -1
		}
		if st&stepNull == 0 && (st&stepSet != 0 || st&stepSkip == 0 && e.takes(in, row, acc, st)) {
			acc = row
		}
		if st&stepEnd != 0 {
			if acc >= 0 {
				has[row>>6] |= 1 << (row & 63)
			} else {
				acc = row // any row stands for NULL
			}
			if st&stepDrop == 0 {
				e.sel = append(e.sel, uint32(acc))
			}
			acc = -1
		}
	}
	valid := validityOf(has, g.wanted(), len(e.sel), mem)
	defer valid.Release()
	return e.taker.rows(e.t, in, e.sel, valid, mem)
}

// takes says whether a row takes the place of the accumulator. With equal values the newer one does in min, the older one in
// max; a late row is older than the accumulator.
func (e *extreme) takes(in *columnar.View, row, acc int, st step) bool {
	if acc < 0 {
		return true
	}
	c := columnar.Compare(in, row, in, acc)
	if c == 0 {
		return e.least != (st&stepLate != 0)
	}
	return e.least == (c < 0)
}
