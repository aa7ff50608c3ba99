package kernel

import (
	"errors"
	"fmt"
	"strings"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/expression"
	"github.com/braidmerge/braid/validity"
)

// The kinds of error a merge reports; test with errors.Is. An error that a row is to blame for is wrapped in a *RowError.
var (
	ErrSchema   = columnar.ErrSchema
	ErrCorrupt  = columnar.ErrCorrupt
	ErrTooLarge = columnar.ErrTooLarge
	ErrNotNull  = validity.ErrNotNull
	// Errors of aggregate functions.
	ErrOverflow      = aggfuncs.ErrOverflow
	ErrDivideByZero  = aggfuncs.ErrDivideByZero
	ErrInexact       = aggfuncs.ErrInexact
	ErrNullNestedKey = aggfuncs.ErrNullNestedKey
	// ErrOption means that an option is unknown, malformed or in conflict with another.
	ErrOption = aggfuncs.ErrOption
	// ErrUnsorted means that a run is not in key order, or breaks its promise of unique keys.
	ErrUnsorted = errors.New("run is not sorted by key")
	// ErrRowKind means that a row kind is none of +I, -U, +U and -D.
	ErrRowKind = errors.New("bad row kind")
	// ErrRetract means that the merge engine, or the function of a column, does not accept a retract (-U or -D).
	ErrRetract = aggfuncs.ErrRetract
	// ErrMemoryLimit means that a merge cannot go on within its memory limit.
	ErrMemoryLimit = errors.New("memory limit reached")
	// ErrInternalState means that a caller's own function broke its contract, or that the inputs are none that an LSM tree can hold.
	ErrInternalState = errors.New("internal state")
	// Errors of updates.
	ErrExpression   = expression.ErrExpression
	ErrNotSelfMerge = expression.ErrNotSelfMerge
	// ErrNullRowID means that a row has no row id.
	ErrNullRowID = errors.New("NULL as a row id")
	// ErrDuplicateRowID means that two rows have one row id where one may have it.
	ErrDuplicateRowID = errors.New("row id comes twice")
	// ErrRowRange means that rows are not those of their range of row ids.
	ErrRowRange = errors.New("rows do not fit their row-id range")
)

// RowError says which input row an error is about. Run counts the runs as they were given to Merge, and is -1 for rows that have been
// looked up (Changelog); Batch counts the batches of that run, Row the rows of that batch, all from 0; -1 means that it is not known.
// File is the name of the run's file, if it has one. Column is empty when the row as a whole is to blame, and Key shows the key of the
// row where it can be read.
type RowError struct {
	Run, Batch, Row int
	File            string
	Column          string
	Key             string
	Err             error
}

// Error describes the place and then the fault.
func (e *RowError) Error() string {
	var b strings.Builder
	if e.Run >= 0 {
		fmt.Fprintf(&b, "run %d", e.Run)
	} else {
		b.WriteString("looked-up rows")
	}
	if e.File != "" {
		fmt.Fprintf(&b, " (%s)", e.File)
	}
	if e.Batch >= 0 {
		fmt.Fprintf(&b, ", batch %d", e.Batch)
	}
	if e.Row >= 0 {
		fmt.Fprintf(&b, ", row %d", e.Row)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, ", column %q", e.Column)
	}
	if e.Key != "" {
		fmt.Fprintf(&b, ", key %s", e.Key)
	}
	return b.String() + ": " + e.Err.Error()
}

// Unwrap gives the fault, so that errors.Is finds its kind.
func (e *RowError) Unwrap() error { return e.Err }
