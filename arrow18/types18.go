package arrow18

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/endian"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18endian "github.com/apache/arrow-go/v18/arrow/endian"
)

// SchemaTo18 gives the v18 schema of a v17 schema: the same fields, metadata and byte order. What cannot cross (an extension
// type inside a dictionary) is columnar.ErrSchema, naming the column.
func SchemaTo18(s *arrow.Schema) (*v18arrow.Schema, error) {
	fields, err := fieldsTo18(s.Fields(), "")
	if err != nil {
		return nil, err
	}
	meta := metadataTo18(s.Metadata())
	order := v18endian.LittleEndian
	if s.Endianness() == endian.BigEndian {
		order = v18endian.BigEndian
	}
	return v18arrow.NewSchemaWithEndian(fields, &meta, order), nil
}

// FieldTo18 gives the v18 field of a v17 field, with SchemaTo18's errors.
func FieldTo18(f arrow.Field) (v18arrow.Field, error) { return fieldTo18(f, "") }

func fieldsTo18(in []arrow.Field, parent string) ([]v18arrow.Field, error) {
	out := make([]v18arrow.Field, len(in))
	for i, f := range in {
		var err error
		if out[i], err = fieldTo18(f, parent); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fieldTo18 converts a field whose parents are named by the dotted path parent.
func fieldTo18(f arrow.Field, parent string) (v18arrow.Field, error) {
	path := childPath(parent, f.Name)
	dt, ext := f.Type, extension{}
	if e, ok := dt.(arrow.ExtensionType); ok {
		dt, ext = e.StorageType(), extension{name: e.ExtensionName(), parameters: e.Serialize()}
	}
	storage, err := typeTo18(dt, path)
	if err != nil {
		return v18arrow.Field{}, err
	}
	keys, values := f.Metadata.Keys(), f.Metadata.Values()
	if ext.name == "" {
		ext = extensionIn(keys, values)
	}
	if known := ext.type18(storage); known != nil {
		keys, values = withoutExtension(keys, values)
		storage = known
	} else if ext.name != "" {
		keys, values = ext.in(keys, values)
	}
	return v18arrow.Field{Name: f.Name, Type: storage, Nullable: f.Nullable, Metadata: v18arrow.NewMetadata(keys, values)}, nil
}

func metadataTo18(m arrow.Metadata) v18arrow.Metadata {
	return v18arrow.NewMetadata(m.Keys(), m.Values())
}

// typeTo18 converts a type that is no extension type. path names the column in errors.
func typeTo18(dt arrow.DataType, path string) (v18arrow.DataType, error) {
	if plain := plainTypeTo18(dt); plain != nil {
		return plain, nil
	}
	switch dt := dt.(type) {
	case *arrow.DictionaryType:
		return dictionaryTo18(dt, path)
	case *arrow.RunEndEncodedType:
		return runEndEncodedTo18(dt, path)
	case *arrow.StructType:
		fields, err := fieldsTo18(dt.Fields(), path)
		if err != nil {
			return nil, err
		}
		return v18arrow.StructOf(fields...), nil
	case *arrow.MapType:
		return mapTo18(dt, path)
	case arrow.UnionType:
		fields, err := fieldsTo18(dt.Fields(), path)
		if err != nil {
			return nil, err
		}
		if dt.Mode() == arrow.DenseMode {
			return v18arrow.DenseUnionOf(fields, dt.TypeCodes()), nil
		}
		return v18arrow.SparseUnionOf(fields, dt.TypeCodes()), nil
	case arrow.ExtensionType:
		return nil, enclosedExtension(path, dt.ExtensionName())
	case arrow.ListLikeType:
		return listTo18(dt, path)
	}
	return nil, noCounterpart(path, dt, "v18")
}

// plainTypeTo18 converts a type that holds no other type, or gives nil.
func plainTypeTo18(dt arrow.DataType) v18arrow.DataType {
	switch dt := dt.(type) {
	case *arrow.NullType:
		return v18arrow.Null
	case *arrow.BooleanType:
		return v18arrow.FixedWidthTypes.Boolean
	case *arrow.Int8Type:
		return v18arrow.PrimitiveTypes.Int8
	case *arrow.Int16Type:
		return v18arrow.PrimitiveTypes.Int16
	case *arrow.Int32Type:
		return v18arrow.PrimitiveTypes.Int32
	case *arrow.Int64Type:
		return v18arrow.PrimitiveTypes.Int64
	case *arrow.Uint8Type:
		return v18arrow.PrimitiveTypes.Uint8
	case *arrow.Uint16Type:
		return v18arrow.PrimitiveTypes.Uint16
	case *arrow.Uint32Type:
		return v18arrow.PrimitiveTypes.Uint32
	case *arrow.Uint64Type:
		return v18arrow.PrimitiveTypes.Uint64
	case *arrow.Float16Type:
		return v18arrow.FixedWidthTypes.Float16
	case *arrow.Float32Type:
		return v18arrow.PrimitiveTypes.Float32
	case *arrow.Float64Type:
		return v18arrow.PrimitiveTypes.Float64
	case *arrow.Decimal128Type:
		return &v18arrow.Decimal128Type{Precision: dt.Precision, Scale: dt.Scale}
	case *arrow.Decimal256Type:
		return &v18arrow.Decimal256Type{Precision: dt.Precision, Scale: dt.Scale}
	case *arrow.Date32Type:
		return v18arrow.PrimitiveTypes.Date32
	case *arrow.Date64Type:
		return v18arrow.PrimitiveTypes.Date64
	case *arrow.Time32Type:
		return &v18arrow.Time32Type{Unit: v18arrow.TimeUnit(dt.Unit)}
	case *arrow.Time64Type:
		return &v18arrow.Time64Type{Unit: v18arrow.TimeUnit(dt.Unit)}
	case *arrow.TimestampType:
		return &v18arrow.TimestampType{Unit: v18arrow.TimeUnit(dt.Unit), TimeZone: dt.TimeZone}
	case *arrow.DurationType:
		return &v18arrow.DurationType{Unit: v18arrow.TimeUnit(dt.Unit)}
	case *arrow.MonthIntervalType:
		return v18arrow.FixedWidthTypes.MonthInterval
	case *arrow.DayTimeIntervalType:
		return v18arrow.FixedWidthTypes.DayTimeInterval
	case *arrow.MonthDayNanoIntervalType:
		return v18arrow.FixedWidthTypes.MonthDayNanoInterval
	case *arrow.FixedSizeBinaryType:
		return &v18arrow.FixedSizeBinaryType{ByteWidth: dt.ByteWidth}
	case *arrow.BinaryType:
		return v18arrow.BinaryTypes.Binary
	case *arrow.StringType:
		return v18arrow.BinaryTypes.String
	case *arrow.LargeBinaryType:
		return v18arrow.BinaryTypes.LargeBinary
	case *arrow.LargeStringType:
		return v18arrow.BinaryTypes.LargeString
	case *arrow.BinaryViewType:
		return v18arrow.BinaryTypes.BinaryView
	case *arrow.StringViewType:
		return v18arrow.BinaryTypes.StringView
	}
	return nil
}

func dictionaryTo18(dt *arrow.DictionaryType, path string) (v18arrow.DataType, error) {
	index, err := typeTo18(dt.IndexType, path)
	if err != nil {
		return nil, err
	}
	value, err := typeTo18(dt.ValueType, path)
	if err != nil {
		return nil, err
	}
	return &v18arrow.DictionaryType{IndexType: index, ValueType: value, Ordered: dt.Ordered}, nil
}

func runEndEncodedTo18(dt *arrow.RunEndEncodedType, path string) (v18arrow.DataType, error) {
	ends, err := typeTo18(dt.RunEnds(), path)
	if err != nil {
		return nil, err
	}
	values, err := typeTo18(dt.Encoded(), path)
	if err != nil {
		return nil, err
	}
	out := v18arrow.RunEndEncodedOf(ends, values)
	out.ValueNullable = dt.ValueNullable
	return out, nil
}

func mapTo18(dt *arrow.MapType, path string) (v18arrow.DataType, error) {
	key, err := fieldTo18(dt.KeyField(), path)
	if err != nil {
		return nil, err
	}
	item, err := fieldTo18(dt.ItemField(), path)
	if err != nil {
		return nil, err
	}
	out := v18arrow.MapOfWithMetadata(key.Type, key.Metadata, item.Type, item.Metadata)
	out.KeysSorted = dt.KeysSorted
	out.SetItemNullable(item.Nullable)
	return out, nil
}

func listTo18(dt arrow.ListLikeType, path string) (v18arrow.DataType, error) {
	elem, err := fieldTo18(dt.ElemField(), path)
	if err != nil {
		return nil, err
	}
	switch dt := dt.(type) {
	case *arrow.ListType:
		return v18arrow.ListOfField(elem), nil
	case *arrow.LargeListType:
		return v18arrow.LargeListOfField(elem), nil
	case *arrow.ListViewType:
		return v18arrow.ListViewOfField(elem), nil
	case *arrow.LargeListViewType:
		return v18arrow.LargeListViewOfField(elem), nil
	case *arrow.FixedSizeListType:
		return v18arrow.FixedSizeListOfField(dt.Len(), elem), nil
	}
	return nil, noCounterpart(path, dt, "v18")
}
