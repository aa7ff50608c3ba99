package fuzz_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// errorKinds says which errors of the kernel stand for which faults of the reference.
var errorKinds = map[rowmerge.Kind][]error{
	rowmerge.KindConfig:            {kernel.ErrOption, kernel.ErrSchema},
	rowmerge.KindRetract:           {kernel.ErrRetract},
	rowmerge.KindDeleteNotAccepted: {kernel.ErrRetract},
	rowmerge.KindNotNull:           {kernel.ErrNotNull},
	rowmerge.KindNullKey:           {kernel.ErrNotNull},
	rowmerge.KindUnsorted:          {kernel.ErrUnsorted},
	rowmerge.KindRowKind:           {kernel.ErrRowKind},
	rowmerge.KindSchema:            {kernel.ErrSchema},
	rowmerge.KindCorrupt:           {kernel.ErrCorrupt},
	rowmerge.KindArithmetic:        {kernel.ErrOverflow, kernel.ErrDivideByZero, kernel.ErrInexact},
	rowmerge.KindNestedKeyNull:     {kernel.ErrNullNestedKey},
	rowmerge.KindInternalState:     {kernel.ErrInternalState},
}

// compareErrors wants an error exactly where the reference has faults, and of the kind of one of them. A merge that was
// broken off may not have come to the fault.
func (p posed) compareErrors(faults []*rowmerge.Error, got answer) string {
	switch {
	case got.brokenOff && (got.err == nil || p.breaksOff(got.err)):
		return ""
	case got.err == nil && len(faults) == 0:
		return ""
	case got.err == nil:
		return fmt.Sprintf("no error; want %v", faults[0])
	case len(faults) == 0:
		return fmt.Sprintf("error: %v", got.err)
	}
	for _, fault := range faults {
		if p.sameFault(fault, got.err) {
			return ""
		}
	}
	return fmt.Sprintf("error: %v\nwant %v, or one of %d others", got.err, faults[0], len(faults)-1)
}

// sameFault compares kind and, where both know it, place.
func (p posed) sameFault(fault *rowmerge.Error, err error) bool {
	if !p.sameKind(fault, err) {
		return false
	}
	var at *kernel.RowError
	if fault.Run < 0 || fault.Kind == rowmerge.KindSchema || !errors.As(err, &at) || at.Run < 0 {
		return true
	}
	if at.Run != fault.Run {
		return false
	}
	return at.Batch < 0 || at.Row < 0 || p.rowOf(at) == fault.Row
}

// sameKind compares the kind.
func (p posed) sameKind(fault *rowmerge.Error, err error) bool {
	return slices.ContainsFunc(errorKinds[fault.Kind], func(kind error) bool { return errors.Is(err, kind) })
}

// rowOf counts the place of an error over all batches of its run.
func (p posed) rowOf(at *kernel.RowError) int {
	row := at.Row
	for _, rec := range p.problem.Runs[at.Run].Records[:at.Batch] {
		row += int(rec.NumRows())
	}
	return row
}
