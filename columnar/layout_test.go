package columnar_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// money is a type of a user, stored as an integer.
type money struct{ arrow.ExtensionBase }

func (*money) ArrayType() reflect.Type { return reflect.TypeOf(array.ExtensionArrayBase{}) }

func (*money) ExtensionName() string { return "money" }

func (*money) ExtensionEquals(arrow.ExtensionType) bool { return true }

func (*money) Serialize() string { return "" }

func (m *money) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) { return m, nil }

// refused is the form of the types that cannot be merged.
const refused columnar.Form = 255

// layouts has at least one type of every type ID.
var layouts = []struct {
	t     arrow.DataType
	form  columnar.Form
	width int
	order columnar.Order
}{
	{arrow.Null, columnar.FormNull, 0, columnar.OrderNone},
	{arrow.FixedWidthTypes.Boolean, columnar.FormBits, 0, columnar.OrderBool},
	{arrow.PrimitiveTypes.Int8, columnar.FormFixed, 1, columnar.OrderInt8},
	{arrow.PrimitiveTypes.Int16, columnar.FormFixed, 2, columnar.OrderInt16},
	{arrow.PrimitiveTypes.Int32, columnar.FormFixed, 4, columnar.OrderInt32},
	{arrow.PrimitiveTypes.Int64, columnar.FormFixed, 8, columnar.OrderInt64},
	{arrow.PrimitiveTypes.Uint8, columnar.FormFixed, 1, columnar.OrderUint8},
	{arrow.PrimitiveTypes.Uint16, columnar.FormFixed, 2, columnar.OrderUint16},
	{arrow.PrimitiveTypes.Uint32, columnar.FormFixed, 4, columnar.OrderUint32},
	{arrow.PrimitiveTypes.Uint64, columnar.FormFixed, 8, columnar.OrderUint64},
	{arrow.FixedWidthTypes.Float16, columnar.FormFixed, 2, columnar.OrderNone},
	{arrow.PrimitiveTypes.Float32, columnar.FormFixed, 4, columnar.OrderFloat32},
	{arrow.PrimitiveTypes.Float64, columnar.FormFixed, 8, columnar.OrderFloat64},
	{arrow.BinaryTypes.String, columnar.FormText32, 0, columnar.OrderText},
	{arrow.BinaryTypes.Binary, columnar.FormText32, 0, columnar.OrderText},
	{arrow.BinaryTypes.LargeString, columnar.FormText64, 0, columnar.OrderText},
	{arrow.BinaryTypes.LargeBinary, columnar.FormText64, 0, columnar.OrderText},
	{&arrow.FixedSizeBinaryType{ByteWidth: 1}, columnar.FormFixed, 1, columnar.OrderText},
	{&arrow.FixedSizeBinaryType{ByteWidth: 7}, columnar.FormFixed, 7, columnar.OrderText},
	{&arrow.FixedSizeBinaryType{ByteWidth: 1000}, columnar.FormFixed, 1000, columnar.OrderText},
	{&arrow.FixedSizeBinaryType{ByteWidth: 0}, refused, 0, columnar.OrderText},
	{&arrow.FixedSizeBinaryType{ByteWidth: -4}, refused, 0, columnar.OrderText},
	{arrow.FixedWidthTypes.Date32, columnar.FormFixed, 4, columnar.OrderInt32},
	{arrow.FixedWidthTypes.Date64, columnar.FormFixed, 8, columnar.OrderInt64},
	{arrow.FixedWidthTypes.Time32s, columnar.FormFixed, 4, columnar.OrderInt32},
	{arrow.FixedWidthTypes.Time32ms, columnar.FormFixed, 4, columnar.OrderInt32},
	{arrow.FixedWidthTypes.Time64us, columnar.FormFixed, 8, columnar.OrderInt64},
	{arrow.FixedWidthTypes.Time64ns, columnar.FormFixed, 8, columnar.OrderInt64},
	{arrow.FixedWidthTypes.Timestamp_s, columnar.FormFixed, 8, columnar.OrderInt64},
	{&arrow.TimestampType{Unit: arrow.Nanosecond}, columnar.FormFixed, 8, columnar.OrderInt64},
	{arrow.FixedWidthTypes.MonthInterval, columnar.FormFixed, 4, columnar.OrderNone},
	{arrow.FixedWidthTypes.DayTimeInterval, columnar.FormFixed, 8, columnar.OrderNone},
	{arrow.FixedWidthTypes.MonthDayNanoInterval, columnar.FormFixed, 16, columnar.OrderNone},
	{arrow.FixedWidthTypes.Duration_s, columnar.FormFixed, 8, columnar.OrderNone},
	{arrow.FixedWidthTypes.Duration_ns, columnar.FormFixed, 8, columnar.OrderNone},
	{&arrow.Decimal128Type{Precision: 5, Scale: 1}, columnar.FormFixed, 16, columnar.OrderDecimal128},
	{&arrow.Decimal256Type{Precision: 50, Scale: 1}, columnar.FormFixed, 32, columnar.OrderNone},

	{arrow.ListOf(arrow.PrimitiveTypes.Int8), columnar.FormList32, 0, columnar.OrderNone},
	{arrow.LargeListOf(arrow.PrimitiveTypes.Int8), columnar.FormList64, 0, columnar.OrderNone},
	{arrow.ListViewOf(arrow.PrimitiveTypes.Int8), refused, 0, columnar.OrderNone},
	{arrow.LargeListViewOf(arrow.PrimitiveTypes.Int8), refused, 0, columnar.OrderNone},
	{arrow.FixedSizeListOf(4, arrow.PrimitiveTypes.Int8), columnar.FormFixedList, 4, columnar.OrderNone},
	{arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int8}), columnar.FormStruct, 0, columnar.OrderNone},
	{arrow.StructOf(), columnar.FormStruct, 0, columnar.OrderNone},
	{arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int8), columnar.FormList32, 0, columnar.OrderNone},
	{arrow.SparseUnionOf([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int8}}, []arrow.UnionTypeCode{0}), refused, 0, columnar.OrderNone},
	{arrow.DenseUnionOf([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int8}}, []arrow.UnionTypeCode{0}), refused, 0, columnar.OrderNone},
	{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}, refused, 0, columnar.OrderNone},
	{&money{arrow.ExtensionBase{Storage: arrow.PrimitiveTypes.Int64}}, columnar.FormFixed, 8, columnar.OrderInt64},
	{arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64), refused, 0, columnar.OrderNone},
	{arrow.BinaryTypes.StringView, refused, 0, columnar.OrderNone},
	{arrow.BinaryTypes.BinaryView, refused, 0, columnar.OrderNone},
}

