package rowmerge

import "slices"

// newMax makes max. Of equal values it keeps the accumulated one.
func newMax(c column, o *functionOptions) (*Function, *Error) {
	return extreme("max", c, func(acc, in any) bool { return Compare(in, acc) > 0 })
}

// newMin makes min. Of equal values it takes the input.
func newMin(c column, o *functionOptions) (*Function, *Error) {
	return extreme("min", c, func(acc, in any) bool { return Compare(in, acc) <= 0 })
}

// extreme makes a function that takes the input when wins says so.
func extreme(name string, c column, wins func(acc, in any) bool) (*Function, *Error) {
	if isNested(c.typ) || slices.Contains([]string{"MULTISET", "VARIANT", "BLOB", "GEOMETRY", "GEOGRAPHY"}, c.root()) {
		return nil, configf("Data type for %s column '%s' must be comparable but was '%s'.", name, c.name, c.sql)
	}
	return &Function{agg: withNulls(func(acc, in any) (any, *Error) {
		if wins(acc, in) {
			return in, nil
		}
		return acc, nil
	})}, nil
}
