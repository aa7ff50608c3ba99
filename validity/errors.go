package validity

import (
	"errors"
	"fmt"
)

// Errors that are found in validity columns and by a Writer. Packages columnar and kernel have them under the same names.
var (
	// ErrSchema means that a schema is not what the table says, or has a type that cannot be merged.
	ErrSchema = errors.New("schema error")
	// ErrCorrupt means that bytes from a file or a caller are not what their format says.
	ErrCorrupt = errors.New("corrupt data")
	// ErrTooLarge means that a value, or the values of one key, cannot be represented in an Arrow array.
	ErrTooLarge = errors.New("value too large")
	// ErrNotNull means that a NULL met a column, or a key, that is NOT NULL.
	ErrNotNull = errors.New("NULL in a NOT NULL column")
)

// Fault says which of the rows that were given an error is about.
type Fault struct {
	Row    int
	Column string // empty for the validity column
	Err    error
}

// Error describes the fault and its row.
func (f *Fault) Error() string {
	if f.Column != "" {
		return fmt.Sprintf("row %d, column %q: %v", f.Row, f.Column, f.Err)
	}
	return fmt.Sprintf("row %d: %v", f.Row, f.Err)
}

// Unwrap gives the fault without its row.
func (f *Fault) Unwrap() error { return f.Err }
