package columnar

import (
	"fmt"

	"github.com/braidmerge/braid/validity"
)

// ReadSupplied gives rows [from, to) of a view of binary values, which say which columns were supplied, the numbers of their
// patterns, and says whether all have the same. numbers has to - from elements. Values that are no bitmaps, and offsets that
// have not been checked and are wrong, are a *validity.Fault whose row counts from `from` and that matches ErrCorrupt; a view
// of another layout is ErrSchema.
func (v *View) ReadSupplied(s *validity.Source, numbers []uint32, from, to int) (same bool, err error) {
	numbers = numbers[:to-from]
	switch {
	case from == to:
		return true, nil
	case v.Layout.Form == FormText32:
		return validity.Read(s, numbers, validity.Column[int32]{Offsets: v.off32[from : to+1], Data: v.data, Valid: v.valid, ValidAt: v.validAt + from})
	case v.Layout.Form == FormText64:
		return validity.Read(s, numbers, validity.Column[int64]{Offsets: v.off64[from : to+1], Data: v.data, Valid: v.valid, ValidAt: v.validAt + from})
	}
	return false, fmt.Errorf("%w: the columns supplied are no binary values of varying length", ErrSchema)
}
