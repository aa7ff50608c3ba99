package columnar

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// isBare says whether values of the layout have no bytes of their own but for validity: NULLs, and structs and fixed-size lists
// of nothing else.
func (l Layout) isBare() bool {
	if l.Form != FormNull && l.Form != FormStruct && l.Form != FormFixedList {
		return false
	}
	for _, child := range l.Children {
		if !child.isBare() {
			return false
		}
	}
	return true
}

// bareData makes n rows of a type whose layout is bare.
func bareData(t arrow.DataType, n int) arrow.ArrayData {
	storage := t
	for e, ok := t.(arrow.ExtensionType); ok; e, ok = storage.(arrow.ExtensionType) {
		storage = e.StorageType()
	}
	nulls, items := 0, n
	switch t := storage.(type) {
	case *arrow.NullType:
		nulls = n
	case *arrow.FixedSizeListType:
		items = n * int(t.Len())
	}
	var children []arrow.ArrayData
	for _, child := range childTypes(t) {
		children = append(children, bareData(child, items))
	}
	d := array.NewData(t, n, []*memory.Buffer{nil}, children, nulls, 0)
	for _, child := range children {
		child.Release()
	}
	return d
}
