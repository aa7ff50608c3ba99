package rowmerge

import (
	"math"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// elementOf describes the elements of a list column.
func elementOf(c column) column {
	if t, ok := c.typ.(arrow.ListLikeType); ok {
		return newColumn(t.ElemField())
	}
	return column{}
}

// nestedKey finds nested rows by their key.
type nestedKey struct {
	fields   []int  // fields of the row that are the key; none: rows have no key
	strategy string // what to do with a NULL in the key: merge, ignore, error
}

// newNestedKey reads nested-key and nested-key-null-strategy for a column whose elements are rows.
func newNestedKey(c column, o *functionOptions) (nestedKey, *arrow.StructType, *Error) {
	row, ok := elementOf(c).typ.(*arrow.StructType)
	if c.root() != "ARRAY" || !ok {
		return nestedKey{}, nil, configf("Data type for nested table column must be 'Array<Row>' but was '%s'.", c.sql)
	}
	k := nestedKey{strategy: o.reader.choice(o.key("nested-key-null-strategy"), []string{"merge", "ignore", "error"})}
	var err *Error
	k.fields, err = o.rowFields("nested-key", row)
	if err != nil {
		return k, row, err
	}
	return k, row, o.reader.err
}

// rowFields reads an option that is a list of fields of a row type, trimmed.
func (o *functionOptions) rowFields(name string, row *arrow.StructType) ([]int, *Error) {
	var fields []int
	for _, field := range o.reader.list(o.key(name), true) {
		i, ok := row.FieldIdx(field)
		if !ok {
			return nil, configf("%s: the row of column %q has no field %q", name, o.column, field)
		}
		fields = append(fields, i)
	}
	return fields, nil
}

// of gives the key of a row. ok is false for a row to skip.
func (k nestedKey) of(row Struct) (key Struct, ok bool, err *Error) {
	key = pick(row, k.fields)
	for _, v := range key {
		if v != nil {
			continue
		}
		switch k.strategy {
		case "ignore":
			return nil, false, nil
		case "error":
			return nil, false, failf(KindNestedKeyNull, "Nested key contains null values. Primary key fields must not be null.")
		}
	}
	return key, true, nil
}

func pick(row Struct, fields []int) Struct {
	var values Struct
	for _, f := range fields {
		values = append(values, row[f])
	}
	return values
}

// rowsIn gives the rows of a list that are not NULL.
func rowsIn(list any) []Struct {
	var rows []Struct
	values, _ := list.(List)
	for _, v := range values {
		if row, ok := v.(Struct); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// keyBits stands for a nested key where keys are told apart, which is by their bits: -0.0 is not 0.0, nor one NaN another.
func keyBits(key Struct) string { return Format(key) }

// valuesOf gives a map's values as a list.
func valuesOf(m Map) List { return append(List{}, mapValues(m)...) }

// countLimit reads count-limit.
func (o *functionOptions) countLimit() int {
	return o.reader.number(o.key("count-limit"), math.MaxInt32)
}

// needsKey refuses an option that means something only with nested-key.
func (o *functionOptions) needsKey(name string) *Error {
	text, _ := o.text("nested-key")
	if _, ok := o.text(name); ok && strings.TrimSpace(text) == "" {
		return configf("Option 'fields.<field-name>.%s' requires 'fields.<field-name>.nested-key' to be configured.", name)
	}
	return nil
}
