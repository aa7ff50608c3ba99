package arrow18

import (
	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
)

// encode makes a dictionary array of strings or binary, the values in the order in which they come. The caller owns the
// result.
func (l lists) encode(a v18arrow.Array) (v18arrow.ArrayData, error) {
	b := v18array.NewDictionaryBuilder(l.mem, &v18arrow.DictionaryType{IndexType: v18arrow.PrimitiveTypes.Int32, ValueType: a.DataType()})
	defer b.Release()
	if err := b.AppendArray(a); err != nil {
		return nil, err
	}
	out := b.NewDictionaryArray()
	defer out.Release()
	out.Data().Retain()
	return out.Data(), nil
}
