package kernel

import (
	"fmt"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/validity"
)

// checkValidity judges a table of the engine partial-update-validity: it needs its own column, and takes neither sequence
// groups nor aggregate functions.
func (o *Options) checkValidity(t Table) error {
	if err := checkValidityColumn(t); err != nil {
		return err
	}
	if len(o.SequenceGroups) > 0 {
		return optionError(o.SequenceGroups[0].key(), "the engine %v takes no sequence group", o.Engine)
	}
	if o.DefaultAggregateFunction != "" {
		return optionError(fieldsPrefix+defaultFunctionOption, "the engine %v takes no aggregate function", o.Engine)
	}
	for _, column := range slices.Sorted(maps.Keys(o.Fields)) {
		if o.Fields[column].AggregateFunction != "" {
			return optionError(fieldsPrefix+column+".aggregate-function", "the engine %v takes no aggregate function", o.Engine)
		}
	}
	if slices.Contains(o.SequenceFields, validity.FieldsColumn) {
		return optionError("sequence.field", "the column %s cannot be a sequence field", validity.FieldsColumn)
	}
	return o.checkRemoval()
}

// checkValidityColumn wants the column to be nullable binary of any length, and out of the keys.
func checkValidityColumn(t Table) error {
	fields, ok := t.Schema.FieldsByName(validity.FieldsColumn)
	if !ok {
		return fmt.Errorf("%w: the engine %v needs a nullable binary column %s", ErrSchema, PartialUpdateValidity, validity.FieldsColumn)
	}
	if field := fields[0]; !isVarBinary(field) || !field.Nullable {
		null := "nullable"
		if !field.Nullable {
			null = "not null"
		}
		return fmt.Errorf("%w: column %s is %s %s, nullable binary of any length is expected",
			ErrSchema, validity.FieldsColumn, typeName(field), null)
	}
	if slices.Contains(t.PrimaryKey, validity.FieldsColumn) || slices.Contains(t.PartitionKeys, validity.FieldsColumn) {
		return fmt.Errorf("%w: column %s cannot be a key", ErrSchema, validity.FieldsColumn)
	}
	return nil
}

// isVarBinary reports whether the column holds bytes whose length varies.
func isVarBinary(f arrow.Field) bool {
	switch f.Type.ID() {
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW:
		return declaredType(f) != "BINARY"
	}
	return false
}
