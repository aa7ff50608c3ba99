package kernel

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/expression"
)

// Action is one branch of an update: the rows for which When is true, and for which no action before it was taken, get the values
// of Set, all computed from the row as it was. An action that sets nothing keeps its rows as they are.
type Action struct {
	When *Condition // nil: every row
	Set  []Assignment
}

// Update is a compiled UPDATE of a table whose rows have row ids, by rewriting columns of whole row-id ranges: a self-merge
// (docs/semantics.md, "Self-merge UPDATE"). It is immutable and may be run by many goroutines at once.
//
//	UPDATE t SET v = v + 1 WHERE id > 4
//
//	row id     100 101 102 103            a new column file    100 101 102 103
//	id           1   9   5   4     ->     v                      7   9   6   7
//	v            7   8   5   7
//
// Which snapshot of the table is read, whether another writer has changed the same rows meanwhile, and what makes the new column
// files part of the table is the business of the engine that calls.
type Update struct {
	table   *arrow.Schema
	source  *arrow.Schema // nil for an update without a source
	actions []updateAction
	targets []int // columns of the table that are set, in table order
	inputs  []updateInput
}

// updateAction is an action that can be taken.
type updateAction struct {
	when *Condition // nil: always
	set  []updateSet
}

// updateSet is an assignment and the place of its column among the targets.
type updateSet struct {
	Assignment
	target int
}

// updateInput is a column that is read: of the table, of the source, or the row ids.
type updateInput struct {
	expression.Ref
	typ arrow.DataType
}

// CompileUpdate checks an update. Of the table Schema and PartitionKeys count; source is the schema of the rows that Run joins to
// the table by row id, nil for an update from the table alone.
//
// Conditions that are constant are settled here: an action that is never taken is dropped, and so are those behind one that is
// always taken. What cannot be done with the rows of the table alone is ErrNotSelfMerge: a condition with a subquery, with a
// column that is not there, without any column, or that is not deterministic, and setting a partition column. A column set to
// itself is not set.
func CompileUpdate(table Table, source *arrow.Schema, actions ...Action) (*Update, error) {
	if err := table.checkUpdate(source); err != nil {
		return nil, err
	}
	u := &Update{table: table.Schema, source: source}
	for i, a := range actions {
		truth, err := u.checkCondition(a.When)
		if err == nil && truth != expression.Never {
			err = u.add(a, truth, table.PartitionKeys)
		}
		if err != nil {
			return nil, fmt.Errorf("action %d: %w", i, err)
		}
		if truth == expression.Always {
			break
		}
	}
	for len(u.actions) > 0 && len(u.actions[len(u.actions)-1].set) == 0 {
		u.actions = u.actions[:len(u.actions)-1]
	}
	u.number()
	return u, nil
}

// checkUpdate judges table and source by themselves.
func (t Table) checkUpdate(source *arrow.Schema) error {
	if t.Schema == nil {
		return fmt.Errorf("%w: the table has no schema", ErrSchema)
	}
	if err := t.checkColumns(); err != nil {
		return err
	}
	for _, name := range []string{RowIDColumn, FirstRowIDColumn} {
		if t.Schema.HasField(name) {
			return fmt.Errorf("%w: column %q has the name of a system column, such names are reserved", ErrSchema, name)
		}
	}
	if source != nil {
		if _, err := find(source, RowIDColumn, arrow.PrimitiveTypes.Int64); err != nil || !source.HasField(RowIDColumn) {
			return fmt.Errorf("%w: the source has no column %q of row ids (int64)", ErrSchema, RowIDColumn)
		}
	}
	return t.checkNames("partition keys", t.PartitionKeys)
}

// checkCondition refuses conditions that a self-merge cannot have, and says whether a condition is the same for every row.
func (u *Update) checkCondition(c *Condition) (expression.Truth, error) {
	switch {
	case c == nil:
		return expression.Always, nil
	case c.Subquery:
		return 0, fmt.Errorf("%w: the condition has a subquery", ErrNotSelfMerge)
	case !c.Deterministic:
		return 0, fmt.Errorf("%w: the condition is not deterministic", ErrNotSelfMerge)
	case c.Eval == nil:
		return 0, fmt.Errorf("%w: the condition has no Eval", ErrOption)
	}
	if c.parsed != nil {
		if err := checkScope(c.parsed, c.scope, u.scope()); err != nil {
			return 0, err
		}
		if truth, err := c.parsed.Condition(); truth != expression.Varies || err != nil {
			return truth, err
		}
	}
	if len(c.Columns)+len(c.SourceColumns) == 0 {
		return 0, fmt.Errorf("%w: the condition has no column", ErrNotSelfMerge)
	}
	return expression.Varies, u.checkColumns(c.Columns, c.SourceColumns)
}

