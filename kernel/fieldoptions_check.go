package kernel

import (
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// lastNonNullValue is the function that partial-update has for every column of its own.
const lastNonNullValue = "last_non_null_value"

// checkFields wants a column behind every option of a column, and known functions: whatever the engine, as these options
// are written for a table and not for an engine.
func (o *Options) checkFields(t Table, known functions) error {
	if err := checkFunctionName(fieldsPrefix+defaultFunctionOption, o.DefaultAggregateFunction, known); err != nil {
		return err
	}
	for _, column := range slices.Sorted(maps.Keys(o.Fields)) {
		key := fieldsPrefix + column
		if err := checkFieldColumn(t, key, column); err != nil {
			return err
		}
		f := o.Fields[column]
		if err := checkFunctionName(key+".aggregate-function", f.AggregateFunction, known); err != nil {
			return err
		}
		if f.NestedKeyNullStrategy > NestedKeyNullError {
			return optionError(key+".nested-key-null-strategy", "value %d is none of %s",
				f.NestedKeyNullStrategy, strings.Join(nestedKeyNullNames, ", "))
		}
		if f.CountLimit != nil && *f.CountLimit < 0 {
			return optionError(key+".count-limit", "%d is below 0", *f.CountLimit)
		}
	}
	for _, group := range o.SequenceGroups {
		for _, column := range group.Sequence {
			if err := checkFieldColumn(t, group.key(), column); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFieldColumn refuses a name without a column, and a path into a struct column.
func checkFieldColumn(t Table, key, name string) error {
	first, _, dotted := strings.Cut(name, ".")
	if fields, ok := t.Schema.FieldsByName(first); ok && dotted && fields[0].Type.ID() == arrow.STRUCT {
		return optionError(key, "a path into the struct column %q is not supported, the name of a column is expected", first)
	}
	if !t.Schema.HasField(name) {
		return optionError(key, "the table has no column %q", name)
	}
	return nil
}

// checkFunctionName refuses a name that no function has. Names are exact; the empty one stands for no function.
func checkFunctionName(key, name string, known functions) error {
	if name == "" {
		return nil
	}
	if _, ok := known.find(name); !ok {
		return optionError(key, "unknown aggregate function %q; known are %s", name, known.names())
	}
	return nil
}

// checkAggregation refuses what contradicts the removal of records by the engine aggregation.
func (o *Options) checkAggregation(t Table) error {
	for _, field := range t.Schema.Fields() {
		if o.RemoveRecordOnDelete && o.Fields[field.Name].IgnoreRetract {
			return optionError(aggregationRemoveKey, "it cannot be on together with fields.%s.ignore-retract", field.Name)
		}
	}
	return nil
}
