package arrow18

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// ArrayTo18 gives a v18 array over the buffers of a v17 array. The caller releases the result; what it reads of a stays
// retained until then. An extension type that v18 does not know becomes its storage type.
//
// A type that cannot cross is columnar.ErrSchema, an array whose parts do not fit its type columnar.ErrCorrupt.
func ArrayTo18(a arrow.Array) (v18arrow.Array, error) {
	field, err := FieldTo18(arrow.Field{Type: a.DataType()})
	if err != nil {
		return nil, err
	}
	return arrayOf18(a.Data(), field)
}

// RecordTo18 gives a v18 record over the buffers of a v17 record, with ArrayTo18's ownership and errors.
func RecordTo18(r arrow.Record) (v18arrow.RecordBatch, error) {
	schema, err := SchemaTo18(r.Schema())
	if err != nil {
		return nil, err
	}
	return recordTo18(r, schema)
}

// recordTo18 makes a record of the given schema, which must be the v18 counterpart of r's schema.
func recordTo18(r arrow.Record, schema *v18arrow.Schema) (v18arrow.RecordBatch, error) {
	columns := make([]v18arrow.Array, 0, r.NumCols())
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	for i, c := range r.Columns() {
		column, err := arrayOf18(c.Data(), schema.Field(i))
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return v18array.NewRecordBatch(schema, columns, r.NumRows()), nil
}

// arrayOf18 makes an array of field's type, whose layout must be that of d's type. Arrow checks the parts of an array against
// each other when it is made, and panics where they do not fit.
func arrayOf18(d arrow.ArrayData, field v18arrow.Field) (out v18arrow.Array, err error) {
	data, err := dataTo18(d, field.Type)
	if err != nil {
		return nil, fmt.Errorf("%w: column %q: %w", columnar.ErrCorrupt, field.Name, err)
	}
	defer data.Release()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: column %q: %v", columnar.ErrCorrupt, field.Name, r)
		}
	}()
	return v18array.MakeFromData(data), nil
}

// dataTo18 makes headers of type dt around d's buffers, children and dictionary. The caller owns the result.
func dataTo18(d arrow.ArrayData, dt v18arrow.DataType) (*v18array.Data, error) {
	storage := dt
	if e, ok := dt.(v18arrow.ExtensionType); ok {
		storage = e.StorageType()
	}
	children, err := childrenTo18(d.Children(), storage)
	defer func() {
		for _, c := range children {
			c.Release()
		}
	}()
	if err != nil {
		return nil, err
	}
	dictionary, err := dictionaryDataTo18(d, storage)
	if err != nil {
		return nil, err
	}
	if dictionary != nil {
		defer dictionary.Release()
	}
	buffers := make([]*v18memory.Buffer, len(d.Buffers()))
	for i, b := range d.Buffers() {
		buffers[i] = lend18(b)
	}
	out := v18array.NewData(dt, d.Len(), buffers, children, d.NullN(), d.Offset())
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	if dictionary != nil {
		out.SetDictionary(dictionary)
	}
	return out, nil
}

// childrenTo18 converts the children of an array of type parent. On an error the children made so far are returned with it.
func childrenTo18(in []arrow.ArrayData, parent v18arrow.DataType) ([]v18arrow.ArrayData, error) {
	var fields []v18arrow.Field
	if nested, ok := parent.(v18arrow.NestedType); ok {
		fields = nested.Fields()
	}
	if len(in) != len(fields) {
		return nil, fmt.Errorf("%d child arrays, type %s has %d", len(in), parent, len(fields))
	}
	out := make([]v18arrow.ArrayData, 0, len(in))
	for i, c := range in {
		child, err := dataTo18(c, fields[i].Type)
		if err != nil {
			return out, err
		}
		out = append(out, child)
	}
	return out, nil
}

// dictionaryDataTo18 converts the dictionary of d, an array of type dt; nil if dt is no dictionary type.
func dictionaryDataTo18(d arrow.ArrayData, dt v18arrow.DataType) (*v18array.Data, error) {
	encoded, ok := dt.(*v18arrow.DictionaryType)
	if !ok {
		return nil, nil
	}
	values, ok := d.Dictionary().(*array.Data)
	if !ok || values == nil {
		return nil, errors.New("dictionary array without a dictionary")
	}
	return dataTo18(values, encoded.ValueType)
}