// checkColumns wants columns that conditions and assignments read to be there.
func (u *Update) checkColumns(table, source []string) error {
	for _, r := range refs(table, source) {
		if _, err := u.scope().Field(r); err != nil {
			return err
		}
	}
	return nil
}

func (u *Update) scope() expression.Scope { return expression.Scope{Table: u.table, Source: u.source} }

// add adds an action that may be taken.
func (u *Update) add(a Action, truth expression.Truth, partitionKeys []string) error {
	action := updateAction{when: a.When}
	if truth == expression.Always {
		action.when = nil
	}
	for i, set := range a.Set {
		field, err := targetField(u.table, set.Column)
		switch {
		case err != nil:
			return err
		case slices.Contains(partitionKeys, set.Column):
			return fmt.Errorf("%w: %q is a partition column, which cannot be set", ErrNotSelfMerge, set.Column)
		case slices.ContainsFunc(a.Set[:i], func(s Assignment) bool { return s.Column == set.Column }):
			return fmt.Errorf("%w: column %q is set twice", ErrExpression, set.Column)
		case set.Eval == nil:
			return fmt.Errorf("%w: the assignment of %q has no Eval", ErrOption, set.Column)
		}
		if err := u.checkColumns(set.Columns, set.SourceColumns); err != nil {
			return err
		}
		if err := checkScope(set.parsed, set.scope, u.scope()); err != nil {
			return err
		}
		if set.parsed != nil {
			if column, ok := set.parsed.Column(); ok && column == (expression.Ref{Name: set.Column}) {
				continue
			}
			if set.parsed, err = set.parsed.As(field.Type); err != nil {
				return fmt.Errorf("column %q: %w", set.Column, err)
			}
		}
		action.set = append(action.set, updateSet{Assignment: set})
	}
	u.actions = append(u.actions, action)
	return nil
}

// number gives the targets their places and lists what is read: the targets first.
func (u *Update) number() {
	set := map[string]bool{}
	for _, a := range u.actions {
		for _, s := range a.set {
			set[s.Column] = true
		}
	}
	for i, f := range u.table.Fields() {
		if set[f.Name] {
			u.targets = append(u.targets, i)
			u.read(expression.Ref{Name: f.Name})
		}
	}
	for i := range u.actions {
		a := &u.actions[i]
		if a.when != nil {
			u.readAll(a.when.Columns, a.when.SourceColumns)
		}
		for j := range a.set {
			s := &a.set[j]
			s.target = slices.IndexFunc(u.targets, func(t int) bool { return u.table.Field(t).Name == s.Column })
			u.readAll(s.Columns, s.SourceColumns)
		}
	}
}

func (u *Update) readAll(table, source []string) {
	for _, r := range refs(table, source) {
		u.read(r)
	}
}

// read adds a column to the inputs, once.
func (u *Update) read(r expression.Ref) {
	if u.place(r) < 0 {
		f, _ := u.scope().Field(r) // it is there, as has been checked
		u.inputs = append(u.inputs, updateInput{Ref: r, typ: f.Type})
	}
}

// place returns the place of a column among the inputs, -1 for one that is not read.
func (u *Update) place(r expression.Ref) int {
	return slices.IndexFunc(u.inputs, func(i updateInput) bool { return i.Ref == r })
}

// Columns lists the columns that the update sets, in table order: those of the column files it makes. Without any there is nothing
// to be done, whatever the rows are.
func (u *Update) Columns() []string {
	var names []string
	for _, t := range u.targets {
		names = append(names, u.table.Field(t).Name)
	}
	return names
}

// InputFields lists the columns of the table that the update reads of a range.
func (u *Update) InputFields() []string {
	var names []string
	for _, i := range u.inputs {
		if !i.Source && !i.metadata() {
			names = append(names, i.Name)
		}
	}
	return names
}

// metadata says whether the column is one of row ids.
func (i updateInput) metadata() bool {
	return !i.Source && (i.Name == RowIDColumn || i.Name == FirstRowIDColumn)
}

// Deterministic says whether running the update again gives the same rows, so that an engine whose commit fails may do so.
func (u *Update) Deterministic() bool {
	for _, a := range u.actions {
		for _, s := range a.set {
			if !s.Deterministic {
				return false
			}
		}
	}
	return true
}
