package columnar

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// retyped returns a nested type with other types for its children; names, nullability and metadata stay.
func retyped(t arrow.DataType, children []arrow.DataType) arrow.DataType {
	switch t := t.(type) {
	case *arrow.ListType:
		return arrow.ListOfField(ofType(t.ElemField(), children[0]))
	case *arrow.LargeListType:
		return arrow.LargeListOfField(ofType(t.ElemField(), children[0]))
	case *arrow.FixedSizeListType:
		return arrow.FixedSizeListOfField(t.Len(), ofType(t.ElemField(), children[0]))
	case *arrow.ListViewType:
		return arrow.ListViewOfField(ofType(t.ElemField(), children[0]))
	case *arrow.LargeListViewType:
		return arrow.LargeListViewOfField(ofType(t.ElemField(), children[0]))
	case *arrow.MapType:
		entry := children[0].(*arrow.StructType)
		key, item := entry.Field(0), entry.Field(1)
		m := arrow.MapOfWithMetadata(key.Type, key.Metadata, item.Type, item.Metadata)
		m.SetItemNullable(item.Nullable)
		m.KeysSorted = t.KeysSorted
		return m
	case *arrow.StructType:
		fields := slices.Clone(t.Fields())
		for i, child := range children {
			fields[i].Type = child
		}
		return arrow.StructOf(fields...)
	}
	return t
}

func ofType(f arrow.Field, t arrow.DataType) arrow.Field {
	f.Type = t
	return f
}

// relabelled returns array data as one of another type with the same layout. The caller releases it.
func relabelled(d arrow.ArrayData, t arrow.DataType) arrow.ArrayData {
	dictionary, _ := d.Dictionary().(*array.Data)
	buffers, children := slices.Clone(d.Buffers()), slices.Clone(d.Children())
	out := array.NewData(t, d.Len(), buffers, children, d.NullN(), d.Offset())
	if dictionary != nil {
		out.SetDictionary(dictionary)
	}
	return out
}

// nullRows returns a view of n NULLs.
func nullRows(l Layout, n int) *View {
	v := &View{Layout: l, Rows: n, Nulls: n, valid: make([]byte, (n+7)/8)}
	switch l.Form {
	case FormBits:
		v.bits = v.valid
	case FormFixed:
		v.fixed = make([]byte, n*l.Width)
	case FormText32, FormList32:
		v.off32 = make([]int32, n+1)
	case FormText64, FormList64:
		v.off64 = make([]int64, n+1)
	}
	rows := 0 // of every child
	switch l.Form {
	case FormFixedList:
		rows = n * l.Width
	case FormStruct:
		rows = n
	}
	for _, child := range l.Children {
		v.children = append(v.children, *nullRows(child, rows))
	}
	return v
}
