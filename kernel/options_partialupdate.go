package kernel

import "slices"

// checkPartialUpdate judges what the engine partial-update reads beside the options of all engines: its sequence groups,
// the functions inside and outside of them, and the options that contradict each other, in this order.
func (o *Options) checkPartialUpdate(t Table) error {
	groups, err := o.groupColumns(t)
	if err != nil {
		return err
	}
	if err := o.checkGroupFunctions(t, groups); err != nil {
		return err
	}
	return o.checkRemoval()
}

// groupColumns are the columns of all sequence groups, each with the option its group comes from.
type groupColumns struct {
	sequence, protected map[string]string
}

// groupColumns finds the group of every column, and refuses a column with two groups, a key column in a group, and a name
// without a column.
func (o *Options) groupColumns(t Table) (groupColumns, error) {
	g := groupColumns{sequence: make(map[string]string), protected: make(map[string]string)}
	for _, group := range o.SequenceGroups {
		if err := g.add(t, group); err != nil {
			return groupColumns{}, err
		}
	}
	return g, nil
}

// add takes a group in, its protected columns first.
func (g groupColumns) add(t Table, group SequenceGroup) error {
	key := group.key()
	if len(group.Sequence) == 0 || len(group.Protected) == 0 {
		return optionError(key, "a sequence group needs a sequence column and a protected column")
	}
	for _, name := range group.Protected {
		if err := addGroupColumn(t, key, name, g.protected, g.sequence); err != nil {
			return err
		}
	}
	for _, name := range group.Sequence {
		if err := addGroupColumn(t, key, name, g.sequence, g.protected); err != nil {
			return err
		}
		if err := checkSequenceColumn(t, key, name); err != nil {
			return err
		}
	}
	return nil
}

// addGroupColumn gives a column its role in the group of that option. It must not have the role already, nor the other
// role in another group; a column that orders its own group may be protected by it, too.
func addGroupColumn(t Table, key, name string, role, other map[string]string) error {
	if err := checkGroupColumn(t, key, name); err != nil {
		return err
	}
	if owner, ok := role[name]; ok && owner == key {
		return optionError(key, "column %q is listed twice", name)
	}
	for _, columns := range []map[string]string{role, other} {
		if owner, ok := columns[name]; ok && owner != key {
			return optionError(key, "column %q is in another sequence group already (%s)", name, owner)
		}
	}
	role[name] = key
	return nil
}

// checkGroupColumn refuses a name without a column, and a column of the primary key.
func checkGroupColumn(t Table, key, name string) error {
	if !t.Schema.HasField(name) {
		return optionError(key, "the table has no column %q", name)
	}
	if slices.Contains(t.PrimaryKey, name) {
		return optionError(key, "column %q is in the primary key and cannot be in a sequence group", name)
	}
	return nil
}

// checkGroupFunctions wants every function but last_non_null_value on a column that a group protects. The columns of the
// primary key and those that order a group follow rules of their own, whatever function is set.
func (o *Options) checkGroupFunctions(t Table, groups groupColumns) error {
	for _, field := range t.Schema.Fields() {
		_, orders := groups.sequence[field.Name]
		_, protected := groups.protected[field.Name]
		function, key := o.function(field.Name)
		if orders || function == "" || slices.Contains(t.PrimaryKey, field.Name) {
			continue
		}
		if function != lastNonNullValue && !protected {
			return optionError(key, "the function %q needs column %q in a sequence group (fields.<column>.sequence-group)",
				function, field.Name)
		}
	}
	return nil
}

// checkRemoval refuses options that say different things of one delete.
func (o *Options) checkRemoval() error {
	const (
		onDelete = partialUpdateRemoveKey
		onGroup  = "partial-update.remove-record-on-sequence-group"
	)
	switch {
	case o.IgnoreDelete && o.RemoveRecordOnDelete:
		return optionError("ignore-delete", "it cannot be on together with %s", onDelete)
	case o.IgnoreDelete && len(o.RemoveRecordOnSequenceGroup) > 0:
		return optionError("ignore-delete", "it cannot be on together with %s", onGroup)
	case len(o.SequenceGroups) > 0 && o.RemoveRecordOnDelete:
		return optionError(onDelete, "it cannot be on together with a sequence group (%s); %s is for these",
			o.SequenceGroups[0].key(), onGroup)
	}
	for _, name := range o.RemoveRecordOnSequenceGroup {
		orders := func(g SequenceGroup) bool { return slices.Contains(g.Sequence, name) }
		if !slices.ContainsFunc(o.SequenceGroups, orders) {
			return optionError(onGroup, "%q is not a sequence column of a sequence group (fields.%s.sequence-group)", name, name)
		}
	}
	return nil
}
