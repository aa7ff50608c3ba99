package columnar

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// seeChildren is see for nested layouts: it checks that every row has its items in the child.
func (v *View) seeChildren(d arrow.ArrayData) error {
	at, end := d.Offset(), d.Offset()+d.Len()
	if got, want := len(d.Children()), len(v.Layout.Children); got != want {
		return fmt.Errorf("%w: %d child arrays, not %d", ErrCorrupt, got, want)
	}
	if v.Layout.Form == FormStruct {
		return v.seeFields(d)
	}
	items, err := NewView(d.Children()[0])
	if err != nil {
		return fmt.Errorf("items: %w", err)
	}
	if !items.Layout.equal(v.Layout.Children[0]) {
		return fmt.Errorf("%w: items of type %s in an array of type %s", ErrCorrupt, d.Children()[0].DataType(), d.DataType())
	}
	v.children = []View{items}
	offsets := bytesOf(d.Buffers(), 1)
	switch v.Layout.Form {
	case FormList32:
		if err := enough("offsets", offsets, (end+1)*4); err != nil {
			return err
		}
		v.off32 = castSlice[int32](offsets)[at : end+1]
		return ascending(v.off32, items.Rows)
	case FormList64:
		if err := enough("offsets", offsets, (end+1)*8); err != nil {
			return err
		}
		v.off64 = castSlice[int64](offsets)[at : end+1]
		return ascending(v.off64, items.Rows)
	}
	v.itemsAt = at * v.Layout.Width
	if need := end * v.Layout.Width; items.Rows < need {
		return fmt.Errorf("%w: %d items for lists of %d", ErrCorrupt, items.Rows, need)
	}
	return nil
}

// seeFields sees the fields of a struct from its first row on.
func (v *View) seeFields(d arrow.ArrayData) error {
	at, end := int64(d.Offset()), int64(d.Offset()+d.Len())
	fields := d.DataType()
	for e, ok := fields.(arrow.ExtensionType); ok; e, ok = fields.(arrow.ExtensionType) {
		fields = e.StorageType()
	}
	for i, child := range d.Children() {
		name := fields.(*arrow.StructType).Field(i).Name
		if int64(child.Len()) < end || child.Offset() < 0 || child.Offset() > math.MaxInt-child.Len() {
			return fmt.Errorf("field %q: %w: %d rows at offset %d for a struct of %d", name, ErrCorrupt, child.Len(), child.Offset(), end)
		}
		part := array.NewSliceData(child, at, end)
		field, err := NewView(part)
		part.Release() // the view is of the child's buffers, which the array holds
		if err != nil {
			return fmt.Errorf("field %q: %w", name, err)
		}
		if !field.Layout.equal(v.Layout.Children[i]) {
			return fmt.Errorf("field %q: %w: it is of type %s in an array of type %s", name, ErrCorrupt, child.DataType(), d.DataType())
		}
		v.children = append(v.children, field)
	}
	return nil
}

// items returns the rows of the child that rows [from, to) of a list have.
func (v *View) items(from, to int) (first, last int) {
	switch {
	case from == to:
		return 0, 0
	case v.Layout.Form == FormList32:
		return int(v.off32[from]), int(v.off32[to])
	case v.Layout.Form == FormList64:
		return int(v.off64[from]), int(v.off64[to])
	}
	return v.itemsAt + from*v.Layout.Width, v.itemsAt + to*v.Layout.Width
}

// itemBytes returns how many bytes the items of rows [from, to) of a list have.
func (v *View) itemBytes(from, to int) int64 {
	if from == to {
		return 0
	}
	first, last := v.items(from, to)
	return v.children[0].BytesIn(first, last)
}
