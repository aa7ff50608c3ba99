package rowmerge

import "slices"

// aggregation gives every column to its function.
type aggregation struct {
	passLone
	table     *table
	columns   []int
	functions []*Function // by column at hand
	faults    *faults

	row     []any
	last    Version
	deleted bool // the row is removed
}

func newAggregation(t *table, columns []int, f *faults) (engine, *Error) {
	e := &aggregation{table: t, columns: columns, faults: f}
	functions := make([]*Function, len(t.columns))
	for i, c := range t.columns {
		var err *Error
		if functions[i], err = newFunction(e.functionName(i), c, t.options); err != nil {
			return nil, err
		}
		o := functionOptions{optionReader{options: t.options.all}, c.name, false}
		if t.options.removeOnDelete && o.flag("ignore-retract") {
			return nil, configf("aggregation.remove-record-on-delete and fields.%s.ignore-retract have conflicting behavior so "+
				"should not be enabled at the same time.", c.name)
		}
	}
	for _, c := range columns {
		e.functions = append(e.functions, functions[c])
	}
	return e, nil
}

func (e *aggregation) functionName(i int) string {
	c := e.table.columns[i]
	if slices.Contains(e.table.options.sequence, i) {
		return "last_value"
	}
	if e.table.isPrimary(c.name) {
		return "primary-key"
	}
	if name := functionName(e.table.options, c.name); name != "" {
		return name
	}
	return "last_non_null_value"
}

func (e *aggregation) reset() {
	e.deleted = false
	e.clear()
}

// clear empties the row and the functions' states.
func (e *aggregation) clear() {
	e.row = make([]any, len(e.columns))
	for _, f := range e.functions {
		f.Reset()
	}
}

func (e *aggregation) add(v Version) {
	o := &e.table.options
	e.last = v
	switch {
	case o.removeOnDelete && v.Kind == Delete:
		e.deleted = true
		e.copy(v)
		return
	case e.deleted && o.strict && isRetract(v.Kind):
		return
	case e.deleted && o.strict:
		e.clear()
	}
	e.deleted = false
	for i, f := range e.functions {
		apply := f.Agg
		if isRetract(v.Kind) {
			apply = f.Retract
		}
		value, err := apply(e.row[i], v.Values[i])
		if err != nil {
			e.faults.at(v, e.table.columns[e.columns[i]].name, err)
			continue
		}
		e.row[i] = value
	}
}

// copy takes all values of a removing delete as they are.
func (e *aggregation) copy(v Version) {
	for i, c := range e.columns {
		if v.Values[i] == nil && e.table.columns[c].notNull && !e.table.isKey(c) {
			e.faults.at(v, e.table.columns[c].name, failf(KindNotNull, "Field %d can not be null", i))
		}
	}
	e.row = clone(v.Values)
}

func (e *aggregation) result() *Row {
	kind := Insert
	if e.deleted {
		kind = Delete
	}
	return &Row{kind, e.last.Sequence, e.last.Key, clone(e.row)}
}
