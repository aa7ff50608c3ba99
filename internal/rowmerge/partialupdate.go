package rowmerge

import "slices"

// partialUpdate fills the columns of a row from several versions: plainly the last non-NULL value of each column, with
// sequence groups the last by the sequence of the column's group.
type partialUpdate struct {
	passLone
	table     *table
	columns   []int // columns at hand
	groups    groups
	functions []*Function // by column at hand, nil for none
	faults    *faults

	applied, ordered map[*group]bool // what judge has found of the last version

	row      []any
	last     Version // the last version added
	sequence int64
	filled   bool // row has been written to
	sawAdd   bool
	deleted  bool   // the row is removed
	blank    bool   // strict: removed by a delete, so that an add starts from an empty row
	remover  *group // strict: the group whose delete removed the row
}

func newPartialUpdate(t *table, columns []int, f *faults) (engine, *Error) {
	all, err := readGroups(t)
	if err != nil {
		return nil, err
	}
	e := &partialUpdate{table: t, columns: columns, faults: f, applied: map[*group]bool{}, ordered: map[*group]bool{}}
	for _, g := range all {
		if slices.ContainsFunc(columns, func(c int) bool { return groups{g}.of(c) != nil }) {
			e.groups = append(e.groups, g)
		}
	}
	for _, g := range e.groups {
		for _, c := range g.sequence {
			if !slices.Contains(columns, c) {
				return nil, configf("Can not find new sequence field for new field: %s is not read", t.columns[c].name)
			}
		}
	}
	functions, err := e.makeFunctions(all)
	if err != nil {
		return nil, err
	}
	for _, c := range columns {
		e.functions = append(e.functions, functions[c])
	}
	return e, nil
}

// makeFunctions makes the function of every column of the table that has one: the primary key's, and those of columns that
// a group protects. Elsewhere only last_non_null_value is accepted, and needs no function.
func (e *partialUpdate) makeFunctions(all groups) ([]*Function, *Error) {
	functions := make([]*Function, len(e.table.columns))
	for i, c := range e.table.columns {
		name := functionName(e.table.options, c.name)
		switch {
		case all.ofSequence(i) != nil:
			continue
		case e.table.isPrimary(c.name):
			name = "primary-key"
		case name == "":
			continue
		case all.of(i) == nil && name != "last_non_null_value":
			return nil, configf("Must use sequence group for aggregation functions but not found for field %s.", c.name)
		}
		var err *Error
		if functions[i], err = newFunction(name, c, e.table.options); err != nil {
			return nil, err
		}
	}
	return functions, nil
}

func (e *partialUpdate) reset() {
	e.row = make([]any, len(e.columns))
	e.sequence, e.filled, e.sawAdd, e.deleted = 0, false, false, false
	e.blank, e.remover = false, nil
	e.resetFunctions()
}

func (e *partialUpdate) resetFunctions() {
	for _, f := range e.functions {
		if f != nil {
			f.Reset()
		}
	}
}

func (e *partialUpdate) add(v Version) {
	e.last = v
	if isRetract(v.Kind) {
		e.retract(v)
		return
	}
	e.sequence = v.Sequence
	if e.remover != nil && !e.revive(v) {
		return
	}
	e.deleted = false
	if e.blank {
		e.row = make([]any, len(e.columns))
		e.blank = false
		e.resetFunctions()
	}
	if len(e.groups) == 0 {
		e.updateNonNull(v)
	} else {
		e.updateGroups(v)
	}
	e.sawAdd, e.filled = true, true
}

func (e *partialUpdate) retract(v Version) {
	o := &e.table.options
	if o.strict && o.ignoreDelete {
		return
	}
	wasDeleted := e.deleted
	e.deleted = false
	if !e.filled {
		e.copy(v)
		e.filled = true
	}
	if o.ignoreDelete {
		return
	}
	e.sequence = v.Sequence
	switch {
	case len(e.groups) > 0:
		e.retractGroups(v, wasDeleted)
	case !o.removeOnDelete:
		e.faults.at(v, "", failf(KindDeleteNotAccepted, "By default, Partial update can not accept delete records, you can "+
			"choose one of the following solutions: configure 'ignore-delete' to ignore them, configure "+
			"'partial-update.remove-record-on-delete' to remove the row, or configure 'sequence-group's to retract columns."))
	case v.Kind == Delete:
		e.deleted = true
		e.copy(v)
		e.blank = o.strict
	case o.strict:
		e.deleted = wasDeleted
	}
}

// copy takes all values of a retract as they are.
func (e *partialUpdate) copy(v Version) {
	for i, c := range e.columns {
		if v.Values[i] == nil && e.mustHave(c) {
			e.faults.at(v, e.table.columns[c].name, failf(KindNotNull, "Field %d can not be null", i))
		}
	}
	e.row = clone(v.Values)
}

// mustHave reports whether column c is NOT NULL. The key is not asked: whether it may be NULL is judged where rows are read.
func (e *partialUpdate) mustHave(c int) bool { return e.table.columns[c].notNull && !e.table.isKey(c) }

// updateNonNull is an add without sequence groups.
func (e *partialUpdate) updateNonNull(v Version) {
	for i, c := range e.columns {
		switch {
		case v.Values[i] != nil:
			e.row[i] = v.Values[i]
		case e.mustHave(c):
			e.faults.at(v, e.table.columns[c].name, failf(KindNotNull, "Field %d can not be null", i))
		}
	}
}

func (e *partialUpdate) result() *Row {
	if e.table.options.strict && !e.filled {
		return nil
	}
	kind := Insert
	if e.deleted || !e.sawAdd {
		kind = Delete
	}
	return &Row{kind, e.sequence, e.last.Key, clone(e.row)}
}
