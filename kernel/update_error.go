package kernel

import (
	"errors"
	"fmt"

	"github.com/braidmerge/braid/internal/expression"
)

// RowIDError says which row of a table an error of an update is about. Range is the name of its RowRange, Column the column that
// was to be assigned, empty for none.
type RowIDError struct {
	Range  string
	RowID  int64
	Column string
	Err    error
}

// Error describes the place and then the fault.
func (e *RowIDError) Error() string {
	text := fmt.Sprintf("row id %d", e.RowID)
	if e.Range != "" {
		text += " (" + e.Range + ")"
	}
	if e.Column != "" {
		text += fmt.Sprintf(", column %q", e.Column)
	}
	return text + ": " + e.Err.Error()
}

// Unwrap gives the fault, so that errors.Is finds its kind.
func (e *RowIDError) Unwrap() error { return e.Err }

// blameRow makes a RowIDError of an expression's fault, whose row ids gives; other errors stay as they are, but for the column.
func blameRow(r *RowRange, column string, err error, id func(row int) int64) error {
	var f *expression.Fault
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return &RowIDError{Range: r.Name, RowID: id(f.Row), Column: column, Err: f.Err}
	case column != "":
		return fmt.Errorf("column %q: %w", column, err)
	}
	return err
}

// MissingColumnError says that a condition or an assignment names a column that is not there. It is ErrNotSelfMerge.
type MissingColumnError = expression.MissingColumnError
