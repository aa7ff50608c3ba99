package validity

import (
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Default is what a column of a table takes in the place of NULL when rows are written (docs/semantics.md, "Writing").
type Default struct {
	field arrow.Field
	value arrow.Array // one row
}

// DefaultOf reads the default of a column from its field metadata `paimon.default`, nil if it has none. Text that is no value
// of the column's type is ErrSchema, and so is a default of a type that has none: binary, nested and encoded columns.
func DefaultOf(field arrow.Field) (*Default, error) {
	text, ok := field.Metadata.GetValue("paimon.default")
	if !ok {
		return nil, nil
	}
	value, err := defaultValue(field.Type, text)
	if err != nil {
		return nil, fmt.Errorf("%w: default %q of column %q: %v", ErrSchema, text, field.Name, err)
	}
	return &Default{field, value}, nil
}

// defaultValue makes an array of one value.
func defaultValue(t arrow.DataType, text string) (arrow.Array, error) {
	switch t := t.(type) {
	case *arrow.StringType, *arrow.LargeStringType:
		b := array.NewBuilder(memory.DefaultAllocator, t).(array.StringLikeBuilder)
		b.Append(text)
		return b.NewArray(), nil
	case *arrow.Decimal128Type:
		n, err := decimal128.FromString(text, t.Precision, t.Scale)
		if err != nil {
			return nil, err
		}
		b := array.NewDecimal128Builder(memory.DefaultAllocator, t)
		b.Append(n)
		return b.NewArray(), nil
	case *arrow.BooleanType:
		text = strings.ToLower(text)
	case arrow.FixedWidthDataType:
		switch t.ID() {
		case arrow.FIXED_SIZE_BINARY, arrow.DECIMAL256, arrow.DICTIONARY, arrow.EXTENSION:
			return nil, fmt.Errorf("columns of type %s have none", t)
		}
	default:
		return nil, fmt.Errorf("columns of type %s have none", t)
	}
	b := array.NewBuilder(memory.DefaultAllocator, t)
	if err := b.AppendValueFromString(text); err != nil {
		return nil, err
	}
	if b.NullN() > 0 {
		return nil, fmt.Errorf("it is no value of type %s", t)
	}
	return b.NewArray(), nil
}

// Fill returns a column of the default's type with the default in the place of every NULL; without a NULL it is the column
// itself. The caller releases it. More text than offsets can count is ErrTooLarge; buffers that do not hold what the column
// promises are ErrCorrupt.
func (d *Default) Fill(column arrow.Array, mem memory.Allocator) (arrow.Array, error) {
	if column.NullN() == 0 {
		column.Retain()
		return column, nil
	}
	data, err := d.fill(column.Data(), mem)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", d.field.Name, err)
	}
	defer data.Release()
	return array.MakeFromData(data), nil
}

func (d *Default) fill(column arrow.ArrayData, mem memory.Allocator) (arrow.ArrayData, error) {
	nulls := nullsOf(column)
	switch t := column.DataType().(type) {
	case *arrow.BooleanType:
		return d.fillBits(column, nulls, mem)
	case *arrow.StringType:
		return fillText[int32](d, column, nulls, mem)
	case *arrow.LargeStringType:
		return fillText[int64](d, column, nulls, mem)
	default:
		return d.fillFixed(column, nulls, t.(arrow.FixedWidthDataType).Bytes(), mem)
	}
}

// nullsOf returns the mask of the NULLs of an array without children.
func nullsOf(data arrow.ArrayData) []uint64 {
	nulls := make([]uint64, Words(data.Len()))
	bitmap := data.Buffers()[0]
	for row := range data.Len() {
		if bitmap != nil && !bitutil.BitIsSet(bitmap.Bytes(), data.Offset()+row) {
			Set(nulls, row)
		}
	}
	return nulls
}

