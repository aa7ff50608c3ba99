package arrow18

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// ArrayTo17 gives a v17 array over the buffers of a v18 array. The caller releases the result; what it reads of a stays
// retained until then. An extension type that v17 does not know becomes its storage type.
//
// A type that v17 does not have is columnar.ErrSchema, an array whose parts do not fit its type columnar.ErrCorrupt.
func ArrayTo17(a v18arrow.Array) (arrow.Array, error) {
	field, err := FieldTo17(v18arrow.Field{Type: a.DataType()})
	if err != nil {
		return nil, err
	}
	return arrayOf17(a.Data(), field)
}

// RecordTo17 gives a v17 record over the buffers of a v18 record, with ArrayTo17's ownership and errors.
func RecordTo17(r v18arrow.RecordBatch) (arrow.Record, error) {
	schema, err := SchemaTo17(r.Schema())
	if err != nil {
		return nil, err
	}
	return recordTo17(r, schema)
}

// recordTo17 makes a record of the given schema, which must be the v17 counterpart of r's schema.
func recordTo17(r v18arrow.RecordBatch, schema *arrow.Schema) (arrow.Record, error) {
	columns := make([]arrow.Array, 0, r.NumCols())
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	for i, c := range r.Columns() {
		column, err := arrayOf17(c.Data(), schema.Field(i))
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return array.NewRecord(schema, columns, r.NumRows()), nil
}

// arrayOf17 makes an array of field's type, whose layout must be that of d's type. Arrow checks the parts of an array against
// each other when it is made, and panics where they do not fit.
func arrayOf17(d v18arrow.ArrayData, field arrow.Field) (out arrow.Array, err error) {
	data, err := dataTo17(d, field.Type)
	if err != nil {
		return nil, fmt.Errorf("%w: column %q: %w", columnar.ErrCorrupt, field.Name, err)
	}
	defer data.Release()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: column %q: %v", columnar.ErrCorrupt, field.Name, r)
		}
	}()
	return array.MakeFromData(data), nil
}

// dataTo17 makes headers of type dt around d's buffers, children and dictionary. The caller owns the result.
func dataTo17(d v18arrow.ArrayData, dt arrow.DataType) (*array.Data, error) {
	storage := dt
	if e, ok := dt.(arrow.ExtensionType); ok {
		storage = e.StorageType()
	}
	children, err := childrenTo17(d.Children(), storage)
	defer func() {
		for _, c := range children {
			c.Release()
		}
	}()
	if err != nil {
		return nil, err
	}
	dictionary, err := dictionaryDataTo17(d, storage)
	if err != nil {
		return nil, err
	}
	if dictionary != nil {
		defer dictionary.Release()
	}
	buffers := make([]*memory.Buffer, len(d.Buffers()))
	for i, b := range d.Buffers() {
		buffers[i] = lend17(b)
	}
	out := array.NewData(dt, d.Len(), buffers, children, d.NullN(), d.Offset())
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

// childrenTo17 converts the children of an array of type parent. On an error the children made so far are returned with it.
func childrenTo17(in []v18arrow.ArrayData, parent arrow.DataType) ([]arrow.ArrayData, error) {
	var fields []arrow.Field
	if nested, ok := parent.(arrow.NestedType); ok {
		fields = nested.Fields()
	}
	if len(in) != len(fields) {
		return nil, fmt.Errorf("%d child arrays, type %s has %d", len(in), parent, len(fields))
	}
	out := make([]arrow.ArrayData, 0, len(in))
	for i, c := range in {
		child, err := dataTo17(c, fields[i].Type)
		if err != nil {
			return out, err
		}
		out = append(out, child)
	}
	return out, nil
}

// dictionaryDataTo17 converts the dictionary of d, an array of type dt; nil if dt is no dictionary type.
func dictionaryDataTo17(d v18arrow.ArrayData, dt arrow.DataType) (*array.Data, error) {
	encoded, ok := dt.(*arrow.DictionaryType)
	if !ok {
		return nil, nil
	}
	values, ok := d.Dictionary().(*v18array.Data)
	if !ok || values == nil {
		return nil, errors.New("dictionary array without a dictionary")
	}
	return dataTo17(values, encoded.ValueType)
}
