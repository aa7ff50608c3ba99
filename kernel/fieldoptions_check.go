package kernel

import (
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// lastNonNullValue is the function that partial-update has for every column of its own.
const lastNonNullValue = "last_non_null_value"

// functionNames are the aggregate functions an option may name. first_not_null_value is the old name of
// first_non_null_value.
var functionNames = []string{
	"bool_and", "bool_or", "collect", "first_non_null_value", "first_not_null_value", "first_value", "hll_sketch",
	lastNonNullValue, "last_value", "listagg", "max", "merge_map", "merge_map_with_keytime", "min",
	"nested_partial_update", "nested_update", "primary-key", "product", "rbm32", "rbm64", "sum", "theta_sketch",
}

// checkFields wants a column behind every option of a column, and known functions: whatever the engine, as these options
// are written for a table and not for an engine.
func (o *Options) checkFields(t Table) error {
	if err := checkFunctionName(fieldsPrefix+defaultFunctionOption, o.DefaultAggregateFunction); err != nil {
		return err
	}
	for _, column := range slices.Sorted(maps.Keys(o.Fields)) {
		key := fieldsPrefix + column
		if err := checkFieldColumn(t, key, column); err != nil {
			return err
		}
		f := o.Fields[column]
		if err := checkFunctionName(key+".aggregate-function", f.AggregateFunction); err != nil {
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
func checkFunctionName(key, name string) error {
	if name == "" || slices.Contains(functionNames, name) {
		return nil
	}
	return optionError(key, "unknown aggregate function %q; known are %s", name, strings.Join(functionNames, ", "))
}

// checkFunctionOptions wants the options a column's function cannot do without.
func (o *Options) checkFunctionOptions(column string) error {
	function, _ := o.function(column)
	f, key := o.Fields[column], fieldsPrefix+column
	switch {
	case len(f.NestedKey) > 0:
		return nil
	case function == "nested_partial_update":
		return optionError(key+".nested-key", "the function %s of column %q needs it", function, column)
	case function == "nested_update" && f.NestedKeyNullStrategy != NestedKeyNullDefault:
		return optionError(key+".nested-key-null-strategy", "it needs %s.nested-key to be set", key)
	case function == "nested_update" && len(f.NestedSequenceField) > 0:
		return optionError(key+".nested-sequence-field", "it needs %s.nested-key to be set", key)
	}
	return nil
}

// checkAggregation judges what the engine aggregation reads beside the options of all engines. Key columns and sequence
// fields follow rules of their own, whatever function is set.
func (o *Options) checkAggregation(t Table) error {
	for _, field := range t.Schema.Fields() {
		if o.RemoveRecordOnDelete && o.Fields[field.Name].IgnoreRetract {
			return optionError(aggregationRemoveKey, "it cannot be on together with fields.%s.ignore-retract", field.Name)
		}
		if slices.Contains(t.PrimaryKey, field.Name) || slices.Contains(o.SequenceFields, field.Name) {
			continue
		}
		if err := o.checkFunctionOptions(field.Name); err != nil {
			return err
		}
	}
	return nil
}
