package aggfuncs

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// Groups says what a function has to do with the rows of a window. The rows stand in merged order: those of a key form a
// group, oldest first. Every mask has one bit a row in validity.Words(Rows) words; a mask without a bit may be nil.
//
// A function has an accumulator, which is NULL before the first row of a group. These are the steps of a row, in order:
//
//	Reset     the accumulator is NULL again, and the function's own state as at the start of the group
//	Set       the accumulator is the row's value; the function's own state stays
//	Skip      nothing more
//	Retract   else: the row's value is taken back
//	Late      else: the row's value is added before what is accumulated
//	          else: the row's value is added
//
// A row that is Single is alone in its group and gives its value unchanged: its bits in the masks above mean nothing. After
// the last row of a group, its result is the accumulator, unless Drop says that no result is wanted.
//
// A row with Retract and Late takes back a value older than what is accumulated. Only last_value and last_non_null_value
// ask, in strict mode, where they pass over it.
type Groups struct {
	Rows  int // of the window
	Count int // of groups

	Ends   []uint64 // the last row of its group; never nil in a window with rows
	Single []uint64
	Drop   []uint64 // bits at group ends

	Reset, Set, Skip, Retract, Late []uint64
}

// Results returns how many results the window has: one a group that is not dropped.
func (g *Groups) Results() int { return g.Count - validity.Count(g.Drop) }

// Function brings the values of a column together, one result a group. It keeps scratch memory from window to window, so a
// worker has an instance of its own.
type Function interface {
	// Fold returns the results of the groups that are not dropped, in order. in has the g.Rows values of the column in merged
	// order. The caller releases the result. An error that a row is to blame for is a *Fault.
	Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error)
}

// Picker is a function whose result is the value of one row of the group, or NULL. It looks at no values.
type Picker interface {
	// Pick sets one row in pick for each group that is not dropped, and in null those of them that stand for NULL, whatever
	// their value. valid are the rows with a value; nil means all. All masks but nil ones are of equal length, and what pick
	// and null held before does not matter. nulls says whether null has a bit. An error that a row is to blame for is a
	// *Fault.
	Pick(pick, null []uint64, g *Groups, valid []uint64) (nulls bool, err error)
}

// Rule is what a function name means for a column: one of its fields is set.
type Rule struct {
	Picker   Picker
	Function Function
}

// Fault says which row of a window an error is about.
type Fault struct {
	Row int // in merged order
	Err error
}

// Error describes the fault and its row.
func (f *Fault) Error() string { return fmt.Sprintf("merged row %d: %v", f.Row, f.Err) }

// Unwrap gives the fault without its row.
func (f *Fault) Unwrap() error { return f.Err }

func fault(row int, kind error, format string, args ...any) error {
	return &Fault{Row: row, Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))}
}

// Errors of functions. Package kernel has them under the same names.
var (
	ErrCorrupt  = columnar.ErrCorrupt
	ErrTooLarge = columnar.ErrTooLarge
	// ErrOption means that a function cannot work on a column, or not with these options.
	ErrOption = errors.New("option error")
	// ErrOverflow means that a sum, product or quotient of integers does not fit the column's type.
	ErrOverflow = errors.New("integer overflow")
	// ErrDivideByZero means that a retract would divide a product by zero.
	ErrDivideByZero = errors.New("division by zero")
	// ErrInexact means that a retract would divide a decimal product and the quotient has no end.
	ErrInexact = errors.New("quotient without end")
	// ErrRetract means that a function cannot take a value back.
	ErrRetract = errors.New("retract not accepted")
	// ErrNullNestedKey means that a row in a list has a NULL in its nested key, where that is refused.
	ErrNullNestedKey = errors.New("NULL in a nested key")
)
