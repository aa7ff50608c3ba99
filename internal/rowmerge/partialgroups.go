package rowmerge

import "slices"

// updateGroups is an add with sequence groups. The order of every group is found before a column changes.
func (e *partialUpdate) updateGroups(v Version) {
	applies, inOrder := e.judge(v)
	for i, c := range e.columns {
		g, f := e.groups.of(c), e.functions[i]
		switch {
		case g == nil && f != nil:
			e.call(f.Agg, i, v)
		case g == nil:
			if v.Values[i] != nil {
				e.row[i] = v.Values[i]
			}
		case !applies[g]:
		case inOrder[g] && f != nil:
			e.call(f.Agg, i, v)
		case inOrder[g]:
			e.row[i] = v.Values[i]
		case f != nil:
			e.call(f.AggReversed, i, v)
		}
	}
}

// retractGroups is a retract with sequence groups.
func (e *partialUpdate) retractGroups(v Version, wasDeleted bool) {
	applies, inOrder := e.judge(v)
	if g := e.removing(v, applies, inOrder); g != nil {
		e.deleted = true
		e.copy(v)
		if e.table.options.strict {
			e.remover = g
		}
		return
	}
	if e.remover != nil {
		e.deleted = wasDeleted
		return
	}
	for i, c := range e.columns {
		g, f := e.groups.of(c), e.functions[i]
		switch {
		case g == nil || !applies[g]:
		case f != nil:
			if inOrder[g] || !e.ignoresLate(f) {
				e.call(f.Retract, i, v)
			}
		case inOrder[g] && slices.Contains(g.sequence, c):
			e.row[i] = v.Values[i]
		case inOrder[g]:
			e.row[i] = nil
		}
	}
}

// removing gives the group by which a retract removes the row: of those that apply and are in order, the one whose sequence
// column comes first among the columns at hand.
func (e *partialUpdate) removing(v Version, applies, inOrder map[*group]bool) *group {
	for _, c := range e.columns {
		if g := e.groups.ofSequence(c); g != nil && v.Kind == Delete && g.removes && applies[g] && inOrder[g] {
			return g
		}
	}
	return nil
}

// ignoresLate reports whether a late retract means nothing to a function, as it does in strict mode to the functions that
// keep the latest value.
func (e *partialUpdate) ignoresLate(f *Function) bool {
	return e.table.options.strict && (f.Name == "last_value" || f.Name == "last_non_null_value")
}

// judge finds for every group whether a version has a sequence for it, and whether that is not below the row's.
func (e *partialUpdate) judge(v Version) (applies, inOrder map[*group]bool) {
	applies, inOrder = e.applied, e.ordered
	for _, g := range e.groups {
		applies[g] = e.applies(g, v)
		inOrder[g] = e.inOrder(g, v)
	}
	return applies, inOrder
}

// applies reports whether a version has a sequence for group g: not all of it is NULL.
func (e *partialUpdate) applies(g *group, v Version) bool {
	return slices.ContainsFunc(e.sequenceOf(g, v.Values), func(s any) bool { return s != nil })
}

// inOrder reports whether a version's sequence for group g is not below the row's.
func (e *partialUpdate) inOrder(g *group, v Version) bool {
	return CompareRows(e.sequenceOf(g, v.Values), e.sequenceOf(g, e.row), false) >= 0
}

// sequenceOf picks the sequence columns of group g.
func (e *partialUpdate) sequenceOf(g *group, values []any) []any {
	var sequence []any
	for _, c := range g.sequence {
		sequence = append(sequence, values[slices.Index(e.columns, c)])
	}
	return sequence
}

// call applies a function to column at hand i. On an error the column stays as it is.
func (e *partialUpdate) call(f func(acc, in any) (any, *Error), i int, v Version) {
	value, err := f(e.row[i], v.Values[i])
	if err != nil {
		e.faults.at(v, e.table.columns[e.columns[i]].name, err)
		return
	}
	e.row[i] = value
}

// revive ends, in strict mode, the removal by a sequence group if the add is in order for that group: the row is empty then
// but for the sequence columns, which keep the delete's values.
func (e *partialUpdate) revive(v Version) bool {
	if !e.applies(e.remover, v) || !e.inOrder(e.remover, v) {
		return false
	}
	for i, c := range e.columns {
		if e.groups.ofSequence(c) == nil {
			e.row[i] = nil
		}
	}
	e.remover = nil
	e.resetFunctions()
	return true
}
