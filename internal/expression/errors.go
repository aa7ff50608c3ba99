package expression

import (
	"errors"
	"fmt"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
)

// Errors of expressions. Package kernel has them under the same names.
var (
	ErrCorrupt      = columnar.ErrCorrupt
	ErrTooLarge     = columnar.ErrTooLarge
	ErrOverflow     = aggfuncs.ErrOverflow
	ErrDivideByZero = aggfuncs.ErrDivideByZero
	// ErrExpression means that a text is no expression, or not one of the types that are wanted.
	ErrExpression = errors.New("expression error")
	// ErrNotSelfMerge means that an update cannot be made from the rows of the table alone.
	ErrNotSelfMerge = errors.New("not a self-merge")
)

// Fault is an error that a row is to blame for.
type Fault struct {
	Row int // of the frame
	Err error
}

// Error names the row.
func (f *Fault) Error() string { return fmt.Sprintf("row %d: %v", f.Row, f.Err) }

// Unwrap gives the error.
func (f *Fault) Unwrap() error { return f.Err }

func fault(row int, kind error, format string, args ...any) error {
	return &Fault{Row: row, Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))}
}

// MissingColumnError says that an expression names a column that is not there. It is ErrNotSelfMerge.
type MissingColumnError struct{ Name string }

// Error names the column.
func (e *MissingColumnError) Error() string {
	return fmt.Sprintf("%v: there is no column %q", ErrNotSelfMerge, e.Name)
}

// Unwrap gives the kind.
func (e *MissingColumnError) Unwrap() error { return ErrNotSelfMerge }
