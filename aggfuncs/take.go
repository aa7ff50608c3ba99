package aggfuncs

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// taker makes arrays of selected rows of a view. It is scratch memory.
type taker struct {
	staged columnar.Staged
	shape  columnar.Shape
	pieces [1]columnar.Piece
}

// rows takes the selected rows with a given validity.
func (k *taker) rows(t arrow.DataType, v *columnar.View, sel []uint32, valid columnar.Validity, mem memory.Allocator) (arrow.ArrayData, error) {
	k.see(v, 0, v.Rows)
	if err := k.staged.Stage(v.Layout, &k.shape); err != nil {
		return nil, err
	}
	return k.staged.Take(t, sel, valid, mem)
}

// items takes selected rows out of rows [from, to), NULL where they are. It changes sel.
func (k *taker) items(t arrow.DataType, v *columnar.View, r span, sel []uint32, mem memory.Allocator) (arrow.ArrayData, error) {
	k.see(v, r.from, r.to)
	for i := range sel {
		sel[i] -= uint32(r.from)
	}
	valid := columnar.Validity{}
	if v.NullsIn(r.from, r.to) > 0 && len(sel) > 0 {
		valid = columnar.TakeValid(k.staged.StageValid(&k.shape), sel, mem)
	}
	defer valid.Release()
	if err := k.staged.Stage(v.Layout, &k.shape); err != nil {
		return nil, err
	}
	return k.staged.Take(t, sel, valid, mem)
}

func (k *taker) see(v *columnar.View, from, to int) {
	k.pieces[0] = columnar.Piece{View: v, From: from, To: to}
	k.shape = columnar.Shape{Pieces: k.pieces[:], Room: to - from}
}

// span is the rows [from, to) of a view.
type span struct{ from, to int }

// itemsOf returns the rows of the child that a list column has in all its rows. More than 32 bits count are ErrTooLarge.
func itemsOf(in *columnar.View) (span, error) {
	from, to := in.Items(0, in.Rows)
	if to > math.MaxUint32 {
		return span{}, fmt.Errorf("%w: %d list items in the rows that must be merged at once", ErrTooLarge, to)
	}
	return span{from, to}, nil
}
