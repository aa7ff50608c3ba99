package rowmerge

import (
	"fmt"
	"strings"
)

// Kind says what sort of mistake an Error is about.
type Kind string

// The kinds of error.
const (
	KindConfig            Kind = "config"              // options or schema cannot be merged by
	KindArithmetic        Kind = "arithmetic"          // a number does not fit, a division by zero, a quotient that does not end
	KindRetract           Kind = "retract-unsupported" // a function met a retract it cannot undo
	KindDeleteNotAccepted Kind = "delete-not-accepted" // an engine met a retract it does not take
	KindNotNull           Kind = "not-null"            // NULL in a NOT NULL column
	KindNestedKeyNull     Kind = "nested-key-null"     // NULL in the nested key of a nested row
	KindInternalState     Kind = "internal-state"      // inputs that no merge tree can hold
	KindCorrupt           Kind = "corrupt"             // bytes that are no bitmap or sketch
	KindUnsorted          Kind = "unsorted"            // a run that is not in key order
	KindRowKind           Kind = "row-kind"            // a row kind that is none
	KindNullKey           Kind = "null-key"            // NULL in a key column
	KindSchema            Kind = "schema"              // a record that lacks a column or has it in another type
	KindNullRowID         Kind = "null-row-id"         // a row of a self-merge without its row id
	KindDuplicateRowID    Kind = "duplicate-row-id"    // two rows of a self-merge with one row id
	KindMisaligned        Kind = "misaligned"          // rows of a self-merge that are not those of a file
)

// Error is a mistake in a problem. Run and Row are the place of the row to blame, -1 when there is none; Row counts over all
// records of the run.
type Error struct {
	Kind     Kind
	Run, Row int
	Key      []any
	Column   string
	Message  string
}

// Error describes the place and the mistake.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Kind))
	if e.Run >= 0 {
		fmt.Fprintf(&b, ", run %d, row %d", e.Run, e.Row)
	}
	if e.Key != nil {
		b.WriteString(", key " + formatValues(e.Key))
	}
	if e.Column != "" {
		fmt.Fprintf(&b, ", column %q", e.Column)
	}
	return b.String() + ": " + e.Message
}

// failf makes an error without a place.
func failf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Run: -1, Row: -1, Message: fmt.Sprintf(format, args...)}
}

// configf makes a config error.
func configf(format string, args ...any) *Error { return failf(KindConfig, format, args...) }

// faults collects the errors of a merge in the order they are met.
type faults struct{ list []*Error }

// at notes an error that version v is to blame for; column may be empty. A nil error is none.
func (f *faults) at(v Version, column string, err *Error) {
	if err == nil {
		return
	}
	placed := *err
	placed.Run, placed.Row, placed.Key, placed.Column = v.Run, v.Index, v.Key, column
	f.list = append(f.list, &placed)
}

// first is the first error met, or nil.
func (f *faults) first() error {
	if len(f.list) == 0 {
		return nil
	}
	return f.list[0]
}
