package validity

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// isNull says whether a value is NULL, by itself or by what it points at.
func isNull(column arrow.Array, row int) bool {
	switch c := column.(type) {
	case *array.Null:
		return true
	case *array.Dictionary:
		return c.IsNull(row) || c.Dictionary().IsNull(c.GetValueIndex(row))
	case *array.RunEndEncoded:
		return isNull(c.Values(), c.GetPhysicalIndex(row))
	case array.ExtensionArray:
		return isNull(c.Storage(), row)
	}
	return column.IsNull(row)
}

// nullIn returns the first row of a mask in which a column is NULL, or -1.
func nullIn(column arrow.Array, mask []uint64) int {
	for row := Next(mask, 0); row >= 0; row = Next(mask, row+1) {
		if isNull(column, row) {
			return row
		}
	}
	return -1
}

// blank returns a column that is NULL in the rows outside a mask, and shares all buffers but that of its NULLs. The caller
// releases it. Types whose values have no NULL bit of their own are ErrSchema, unless the mask has all rows.
func blank(column arrow.Array, mask []uint64, mem memory.Allocator) (arrow.Array, error) {
	if Count(mask) == column.Len() || column.DataType().ID() == arrow.NULL {
		column.Retain()
		return column, nil
	}
	switch column.DataType().ID() {
	case arrow.RUN_END_ENCODED, arrow.SPARSE_UNION, arrow.DENSE_UNION:
		return nil, fmt.Errorf("%w: values of type %s cannot be left out row by row", ErrSchema, column.DataType())
	}
	data := column.Data()
	valid := newBuffer(mem, (data.Offset()+data.Len()+7)/8)
	clear(valid.Bytes())
	nulls := data.Len()
	for row := Next(mask, 0); row >= 0; row = Next(mask, row+1) {
		if column.IsValid(row) {
			bitutil.SetBit(valid.Bytes(), data.Offset()+row)
			nulls--
		}
	}
	buffers := append([]*memory.Buffer{valid}, data.Buffers()[1:]...)
	var blanked arrow.ArrayData
	if dictionary := data.Dictionary(); column.DataType().ID() == arrow.DICTIONARY {
		blanked = array.NewDataWithDictionary(data.DataType(), data.Len(), buffers, nulls, data.Offset(), dictionary.(*array.Data))
	} else {
		blanked = array.NewData(data.DataType(), data.Len(), buffers, data.Children(), nulls, data.Offset())
	}
	valid.Release()
	defer blanked.Release()
	return array.MakeFromData(blanked), nil
}
