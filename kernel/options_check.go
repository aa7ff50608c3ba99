package kernel

import (
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// check judges the options against their table, which must have passed its own check. It stops at the first mistake: an
// ErrOption, or an ErrSchema where the table lacks what its engine needs. The options of single columns come first, then
// the order of versions, the kind of rows and the changelog, and at last what the engine asks for.
//
// Everything about an aggregate function is judged here but what the function itself does, of its column and its options.
func (o *Options) check(t Table, known functions) error {
	rules := []func(Table) error{
		o.checkValues,
		func(t Table) error { return o.checkFields(t, known) },
		o.checkSequenceFields,
		o.checkRowKindField,
		o.checkChangelog,
		o.checkEngine,
	}
	for _, rule := range rules {
		if err := rule(t); err != nil {
			return err
		}
	}
	return nil
}

// checkValues refuses enumerations out of range.
func (o *Options) checkValues(Table) error {
	if err := checkEnum("merge-engine", engineNames, uint8(o.Engine)); err != nil {
		return err
	}
	return checkEnum("changelog-producer", changelogNames, uint8(o.Changelog))
}

// checkEngine judges the options that only one engine reads.
func (o *Options) checkEngine(t Table) error {
	switch o.Engine {
	case PartialUpdate:
		return o.checkPartialUpdate(t)
	case Aggregation:
		return o.checkAggregation(t)
	case PartialUpdateValidity:
		return o.checkValidity(t)
	}
	return nil
}

// checkSequenceFields judges what orders the versions of a key.
func (o *Options) checkSequenceFields(t Table) error {
	if len(o.SequenceFields) == 0 {
		return nil
	}
	const key = "sequence.field"
	for i, name := range o.SequenceFields {
		if err := checkSequenceColumn(t, key, name); err != nil {
			return err
		}
		if o.Fields[name].AggregateFunction != "" {
			return optionError(key, "column %q must not have an aggregate function (fields.%s.aggregate-function)", name, name)
		}
		if slices.Contains(o.SequenceFields[:i], name) {
			return optionError(key, "column %q is listed twice", name)
		}
	}
	if o.Engine == FirstRow {
		return optionError(key, "the engine %v takes no sequence field", o.Engine)
	}
	for _, name := range t.PartitionKeys {
		if !slices.Contains(t.PrimaryKey, name) {
			return optionError(key, "it needs a primary key that has all partition keys, %q is missing", name)
		}
	}
	if o.SnapshotOrdering {
		return optionError("sequence.snapshot-ordering", "it excludes sequence.field (%s)", strings.Join(o.SequenceFields, ","))
	}
	return nil
}

// checkSequenceColumn refuses a name without a column, and a column without an order.
func checkSequenceColumn(t Table, key, name string) error {
	fields, ok := t.Schema.FieldsByName(name)
	if !ok {
		return optionError(key, "the table has no column %q", name)
	}
	if !ordered(fields[0]) {
		return optionError(key, "column %q has type %s, a type with an order is expected", name, typeName(fields[0]))
	}
	return nil
}

// checkRowKindField wants a column of text.
func (o *Options) checkRowKindField(t Table) error {
	if o.RowKindField == "" {
		return nil
	}
	const key = "rowkind.field"
	fields, ok := t.Schema.FieldsByName(o.RowKindField)
	if !ok {
		return optionError(key, "the table has no column %q", o.RowKindField)
	}
	if !isText(fields[0].Type) {
		return optionError(key, "column %q has type %s, a text type is expected", o.RowKindField, typeName(fields[0]))
	}
	return nil
}

// isText reports whether values of the type are text, perhaps by way of a dictionary.
func isText(t arrow.DataType) bool {
	if dictionary, ok := t.(*arrow.DictionaryType); ok {
		t = dictionary.ValueType
	}
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return true
	}
	return false
}

// checkChangelog judges the changelog producer by the engine. The list of ignored columns may name anything.
func (o *Options) checkChangelog(Table) error {
	const key = "changelog-producer"
	switch {
	case o.Engine == FirstRow && o.Changelog != ChangelogNone && o.Changelog != ChangelogLookup:
		return optionError(key, "the engine %v takes none or lookup, not %v", o.Engine, o.Changelog)
	case o.Engine == PartialUpdateValidity && o.Changelog != ChangelogNone:
		return optionError(key, "the engine %v makes no changelog, none is expected and not %v", o.Engine, o.Changelog)
	}
	return nil
}
