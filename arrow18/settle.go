package arrow18

import (
	v18arrow "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// The types of a column pass through three stages:
//
//	settled   what the reader says they are
//	plain     the same layout in types that Parquet has: no durations, no extension types
//	decoded   what the decoder is told to make: lists of no fixed size, and INT96 as it is
//
// A decoded array becomes plain by lists.restore, and settled by its v17 header.

// settleTypes corrects what the decoder chose. For INT96 it invents a time zone, of which only a carried Arrow schema can
// know. Dictionary indices it converts to the type of the carried schema on a goroutine that nothing guards; they stay int32.
// Dictionaries within lists it fails on where all lists are empty; what is nested is read as values.
func settleTypes(m *pqarrow.SchemaManifest, columns *schema.Schema) {
	for i := range m.Fields {
		zone := ""
		if m.OriginSchema != nil {
			if origin, ok := m.OriginSchema.Field(i).Type.(*v18arrow.TimestampType); ok {
				zone = origin.TimeZone
			}
		}
		retype(&m.Fields[i], func(f *pqarrow.SchemaField, dt v18arrow.DataType) v18arrow.DataType {
			if isInt96(f, columns) {
				return &v18arrow.TimestampType{Unit: v18arrow.Nanosecond, TimeZone: zone}
			}
			if d, ok := dt.(*v18arrow.DictionaryType); ok {
				if f != &m.Fields[i] {
					return d.ValueType
				}
				return &v18arrow.DictionaryType{IndexType: v18arrow.PrimitiveTypes.Int32, ValueType: d.ValueType, Ordered: d.Ordered}
			}
			return dt
		})
	}
}

func isInt96(f *pqarrow.SchemaField, columns *schema.Schema) bool {
	return f.ColIndex >= 0 && columns.Column(f.ColIndex).PhysicalType() == parquet.Types.Int96
}

// plainTypes takes a settled field to its plain type.
func plainTypes(f *pqarrow.SchemaField) {
	retype(f, func(_ *pqarrow.SchemaField, dt v18arrow.DataType) v18arrow.DataType {
		for {
			e, ok := dt.(v18arrow.ExtensionType)
			if !ok {
				break
			}
			dt = e.StorageType()
		}
		if dt.ID() == v18arrow.DURATION {
			return v18arrow.PrimitiveTypes.Int64
		}
		return dt
	})
}

// decodedTypes takes a plain field to its decoded type. For INT96 that is int32: the decoder then gives an array of one int32 a
// value whose buffer has the value's 12 bytes.
func decodedTypes(f *pqarrow.SchemaField, columns *schema.Schema) (changed bool) {
	return retype(f, func(f *pqarrow.SchemaField, dt v18arrow.DataType) v18arrow.DataType {
		if isInt96(f, columns) {
			return v18arrow.PrimitiveTypes.Int32
		}
		if fixed, ok := dt.(*v18arrow.FixedSizeListType); ok {
			return v18arrow.ListOfField(fixed.ElemField())
		}
		return dt
	})
}

// retype gives a field and all below it the types that choose says, the lowest first. choose is given the type a field has
// with the new types of its children.
func retype(f *pqarrow.SchemaField, choose func(*pqarrow.SchemaField, v18arrow.DataType) v18arrow.DataType) (changed bool) {
	for i := range f.Children {
		changed = retype(&f.Children[i], choose) || changed
	}
	dt := f.Field.Type
	if changed {
		dt = parentType(f)
	}
	dt = choose(f, dt)
	if changed = changed || !v18arrow.TypeEqual(dt, f.Field.Type); changed {
		field := *f.Field
		field.Type = dt
		f.Field = &field
	}
	return changed
}

// parentType is the type of a field with the types its children have now.
func parentType(f *pqarrow.SchemaField) v18arrow.DataType {
	child := *f.Children[0].Field
	switch dt := f.Field.Type.(type) {
	case *v18arrow.ListType:
		return v18arrow.ListOfField(child)
	case *v18arrow.LargeListType:
		return v18arrow.LargeListOfField(child)
	case *v18arrow.FixedSizeListType:
		return v18arrow.FixedSizeListOfField(dt.Len(), child)
	case *v18arrow.MapType:
		pair := child.Type.(*v18arrow.StructType)
		out := v18arrow.MapOfFields(pair.Field(0), pair.Field(1))
		out.KeysSorted = dt.KeysSorted
		return out
	case *v18arrow.StructType:
		fields := make([]v18arrow.Field, len(f.Children))
		for i := range f.Children {
			fields[i] = *f.Children[i].Field
		}
		return v18arrow.StructOf(fields...)
	}
	return f.Field.Type
}
