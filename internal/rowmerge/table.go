package rowmerge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// table is a problem's schema, key and options, checked.
type table struct {
	columns []column
	primary []string // full primary key
	key     []int    // columns of the primary key less the partition keys, in primary-key order
	options settings
}

// column is a column of the table.
type column struct {
	name    string
	typ     arrow.DataType // what the values are, dictionary, run-end and extension types taken off
	sql     string         // the table type, for example VARCHAR(10)
	notNull bool
}

// root is the name of the table type without length or element types, for example VARCHAR.
func (c column) root() string {
	name, _, _ := strings.Cut(c.sql, "(")
	name, _, _ = strings.Cut(name, "<")
	return strings.TrimSpace(name)
}

// newTable checks a problem's schema and options, all but what only the engine knows.
func newTable(p Problem) (*table, *Error) {
	if p.Schema == nil {
		return nil, configf("no schema")
	}
	t := &table{primary: p.PrimaryKey}
	for _, f := range p.Schema.Fields() {
		if t.find(f.Name) >= 0 {
			return nil, configf("column %q is there twice", f.Name)
		}
		t.columns = append(t.columns, newColumn(f))
	}
	if err := t.setKey(p); err != nil {
		return nil, err
	}
	var err *Error
	if t.options, err = readSettings(p.Options, t, p.PartitionKeys); err != nil {
		return nil, err
	}
	return t, nil
}

func newColumn(f arrow.Field) column {
	c := column{name: f.Name, typ: plainType(f.Type), notNull: !f.Nullable}
	c.sql = sqlType(c.typ)
	if declared, ok := f.Metadata.GetValue("paimon.type"); ok {
		c.sql = strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(declared)), " NOT NULL")
	}
	return c
}

// setKey finds the key columns and checks their types.
func (t *table) setKey(p Problem) *Error {
	for _, name := range p.PrimaryKey {
		i := t.find(name)
		if i < 0 {
			return configf("primary-key column %q is not in the schema", name)
		}
		switch c := t.columns[i]; {
		case isNested(c.typ), c.root() == "MULTISET", c.root() == "VARIANT", c.root() == "BLOB":
			return configf("column %q of type %s cannot be a key", name, c.sql)
		}
		if !slices.Contains(p.PartitionKeys, name) {
			t.key = append(t.key, i)
		}
	}
	if len(t.key) == 0 {
		return configf("the primary key less the partition keys is empty")
	}
	return nil
}

// find gives the position of a column, -1 if there is none of that name.
func (t *table) find(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
}

// isKey reports whether column i belongs to the key that groups rows.
func (t *table) isKey(i int) bool { return slices.Contains(t.key, i) }

// isPrimary reports whether the column belongs to the full primary key.
func (t *table) isPrimary(name string) bool { return slices.Contains(t.primary, name) }

// plainType takes dictionary, run-end and extension types off.
func plainType(t arrow.DataType) arrow.DataType {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return plainType(t.ValueType)
	case *arrow.RunEndEncodedType:
		return plainType(t.Encoded())
	case arrow.ExtensionType:
		return plainType(t.StorageType())
	}
	return t
}

func isNested(t arrow.DataType) bool {
	_, ok := t.(arrow.NestedType)
	return ok
}

// sqlType is the table type that an Arrow type stands for when nothing else is said.
func sqlType(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.BooleanType:
		return "BOOLEAN"
	case *arrow.Int8Type:
		return "TINYINT"
	case *arrow.Int16Type:
		return "SMALLINT"
	case *arrow.Int32Type:
		return "INT"
	case *arrow.Int64Type:
		return "BIGINT"
	case *arrow.Float32Type:
		return "FLOAT"
	case *arrow.Float64Type:
		return "DOUBLE"
	case *arrow.Decimal128Type:
		return fmt.Sprintf("DECIMAL(%d, %d)", t.Precision, t.Scale)
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return "STRING"
	case *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType:
		return "BYTES"
	case *arrow.FixedSizeBinaryType:
		return fmt.Sprintf("BINARY(%d)", t.ByteWidth)
	case *arrow.Date32Type, *arrow.Date64Type:
		return "DATE"
	case *arrow.Time32Type, *arrow.Time64Type:
		return "TIME"
	case *arrow.TimestampType:
		if t.TimeZone != "" {
			return "TIMESTAMP_LTZ"
		}
		return "TIMESTAMP"
	case *arrow.FixedSizeListType:
		return "VECTOR<" + sqlType(plainType(t.Elem())) + ">"
	case *arrow.MapType:
		return "MAP<" + sqlType(plainType(t.KeyType())) + ", " + sqlType(plainType(t.ItemType())) + ">"
	case arrow.ListLikeType:
		return "ARRAY<" + sqlType(plainType(t.Elem())) + ">"
	case *arrow.StructType:
		return "ROW<" + sqlFields(t) + ">"
	}
	return strings.ToUpper(t.Name())
}

func sqlFields(t *arrow.StructType) string {
	var parts []string
	for _, f := range t.Fields() {
		parts = append(parts, f.Name+" "+newColumn(f).sql)
	}
	return strings.Join(parts, ", ")
}
