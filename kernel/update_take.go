package kernel

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// take makes an array of type t of selected rows of pieces, which have the layout of the type and span room staged rows.
func take(scratch *columnar.Staged, t arrow.DataType, pieces []columnar.Piece, room int, sel []uint32, mem memory.Allocator) (arrow.ArrayData, error) {
	shape := &columnar.Shape{Pieces: pieces, Room: room}
	valid := columnar.Validity{}
	for _, p := range pieces {
		if p.View.Nulls > 0 {
			valid = columnar.TakeValid(scratch.StageValid(shape), sel, mem)
			break
		}
	}
	defer valid.Release()
	if err := scratch.Stage(pieces[0].View.Layout, shape); err != nil {
		return nil, err
	}
	return scratch.Take(t, sel, valid, mem)
}
