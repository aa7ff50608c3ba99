package kernel

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/expression"
)

// Names of the columns that conditions and assignments can read beside those of the table (int64): the id of a row, and that of
// the first row of its range.
const (
	RowIDColumn      = expression.RowIDColumn
	FirstRowIDColumn = expression.FirstRowIDColumn
)

// Condition says for which rows an action of an update is taken: ParseCondition makes one of a text, an engine of whatever it
// evaluates itself. NULL is not true.
type Condition struct {
	// Columns are the columns of the table that Eval reads, RowIDColumn and FirstRowIDColumn among them, and SourceColumns those
	// of the update's source.
	Columns, SourceColumns []string
	// Deterministic promises that Eval gives the same value whenever it is asked about the same row.
	Deterministic bool
	// Subquery tells that the condition looks at other rows.
	Subquery bool
	// Eval gives one value for every row of a record, which has Columns and then SourceColumns, with dictionaries, run ends and
	// views written out. It may be asked about rows that are deleted, whose answers do not count. The record is the caller's.
	Eval func(arrow.Record) (*array.Boolean, error)
	// MayMatch says whether the condition may be true for a row of a range, by what is known of it. Without it any may.
	MayMatch func(FileStats) bool

	parsed *expression.Expression
	scope  expression.Scope // of parsed
}

// Assignment sets a column of the table in the rows that an action is taken for.
type Assignment struct {
	// Column is the column that is set.
	Column string
	// Columns, SourceColumns and Deterministic are as for Condition.
	Columns, SourceColumns []string
	Deterministic          bool
	// Eval gives the values for the rows of a record, which is as for Condition.Eval, of the column's type or with its encoding
	// written out. Only those of rows that the action is taken for count. The update releases the array.
	Eval func(arrow.Record) (arrow.Array, error)

	parsed *expression.Expression
	scope  expression.Scope // of parsed
}

// ParseCondition reads a condition such as `id > 4 AND name IS NULL` (docs/semantics.md, "Expressions"). Its columns are those of
// the table and, with `s.` before them, of the source, which is nil for an update without one. A text that is no condition, or
// whose types do not fit, is ErrExpression; a subquery or a column that is not there ErrNotSelfMerge.
func ParseCondition(text string, table, source *arrow.Schema) (*Condition, error) {
	scope := expression.Scope{Table: table, Source: source}
	e, err := expression.Parse(text, scope)
	if err != nil {
		return nil, err
	}
	if _, err := e.Condition(); err != nil {
		return nil, err
	}
	c := &Condition{Deterministic: true, parsed: e, scope: scope}
	c.Columns, c.SourceColumns = names(e)
	c.Eval = func(rec arrow.Record) (*array.Boolean, error) { return evalCondition(e, scope, rec) }
	c.MayMatch = func(s FileStats) bool { return e.MayBeTrue(s.bounds) }
	return c, nil
}

// ParseAssignment reads an assignment such as `v = v + 1`. Columns and errors are as for ParseCondition; the value must fit the
// column's type, with what docs/semantics.md, "Expressions", has for it.
func ParseAssignment(text string, table, source *arrow.Schema) (Assignment, error) {
	scope := expression.Scope{Table: table, Source: source}
	column, e, err := expression.ParseAssignment(text, scope)
	if err != nil {
		return Assignment{}, err
	}
	field, err := targetField(table, column)
	if err != nil {
		return Assignment{}, err
	}
	if e, err = e.As(field.Type); err != nil {
		return Assignment{}, fmt.Errorf("column %q: %w", column, err)
	}
	a := Assignment{Column: column, Deterministic: true, parsed: e, scope: scope}
	a.Columns, a.SourceColumns = names(e)
	a.Eval = func(rec arrow.Record) (arrow.Array, error) { return evalAssignment(e, scope, rec) }
	return a, nil
}

