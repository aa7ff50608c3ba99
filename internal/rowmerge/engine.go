package rowmerge

import "slices"

// engine is the rule for the versions of one key. It is used group by group: reset, add for each version, oldest first,
// then result. Mistakes go to the faults it was made with; the row to blame then counts as not there.
type engine interface {
	reset()
	add(v Version)
	// result gives the row of the group, nil if there is none.
	result() *Row
	// lone gives the result of a lone record that passes by the rule.
	lone(v Version) *Row
}

// newEngine makes the engine of a table for the columns at hand, the first of which are wanted.
func newEngine(t *table, columns []int, wanted int, f *faults) (engine, *Error) {
	switch t.options.engine {
	case "first-row":
		return &firstRow{ignoreDelete: t.options.ignoreDelete, faults: f}, nil
	case "partial-update":
		return newPartialUpdate(t, columns, f)
	case "aggregation":
		return newAggregation(t, columns, f)
	case "partial-update-validity":
		return newValidityMerge(t, columns, wanted, f)
	}
	return &deduplicate{ignoreDelete: t.options.ignoreDelete}, nil
}

// neededColumns lists the columns that the engine needs beside the columns read, in the order they are found.
func neededColumns(t *table, read []int) ([]int, *Error) {
	needed := t.options.sequence
	switch t.options.engine {
	case "partial-update":
		groups, err := readGroups(t)
		if err != nil {
			return nil, err
		}
		for _, c := range slices.Concat(read, needed) {
			if g := groups.of(c); g != nil {
				needed = append(needed[:len(needed):len(needed)], g.sequence...)
			}
		}
	case "partial-update-validity":
		if i := t.find(validityColumn); i >= 0 {
			needed = append(needed[:len(needed):len(needed)], i)
		}
	}
	return needed, nil
}

// passLone is the part of an engine that gives a lone record unchanged.
type passLone struct{}

func (passLone) lone(v Version) *Row { return &Row{v.Kind, v.Sequence, v.Key, clone(v.Values)} }

// clone copies a row's values, so that a result shares no slice with an input.
func clone(values []any) []any { return append([]any{}, values...) }
