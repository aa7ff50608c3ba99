package aggfuncs

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// storage takes extension types off.
func storage(t arrow.DataType) arrow.DataType {
	for {
		e, ok := t.(arrow.ExtensionType)
		if !ok {
			return t
		}
		t = e.StorageType()
	}
}

// tableType names the type a field has in its table: what the metadata paimon.type says, which can be narrower than any Arrow
// type, else what the Arrow type stands for.
func tableType(f arrow.Field) string {
	if declared, ok := f.Metadata.GetValue("paimon.type"); ok {
		name := strings.ToUpper(strings.TrimSpace(declared))
		return strings.TrimSpace(strings.TrimSuffix(name, "NOT NULL"))
	}
	return typeName(f.Type)
}

// root is the name of a table type without length and element types: VARCHAR of VARCHAR(10).
func root(name string) string {
	if i := strings.IndexAny(name, "(<"); i >= 0 {
		name = name[:i]
	}
	return strings.TrimSpace(name)
}

var typeNames = map[arrow.Type]string{
	arrow.BOOL:         "BOOLEAN",
	arrow.INT8:         "TINYINT",
	arrow.INT16:        "SMALLINT",
	arrow.INT32:        "INT",
	arrow.INT64:        "BIGINT",
	arrow.FLOAT32:      "FLOAT",
	arrow.FLOAT64:      "DOUBLE",
	arrow.STRING:       "STRING",
	arrow.LARGE_STRING: "STRING",
	arrow.BINARY:       "BYTES",
	arrow.LARGE_BINARY: "BYTES",
	arrow.DATE32:       "DATE",
	arrow.DATE64:       "DATE",
	arrow.TIME32:       "TIME",
	arrow.TIME64:       "TIME",
}

func typeName(t arrow.DataType) string {
	t = storage(t)
	if name, ok := typeNames[t.ID()]; ok {
		return name
	}
	switch t := t.(type) {
	case *arrow.Decimal128Type:
		return fmt.Sprintf("DECIMAL(%d, %d)", t.Precision, t.Scale)
	case *arrow.FixedSizeBinaryType:
		return fmt.Sprintf("BINARY(%d)", t.ByteWidth)
	case *arrow.TimestampType:
		if t.TimeZone != "" {
			return "TIMESTAMP_LTZ"
		}
		return "TIMESTAMP"
	case *arrow.FixedSizeListType:
		return "VECTOR<" + tableType(t.ElemField()) + ">"
	case *arrow.MapType:
		return "MAP<" + tableType(t.KeyField()) + ", " + tableType(t.ItemField()) + ">"
	case arrow.ListLikeType:
		return "ARRAY<" + tableType(t.ElemField()) + ">"
	case *arrow.StructType:
		fields := make([]string, t.NumFields())
		for i, f := range t.Fields() {
			fields[i] = f.Name + " " + tableType(f)
		}
		return "ROW<" + strings.Join(fields, ", ") + ">"
	}
	return strings.ToUpper(t.Name())
}

// isText says whether a field is one of characters: CHAR, VARCHAR or STRING.
func isText(f arrow.Field) bool {
	switch root(tableType(f)) {
	case "STRING", "VARCHAR", "CHAR":
		id := storage(f.Type).ID()
		return id == arrow.STRING || id == arrow.LARGE_STRING
	}
	return false
}

// isBinary says whether a field is one of bytes.
func isBinary(f arrow.Field) bool {
	name := root(tableType(f))
	return name == "BYTES" || strings.Contains(name, "BINARY")
}

// isNested says whether values of the type have parts.
func isNested(t arrow.DataType) bool {
	_, ok := storage(t).(arrow.NestedType)
	return ok
}