func TestLayoutOf(t *testing.T) {
	for _, c := range layouts {
		layout, err := columnar.LayoutOf(c.t)
		if c.form == refused {
			if !errors.Is(err, columnar.ErrSchema) || !strings.Contains(err.Error(), c.t.String()) {
				t.Errorf("%s: layout %+v, error %v, want ErrSchema that names the type", c.t, layout, err)
			}
		} else if err != nil || layout.Form != c.form || layout.Width != c.width {
			t.Errorf("%s: layout %+v, error %v, want form %d of width %d", c.t, layout, err, c.form, c.width)
		}
		if order := columnar.OrderOf(c.t); order != c.order {
			t.Errorf("%s: order %d, want %d", c.t, order, c.order)
		}
	}
}

// TestEveryTypeHasALayout finds the type IDs of Arrow that the table above does not know.
func TestEveryTypeHasALayout(t *testing.T) {
	known := map[arrow.Type]bool{}
	for _, c := range layouts {
		known[c.t.ID()] = true
	}
	id := arrow.NULL
	for ; !strings.HasPrefix(id.String(), "Type("); id++ {
		if !known[id] {
			t.Errorf("no entry for type %s", id)
		}
	}
	if int(id) < len(known) {
		t.Errorf("%d types looked for, the table has %d", id, len(known))
	}
}

func TestLayoutOfNoType(t *testing.T) {
	if _, err := columnar.LayoutOf(nil); !errors.Is(err, columnar.ErrSchema) {
		t.Errorf("error %v, want ErrSchema", err)
	}
}

func TestNewViewOfATypeWithoutLayout(t *testing.T) {
	for _, c := range layouts {
		if c.form != refused {
			continue
		}
		if _, err := columnar.NewView(array.NewData(c.t, 0, nil, nil, 0, 0)); !errors.Is(err, columnar.ErrSchema) {
			t.Errorf("%s: error %v, want ErrSchema", c.t, err)
		}
	}
}
