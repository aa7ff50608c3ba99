package columnar

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// Form is the kind of a layout.
type Form uint8

const (
	FormNull      Form = iota // no buffers: every value is NULL
	FormBits                  // one bit a value
	FormFixed                 // Width bytes a value
	FormText32                // bytes between 32-bit offsets
	FormText64                // bytes between 64-bit offsets
	FormList32                // rows of the child between 32-bit offsets
	FormList64                // rows of the child between 64-bit offsets
	FormFixedList             // Width rows of the child a value
	FormStruct                // a row of every child a value
)

// Layout is how the values of a type lie in memory.
type Layout struct {
	Form     Form
	Width    int      // bytes a value for FormFixed, rows of the child for FormFixedList
	Children []Layout // one for lists, one a field for FormStruct
}

// IsText says whether values are bytes between offsets.
func (l Layout) IsText() bool { return l.Form == FormText32 || l.Form == FormText64 }

// LayoutOf returns the layout of a type. A type that cannot be merged is ErrSchema.
func LayoutOf(t arrow.DataType) (Layout, error) {
	switch t := t.(type) {
	case *arrow.NullType:
		return Layout{Form: FormNull}, nil
	case *arrow.BooleanType:
		return Layout{Form: FormBits}, nil
	case *arrow.StringType, *arrow.BinaryType:
		return Layout{Form: FormText32}, nil
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return Layout{Form: FormText64}, nil
	case *arrow.ListType, *arrow.MapType:
		return nested(Layout{Form: FormList32}, childTypes(t)...)
	case *arrow.LargeListType:
		return nested(Layout{Form: FormList64}, childTypes(t)...)
	case *arrow.FixedSizeListType:
		return nested(Layout{Form: FormFixedList, Width: int(t.Len())}, childTypes(t)...)
	case *arrow.StructType:
		return nested(Layout{Form: FormStruct}, childTypes(t)...)
	case arrow.ExtensionType:
		return LayoutOf(t.StorageType())
	case *arrow.DictionaryType:
		// Its indices are of a fixed width, but not all there is to move.
	case *arrow.FixedSizeBinaryType:
		if t.ByteWidth > 0 {
			return Layout{Form: FormFixed, Width: t.ByteWidth}, nil
		}
	case arrow.FixedWidthDataType:
		if bits := t.BitWidth(); bits >= 8 && bits&7 == 0 {
			return Layout{Form: FormFixed, Width: bits / 8}, nil
		}
	}
	return Layout{}, fmt.Errorf("%w: type %s cannot be merged", ErrSchema, t)
}

// nested adds the layouts of the children.
func nested(l Layout, children ...arrow.DataType) (Layout, error) {
	for _, t := range children {
		child, err := LayoutOf(t)
		if err != nil {
			return Layout{}, err
		}
		l.Children = append(l.Children, child)
	}
	return l, nil
}

// childTypes returns the types of the children of a nested type.
func childTypes(t arrow.DataType) []arrow.DataType {
	switch t := t.(type) {
	case arrow.ExtensionType:
		return childTypes(t.StorageType())
	case *arrow.StructType:
		types := make([]arrow.DataType, t.NumFields())
		for i, f := range t.Fields() {
			types[i] = f.Type
		}
		return types
	case arrow.ListLikeType:
		return []arrow.DataType{t.Elem()}
	}
	return nil
}

// equal says whether two layouts are the same, children included.
func (l Layout) equal(o Layout) bool {
	return l.Form == o.Form && l.Width == o.Width && slices.EqualFunc(l.Children, o.Children, Layout.equal)
}