// checkScope wants the columns of a parsed expression to be those it was parsed for.
func checkScope(e *expression.Expression, parsed, now expression.Scope) error {
	if e == nil {
		return nil
	}
	for _, r := range e.Refs() {
		was, err := parsed.Field(r)
		if err != nil {
			return err
		}
		is, err := now.Field(r)
		if err != nil {
			return err
		}
		if !arrow.TypeEqual(was.Type, is.Type) {
			return fmt.Errorf("%w: %q was parsed for a column %q of type %s, not %s", ErrSchema, e, r, was.Type, is.Type)
		}
	}
	return nil
}

// targetField returns the field of a column that is to be set.
func targetField(table *arrow.Schema, column string) (arrow.Field, error) {
	switch at := table.FieldIndices(column); {
	case len(at) == 1:
		return table.Field(at[0]), nil
	case column == RowIDColumn || column == FirstRowIDColumn:
		return arrow.Field{}, fmt.Errorf("%w: row ids cannot be set", ErrNotSelfMerge)
	}
	return arrow.Field{}, &MissingColumnError{Name: column}
}

// names lists the columns an expression reads.
func names(e *expression.Expression) (table, source []string) {
	for _, r := range e.Refs() {
		if r.Source {
			source = append(source, r.Name)
		} else {
			table = append(table, r.Name)
		}
	}
	return table, source
}

// refs lists columns as expressions have them, in the order in which records for Eval do.
func refs(table, source []string) []expression.Ref {
	var list []expression.Ref
	for _, name := range table {
		list = append(list, expression.Ref{Name: name})
	}
	for _, name := range source {
		list = append(list, expression.Ref{Name: name, Source: true})
	}
	return list
}

// frameOf makes a frame of a record for Eval.
func frameOf(e *expression.Expression, scope expression.Scope, rec arrow.Record) (f *expression.Frame, place func(expression.Ref) int, err error) {
	columns := refs(names(e))
	if err := checkRecord(scope, columns, rec); err != nil {
		return nil, nil, err
	}
	at := map[expression.Ref]int{}
	var types []arrow.DataType
	for i, r := range columns {
		at[r] = i
		types = append(types, rec.Column(i).DataType())
	}
	if f, err = expression.NewFrame(types, memory.DefaultAllocator); err != nil {
		return nil, nil, err
	}
	f.Reset(int(rec.NumRows()))
	for i := range columns {
		if err := f.Set(i, rec.Column(i).Data()); err != nil {
			f.Release()
			return nil, nil, err
		}
	}
	return f, func(r expression.Ref) int { return at[r] }, nil
}

// checkRecord wants the columns of a record for Eval to be those of the scope.
func checkRecord(scope expression.Scope, columns []expression.Ref, rec arrow.Record) error {
	if int(rec.NumCols()) != len(columns) {
		return fmt.Errorf("%w: a record of %d columns, not %d", ErrSchema, rec.NumCols(), len(columns))
	}
	for i, r := range columns {
		field, err := scope.Field(r)
		if err != nil {
			return err
		}
		if got := rec.Column(i).DataType(); !expression.Alike(got, field.Type) {
			return fmt.Errorf("%w: column %q has type %s, the table has %s", ErrSchema, r, got, field.Type)
		}
	}
	return nil
}

func evalCondition(e *expression.Expression, scope expression.Scope, rec arrow.Record) (*array.Boolean, error) {
	f, place, err := frameOf(e, scope, rec)
	if err != nil {
		return nil, err
	}
	defer f.Release()
	d, err := e.Booleans(f, place)
	if err != nil {
		return nil, err
	}
	defer d.Release()
	return array.NewBooleanData(d), nil
}

func evalAssignment(e *expression.Expression, scope expression.Scope, rec arrow.Record) (arrow.Array, error) {
	f, place, err := frameOf(e, scope, rec)
	if err != nil {
		return nil, err
	}
	defer f.Release()
	d, err := e.NewEvaluator(place).Values(f, nil, nil)
	if err != nil {
		return nil, err
	}
	defer d.Release()
	return array.MakeFromData(d), nil
}
