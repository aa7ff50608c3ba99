package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// Form is the kind of a layout.
type Form uint8

const (
	FormNull   Form = iota // no buffers: every value is NULL
	FormBits               // one bit a value
	FormFixed              // Width bytes a value
	FormText32             // bytes between 32-bit offsets
	FormText64             // bytes between 64-bit offsets
)

// Layout is how the values of a type lie in memory.
type Layout struct {
	Form  Form
	Width int // bytes a value, for FormFixed
}

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
	case *arrow.DictionaryType, arrow.ExtensionType:
		// Their storage is of a fixed width, but not all there is to move.
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
