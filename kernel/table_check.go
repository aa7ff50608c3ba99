package kernel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// declaredTypeKey is the field metadata with the type a column has in the table, where the Arrow type says less.
const declaredTypeKey = "paimon.type"

// check judges the table by itself. Its errors are ErrSchema.
func (t Table) check() error {
	if t.Schema == nil {
		return fmt.Errorf("%w: the table has no schema", ErrSchema)
	}
	if err := t.checkColumns(); err != nil {
		return err
	}
	if len(t.PrimaryKey) == 0 {
		return fmt.Errorf("%w: the table has no primary key", ErrSchema)
	}
	if err := t.checkNames("primary key", t.PrimaryKey); err != nil {
		return err
	}
	if err := t.checkNames("partition keys", t.PartitionKeys); err != nil {
		return err
	}
	if len(t.keyNames()) == 0 {
		return fmt.Errorf("%w: every column of the primary key (%s) is a partition key, at least one other is expected",
			ErrSchema, strings.Join(t.PrimaryKey, ", "))
	}
	return t.checkKeyTypes()
}

// checkColumns wants unique names that no system column has.
func (t Table) checkColumns() error {
	seen := make(map[string]bool, t.Schema.NumFields())
	for _, field := range t.Schema.Fields() {
		if seen[field.Name] {
			return fmt.Errorf("%w: two columns have the name %q", ErrSchema, field.Name)
		}
		seen[field.Name] = true
		if strings.HasPrefix(field.Name, KeyPrefix) || field.Name == SequenceColumn || field.Name == KindColumn {
			return fmt.Errorf("%w: column %q has the name of a system column, such names are reserved", ErrSchema, field.Name)
		}
	}
	return nil
}

// checkNames wants a column behind every name of a list, and no name twice.
func (t Table) checkNames(list string, names []string) error {
	for i, name := range names {
		if !t.Schema.HasField(name) {
			return fmt.Errorf("%w: %s: the table has no column %q", ErrSchema, list, name)
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("%w: %s: column %q is listed twice", ErrSchema, list, name)
		}
	}
	return nil
}

// checkKeyTypes wants every column of the primary key, partition keys included, to have a type that can make up a key.
func (t Table) checkKeyTypes() error {
	for _, name := range t.PrimaryKey {
		fields, _ := t.Schema.FieldsByName(name)
		if field := fields[0]; !keyable(field.Type) || !ordered(field) || declaredType(field) == "MULTISET" {
			return fmt.Errorf("%w: primary key: column %q has type %s, a type of single values with an order is expected",
				ErrSchema, name, typeName(field))
		}
	}
	return nil
}

// keyable reports whether the type is one of single values, without parts.
func keyable(t arrow.DataType) bool {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return keyable(t.ValueType)
	case *arrow.RunEndEncodedType:
		return keyable(t.Encoded())
	case arrow.ExtensionType:
		return keyable(t.StorageType())
	case arrow.NestedType:
		return false
	}
	return true
}

// ordered reports whether there is an order among the values of the column, its parts included.
func ordered(f arrow.Field) bool {
	switch declaredType(f) {
	case "VARIANT", "BLOB", "GEOMETRY", "GEOGRAPHY":
		return false
	}
	switch t := f.Type.(type) {
	case *arrow.DictionaryType:
		return ordered(arrow.Field{Type: t.ValueType})
	case arrow.ExtensionType:
		return ordered(arrow.Field{Type: t.StorageType()})
	case arrow.UnionType:
		return false
	case arrow.NestedType:
		return !slices.ContainsFunc(t.Fields(), func(part arrow.Field) bool { return !ordered(part) })
	}
	switch f.Type.ID() {
	case arrow.NULL, arrow.INTERVAL_MONTHS, arrow.INTERVAL_DAY_TIME, arrow.INTERVAL_MONTH_DAY_NANO:
		return false
	}
	return true
}

// declaredType gives the name of the type the column has in the table, such as `VARCHAR` for `VARCHAR(10) NOT NULL`, in
// upper case. It is empty if the column says nothing but its Arrow type.
func declaredType(f arrow.Field) string {
	text, _ := f.Metadata.GetValue(declaredTypeKey)
	name, _, _ := strings.Cut(text, "(")
	name, _, _ = strings.Cut(name, "<")
	name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
	return strings.ToUpper(name)
}

// typeName shows the type of a column for an error: the one it has in the table, if it says so.
func typeName(f arrow.Field) string {
	if text, ok := f.Metadata.GetValue(declaredTypeKey); ok {
		return text
	}
	return f.Type.String()
}
