package rowmerge

import (
	"slices"
	"strings"
)

// group is a sequence group: columns that protect others, in the order of the option's key. The sequence columns belong to
// their group. Columns are positions in the table.
type group struct {
	key       string // the option
	sequence  []int
	protected []int
	removes   bool // one of its columns is named by partial-update.remove-record-on-sequence-group
}

type groups []*group

// of gives the group of column c, nil if it has none.
func (gs groups) of(c int) *group {
	for _, g := range gs {
		if slices.Contains(g.sequence, c) || slices.Contains(g.protected, c) {
			return g
		}
	}
	return nil
}

// ofSequence gives the group that column c is a sequence column of, nil if there is none.
func (gs groups) ofSequence(c int) *group {
	for _, g := range gs {
		if slices.Contains(g.sequence, c) {
			return g
		}
	}
	return nil
}

const groupSuffix = ".sequence-group"

// readGroups reads the sequence groups of a table and checks them against its other options.
func readGroups(t *table) (groups, *Error) {
	var gs groups
	for _, key := range sortedKeys(t.options.all) {
		if !strings.HasPrefix(key, "fields") || !strings.HasSuffix(key, "sequence-group") {
			continue
		}
		g, err := readGroup(t, key)
		if err != nil {
			return nil, err
		}
		if err := gs.checkDisjoint(t, g); err != nil {
			return nil, err
		}
		gs = append(gs, g)
	}
	return gs, gs.checkOptions(t)
}

func readGroup(t *table, key string) (*group, *Error) {
	names, ok := strings.CutPrefix(strings.TrimSuffix(key, groupSuffix), "fields.")
	if !ok || !strings.HasSuffix(key, groupSuffix) || strings.Contains(names, ".") {
		return nil, configf("Invalid sequence-group option: %s", key)
	}
	g := &group{key: key}
	var err *Error
	if g.sequence, err = g.columns(t, names); err != nil {
		return nil, err
	}
	if g.protected, err = g.columns(t, t.options.all[key]); err != nil {
		return nil, err
	}
	return g, nil
}

// columns finds the columns of a comma list. Names are not trimmed.
func (g *group) columns(t *table, list string) ([]int, *Error) {
	var columns []int
	for _, name := range strings.Split(list, ",") {
		i := t.find(name)
		if i < 0 {
			return nil, configf("Field %s can not be found in table schema", name)
		}
		if t.isPrimary(name) {
			return nil, configf("The sequence-group '%s' contains primary key field '%s', which is not allowed. "+
				"Primary key columns cannot be put in sequence-group.", g.key, name)
		}
		if slices.Contains(columns, i) {
			return nil, configf("Field %s is defined repeatedly by multiple groups: %s", name, g.key)
		}
		columns = append(columns, i)
	}
	return columns, nil
}

// checkDisjoint refuses a group that shares a column with one of the groups.
func (gs groups) checkDisjoint(t *table, g *group) *Error {
	for _, c := range slices.Concat(g.sequence, g.protected) {
		if gs.of(c) != nil {
			return configf("Field %s is defined repeatedly by multiple groups: %s", t.columns[c].name, g.key)
		}
	}
	return nil
}

// checkOptions refuses options that do not go together and marks the groups that remove rows.
func (gs groups) checkOptions(t *table) *Error {
	o := t.options
	conflict := func(a, b string) *Error {
		return configf("%s and %s have conflicting behavior so should not be enabled at the same time.", a, b)
	}
	switch {
	case o.ignoreDelete && o.removeOnDelete:
		return conflict("ignore-delete", "partial-update.remove-record-on-delete")
	case o.ignoreDelete && o.removeOnGroup != nil:
		return conflict("ignore-delete", "partial-update.remove-record-on-sequence-group")
	case len(gs) > 0 && o.removeOnDelete:
		return conflict("sequence-group", "partial-update.remove-record-on-delete")
	}
	for _, name := range o.removeOnGroup {
		g := gs.ofSequence(t.find(name))
		if g == nil {
			return configf("field '%s' defined in 'partial-update.remove-record-on-sequence-group' option must be part of "+
				"sequence groups", o.removeOnGroupText)
		}
		g.removes = true
	}
	return nil
}
