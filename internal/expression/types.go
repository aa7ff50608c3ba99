package expression

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// Kind is how the values of a type are computed with.
type Kind uint8

const (
	KindNull    Kind = iota // NULL alone
	KindBool                // true and false
	KindInt                 // 64-bit integers; narrower ones are widened
	KindFloat               // 64-bit floats; narrower ones are widened
	KindDecimal             // up to 38 digits with a scale
	KindText                // bytes: text and binary
	KindTime                // dates, times and timestamps, as numbers of their unit
	KindOther               // anything else: moved and asked for NULL, but not computed with
)

// Type is the type of a term.
type Type struct {
	Kind   Kind
	Scale  int32          // of KindDecimal
	Binary bool           // of KindText: bytes that are no text
	Arrow  arrow.DataType // of KindTime and KindOther, to the unit
}

// maxDigits is how many digits a decimal has, and maxScale how many of them may stand behind the point.
const (
	maxDigits = 38
	maxScale  = 38
)

// typeOf returns the type of a column.
func typeOf(t arrow.DataType) Type {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return typeOf(t.ValueType)
	case *arrow.RunEndEncodedType:
		return typeOf(t.Encoded())
	case arrow.ExtensionType:
		return Type{Kind: KindOther, Arrow: t}
	case *arrow.Decimal128Type:
		if t.Scale < 0 || t.Scale > maxScale {
			return Type{Kind: KindOther, Arrow: t}
		}
		return Type{Kind: KindDecimal, Scale: t.Scale}
	}
	switch t.ID() {
	case arrow.NULL:
		return Type{Kind: KindNull}
	case arrow.BOOL:
		return Type{Kind: KindBool}
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32:
		return Type{Kind: KindInt}
	case arrow.UINT64:
		return Type{Kind: KindDecimal}
	case arrow.FLOAT32, arrow.FLOAT64:
		return Type{Kind: KindFloat}
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return Type{Kind: KindText}
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return Type{Kind: KindText, Binary: true}
	case arrow.DATE32, arrow.DATE64, arrow.TIME32, arrow.TIME64, arrow.TIMESTAMP:
		return Type{Kind: KindTime, Arrow: t}
	}
	return Type{Kind: KindOther, Arrow: t}
}

// equal says whether values of two types compare as they stand.
func (t Type) equal(o Type) bool {
	return t.Kind == o.Kind && t.Scale == o.Scale && t.Binary == o.Binary &&
		(t.Arrow == nil || o.Arrow != nil && arrow.TypeEqual(t.Arrow, o.Arrow))
}

// numeric says whether the type is one of numbers.
func (t Type) numeric() bool {
	return t.Kind == KindInt || t.Kind == KindFloat || t.Kind == KindDecimal
}

// String shows the type for errors.
func (t Type) String() string {
	switch t.Kind {
	case KindNull:
		return "NULL"
	case KindBool:
		return "boolean"
	case KindInt:
		return "integer"
	case KindFloat:
		return "float"
	case KindDecimal:
		return fmt.Sprintf("decimal with %d digits after the point", t.Scale)
	case KindText:
		if t.Binary {
			return "binary"
		}
		return "text"
	}
	return t.Arrow.String()
}

// Alike says whether values of two types are computed with in the same way.
func Alike(a, b arrow.DataType) bool { return typeOf(a).equal(typeOf(b)) }
