package arrow18

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/endian"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18endian "github.com/apache/arrow-go/v18/arrow/endian"

	"github.com/braidmerge/braid/columnar"
)

// SchemaTo17 gives the v17 schema of a v18 schema: the same fields, metadata and byte order. A type that v17 does not have
// (decimal32, decimal64) is columnar.ErrSchema, naming the column.
func SchemaTo17(s *v18arrow.Schema) (*arrow.Schema, error) {
	fields, err := fieldsTo17(s.Fields(), "")
	if err != nil {
		return nil, err
	}
	meta := metadataTo17(s.Metadata())
	order := endian.LittleEndian
	if s.Endianness() == v18endian.BigEndian {
		order = endian.BigEndian
	}
	return arrow.NewSchemaWithEndian(fields, &meta, order), nil
}

// FieldTo17 gives the v17 field of a v18 field, with SchemaTo17's errors.
func FieldTo17(f v18arrow.Field) (arrow.Field, error) { return fieldTo17(f, "") }

func fieldsTo17(in []v18arrow.Field, parent string) ([]arrow.Field, error) {
	out := make([]arrow.Field, len(in))
	for i, f := range in {
		var err error
		if out[i], err = fieldTo17(f, parent); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fieldTo17 converts a field whose parents are named by the dotted path parent.
func fieldTo17(f v18arrow.Field, parent string) (arrow.Field, error) {
	path := childPath(parent, f.Name)
	dt, ext := f.Type, extension{}
	if e, ok := dt.(v18arrow.ExtensionType); ok {
		dt, ext = e.StorageType(), extension{name: e.ExtensionName(), parameters: e.Serialize()}
	}
	storage, err := typeTo17(dt, path)
	if err != nil {
		return arrow.Field{}, err
	}
	keys, values := f.Metadata.Keys(), f.Metadata.Values()
	if ext.name == "" {
		ext = extensionIn(keys, values)
	}
	if known := ext.type17(storage); known != nil {
		keys, values = withoutExtension(keys, values)
		storage = known
	} else if ext.name != "" {
		keys, values = ext.in(keys, values)
	}
	return arrow.Field{Name: f.Name, Type: storage, Nullable: f.Nullable, Metadata: arrow.NewMetadata(keys, values)}, nil
}

func metadataTo17(m v18arrow.Metadata) arrow.Metadata { return arrow.NewMetadata(m.Keys(), m.Values()) }

// typeTo17 converts a type that is no extension type. path names the column in errors.
func typeTo17(dt v18arrow.DataType, path string) (arrow.DataType, error) {
	if plain := plainTypeTo17(dt); plain != nil {
		return plain, nil
	}
	switch dt := dt.(type) {
	case *v18arrow.DictionaryType:
		return dictionaryTo17(dt, path)
	case *v18arrow.RunEndEncodedType:
		return runEndEncodedTo17(dt, path)
	case *v18arrow.StructType:
		fields, err := fieldsTo17(dt.Fields(), path)
		if err != nil {
			return nil, err
		}
		return arrow.StructOf(fields...), nil
	case *v18arrow.MapType:
		return mapTo17(dt, path)
	case v18arrow.UnionType:
		fields, err := fieldsTo17(dt.Fields(), path)
		if err != nil {
			return nil, err
		}
		if dt.Mode() == v18arrow.DenseMode {
			return arrow.DenseUnionOf(fields, dt.TypeCodes()), nil
		}
		return arrow.SparseUnionOf(fields, dt.TypeCodes()), nil
	case v18arrow.ExtensionType:
		return nil, enclosedExtension(path, dt.ExtensionName())
	case v18arrow.ListLikeType:
		return listTo17(dt, path)
	}
	return nil, noCounterpart(path, dt, "v17")
}

// plainTypeTo17 converts a type that holds no other type, or gives nil.
func plainTypeTo17(dt v18arrow.DataType) arrow.DataType {
	switch dt := dt.(type) {
	case *v18arrow.NullType:
		return arrow.Null
	case *v18arrow.BooleanType:
		return arrow.FixedWidthTypes.Boolean
	case *v18arrow.Int8Type:
		return arrow.PrimitiveTypes.Int8
	case *v18arrow.Int16Type:
		return arrow.PrimitiveTypes.Int16
	case *v18arrow.Int32Type:
		return arrow.PrimitiveTypes.Int32
	case *v18arrow.Int64Type:
		return arrow.PrimitiveTypes.Int64
	case *v18arrow.Uint8Type:
		return arrow.PrimitiveTypes.Uint8
	case *v18arrow.Uint16Type:
		return arrow.PrimitiveTypes.Uint16
	case *v18arrow.Uint32Type:
		return arrow.PrimitiveTypes.Uint32
	case *v18arrow.Uint64Type:
		return arrow.PrimitiveTypes.Uint64
	case *v18arrow.Float16Type:
		return arrow.FixedWidthTypes.Float16
	case *v18arrow.Float32Type:
		return arrow.PrimitiveTypes.Float32
	case *v18arrow.Float64Type:
		return arrow.PrimitiveTypes.Float64
	case *v18arrow.Decimal128Type:
		return &arrow.Decimal128Type{Precision: dt.Precision, Scale: dt.Scale}
	case *v18arrow.Decimal256Type:
		return &arrow.Decimal256Type{Precision: dt.Precision, Scale: dt.Scale}
	case *v18arrow.Date32Type:
		return arrow.PrimitiveTypes.Date32
	case *v18arrow.Date64Type:
		return arrow.PrimitiveTypes.Date64
	case *v18arrow.Time32Type:
		return &arrow.Time32Type{Unit: arrow.TimeUnit(dt.Unit)}
	case *v18arrow.Time64Type:
		return &arrow.Time64Type{Unit: arrow.TimeUnit(dt.Unit)}
	case *v18arrow.TimestampType:
		return &arrow.TimestampType{Unit: arrow.TimeUnit(dt.Unit), TimeZone: dt.TimeZone}
	case *v18arrow.DurationType:
		return &arrow.DurationType{Unit: arrow.TimeUnit(dt.Unit)}
	case *v18arrow.MonthIntervalType:
		return arrow.FixedWidthTypes.MonthInterval
	case *v18arrow.DayTimeIntervalType:
		return arrow.FixedWidthTypes.DayTimeInterval
	case *v18arrow.MonthDayNanoIntervalType:
		return arrow.FixedWidthTypes.MonthDayNanoInterval
	case *v18arrow.FixedSizeBinaryType:
		return &arrow.FixedSizeBinaryType{ByteWidth: dt.ByteWidth}
	case *v18arrow.BinaryType:
		return arrow.BinaryTypes.Binary
	case *v18arrow.StringType:
		return arrow.BinaryTypes.String
	case *v18arrow.LargeBinaryType:
		return arrow.BinaryTypes.LargeBinary
	case *v18arrow.LargeStringType:
		return arrow.BinaryTypes.LargeString
	case *v18arrow.BinaryViewType:
		return arrow.BinaryTypes.BinaryView
	case *v18arrow.StringViewType:
		return arrow.BinaryTypes.StringView
	}
	return nil
}

func dictionaryTo17(dt *v18arrow.DictionaryType, path string) (arrow.DataType, error) {
	index, err := typeTo17(dt.IndexType, path)
	if err != nil {
		return nil, err
	}
	value, err := typeTo17(dt.ValueType, path)
	if err != nil {
		return nil, err
	}
	return &arrow.DictionaryType{IndexType: index, ValueType: value, Ordered: dt.Ordered}, nil
}

func runEndEncodedTo17(dt *v18arrow.RunEndEncodedType, path string) (arrow.DataType, error) {
	ends, err := typeTo17(dt.RunEnds(), path)
	if err != nil {
		return nil, err
	}
	values, err := typeTo17(dt.Encoded(), path)
	if err != nil {
		return nil, err
	}
	out := arrow.RunEndEncodedOf(ends, values)
	out.ValueNullable = dt.ValueNullable
	return out, nil
}

func mapTo17(dt *v18arrow.MapType, path string) (arrow.DataType, error) {
	key, err := fieldTo17(dt.KeyField(), path)
	if err != nil {
		return nil, err
	}
	item, err := fieldTo17(dt.ItemField(), path)
	if err != nil {
		return nil, err
	}
	out := arrow.MapOfWithMetadata(key.Type, key.Metadata, item.Type, item.Metadata)
	out.KeysSorted = dt.KeysSorted
	out.SetItemNullable(item.Nullable)
	return out, nil
}

func listTo17(dt v18arrow.ListLikeType, path string) (arrow.DataType, error) {
	elem, err := fieldTo17(dt.ElemField(), path)
	if err != nil {
		return nil, err
	}
	switch dt := dt.(type) {
	case *v18arrow.ListType:
		return arrow.ListOfField(elem), nil
	case *v18arrow.LargeListType:
		return arrow.LargeListOfField(elem), nil
	case *v18arrow.ListViewType:
		return arrow.ListViewOfField(elem), nil
	case *v18arrow.LargeListViewType:
		return arrow.LargeListViewOfField(elem), nil
	case *v18arrow.FixedSizeListType:
		return arrow.FixedSizeListOfField(dt.Len(), elem), nil
	}
	return nil, noCounterpart(path, dt, "v17")
}

// enclosedExtension is about an extension type that has no field of its own whose metadata could carry its name.
func enclosedExtension(path, name string) error {
	return fmt.Errorf("%w: column %q: extension type %q inside a dictionary or run-end encoding", columnar.ErrSchema, path, name)
}

func noCounterpart(path string, dt fmt.Stringer, side string) error {
	return fmt.Errorf("%w: column %q: Arrow %s has no type %s", columnar.ErrSchema, path, side, dt)
}

func childPath(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}