// buffer returns the bytes of a buffer of an array, which must be so many at least.
func buffer(data arrow.ArrayData, i, size int) ([]byte, error) {
	var b []byte
	if buffers := data.Buffers(); i < len(buffers) && buffers[i] != nil {
		b = buffers[i].Bytes()
	}
	if len(b) < size {
		return nil, fmt.Errorf("%w: buffer of %d bytes, not %d", ErrCorrupt, len(b), size)
	}
	return b, nil
}

// filled makes an array without a NULL of its buffers.
func filled(t arrow.DataType, rows int, buffers ...*memory.Buffer) arrow.ArrayData {
	data := array.NewData(t, rows, append([]*memory.Buffer{nil}, buffers...), nil, 0, 0)
	for _, b := range buffers {
		b.Release()
	}
	return data
}

func newBuffer(mem memory.Allocator, size int) *memory.Buffer {
	b := memory.NewResizableBuffer(mem)
	b.Resize(size)
	return b
}

func (d *Default) fillBits(column arrow.ArrayData, nulls []uint64, mem memory.Allocator) (arrow.ArrayData, error) {
	rows := column.Len()
	src, err := buffer(column, 1, (column.Offset()+rows+7)/8)
	if err != nil {
		return nil, err
	}
	out := newBuffer(mem, (rows+7)/8)
	bitutil.CopyBitmap(src, column.Offset(), rows, out.Bytes(), 0)
	value := d.value.(*array.Boolean).Value(0)
	for row := Next(nulls, 0); row >= 0; row = Next(nulls, row+1) {
		bitutil.SetBitTo(out.Bytes(), row, value)
	}
	return filled(column.DataType(), rows, out), nil
}

func (d *Default) fillFixed(column arrow.ArrayData, nulls []uint64, width int, mem memory.Allocator) (arrow.ArrayData, error) {
	from, to := column.Offset()*width, (column.Offset()+column.Len())*width
	src, err := buffer(column, 1, to)
	if err != nil {
		return nil, err
	}
	out := newBuffer(mem, to-from)
	copy(out.Bytes(), src[from:to])
	value := d.value.Data().Buffers()[1].Bytes()[:width]
	for row := Next(nulls, 0); row >= 0; row = Next(nulls, row+1) {
		copy(out.Bytes()[row*width:], value)
	}
	return filled(column.DataType(), column.Len(), out), nil
}

func fillText[O int32 | int64](d *Default, column arrow.ArrayData, nulls []uint64, mem memory.Allocator) (arrow.ArrayData, error) {
	width, rows := int(unsafe.Sizeof(O(0))), column.Len()
	b, err := buffer(column, 1, (column.Offset()+rows+1)*width)
	if err != nil {
		return nil, err
	}
	offsets := numbersOf[O](b)[column.Offset() : column.Offset()+rows+1]
	text, err := buffer(column, 2, 0)
	if err != nil {
		return nil, err
	}
	value := []byte(d.value.ValueStr(0))
	size := int64(len(value)) * int64(Count(nulls))
	for row := range rows {
		from, to := int64(offsets[row]), int64(offsets[row+1])
		if from < 0 || to < from || to > int64(len(text)) {
			return nil, fmt.Errorf("%w: row %d: offsets from %d to %d of %d bytes of values", ErrCorrupt, row, from, to, len(text))
		}
		if !Get(nulls, row) {
			size += to - from
		}
	}
	if width == 4 && size > math.MaxInt32 {
		return nil, fmt.Errorf("%w: %d bytes of text", ErrTooLarge, size)
	}
	ends, out := newBuffer(mem, (rows+1)*width), newBuffer(mem, int(size))
	at := numbersOf[O](ends.Bytes())
	at[0] = 0
	for row := range rows {
		next := value
		if !Get(nulls, row) {
			next = text[offsets[row]:offsets[row+1]]
		}
		at[row+1] = at[row] + O(copy(out.Bytes()[at[row]:], next))
	}
	return filled(column.DataType(), rows, ends, out), nil
}

// numbersOf sees bytes as numbers.
func numbersOf[T int32 | int64](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(T(0))))
}
