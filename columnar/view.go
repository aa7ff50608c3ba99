package columnar

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// View is an array as the slices of its layout. It borrows the array's buffers and is good as long as they are.
type View struct {
	Layout Layout
	Order  Order // how its values compare; OrderNone for types that cannot be keys
	Rows   int
	Nulls  int // how many values are NULL

	valid     []byte // bitmap; nil when no value is NULL
	validAt   int    // the bit of row 0
	bits      []byte // FormBits: bitmap of the values
	bitsAt    int
	fixed     []byte  // FormFixed: the values from row 0
	unchecked bool    // the offsets of text are yet to be checked
	off32     []int32 // FormText32, FormList32: Rows + 1 offsets into data or the child
	off64     []int64 // FormText64, FormList64
	data      []byte
	text      *memory.Buffer // of data, in views of arrays

	children []View // of a struct, row by row its own; of a list, the items
	itemsAt  int    // FormFixedList: the first item of row 0
}

// NewStagedView is NewView for a column whose rows are only staged: it leaves the offsets of text to Stage, which meets them
// on its way.
func NewStagedView(d arrow.ArrayData) (View, error) { return newView(d, true) }

// NewView looks at array data and checks that its buffers hold what its length, array offset and offsets promise, so that
// nothing read through the view lies outside them. Anything else is ErrCorrupt; a type without a layout is ErrSchema.
func NewView(d arrow.ArrayData) (View, error) { return newView(d, false) }

func newView(d arrow.ArrayData, staged bool) (View, error) {
	layout, err := LayoutOf(d.DataType())
	if err != nil {
		return View{}, err
	}
	v := View{Layout: layout, Order: OrderOf(d.DataType()), Rows: d.Len(), unchecked: staged}
	most := math.MaxInt / max(layout.Width, 16) // more values than that have more bytes than an int can count
	if d.Len() < 0 || d.Offset() < 0 || d.Len() > most-d.Offset() {
		return View{}, fmt.Errorf("%w: array of length %d at offset %d", ErrCorrupt, d.Len(), d.Offset())
	}
	if layout.Form == FormNull {
		v.Nulls = v.Rows
		return v, nil
	}
	if err := v.see(d); err != nil {
		return View{}, err
	}
	if v.valid != nil {
		v.Nulls = v.Rows - validity.CountRange(v.valid, v.validAt, v.Rows)
		if v.Nulls == 0 {
			v.valid = nil
		}
	}
	return v, nil
}

func (v *View) see(d arrow.ArrayData) error {
	at, end := d.Offset(), d.Offset()+d.Len()
	buffers := d.Buffers()
	if valid := bytesOf(buffers, 0); len(valid) > 0 {
		if err := enough("validity bitmap", valid, (end+7)/8); err != nil {
			return err
		}
		v.valid, v.validAt = valid, at
	} else if d.NullN() > 0 {
		return fmt.Errorf("%w: %d NULLs and no validity bitmap", ErrCorrupt, d.NullN())
	}
	if v.Rows == 0 {
		return nil
	}
	if len(v.Layout.Children) > 0 || v.Layout.Form == FormStruct {
		return v.seeChildren(d)
	}
	values := bytesOf(buffers, 1)
	switch v.Layout.Form {
	case FormBits:
		v.bits, v.bitsAt = values, at
		return enough("values", values, (end+7)/8)
	case FormFixed:
		if err := enough("values", values, end*v.Layout.Width); err != nil {
			return err
		}
		v.fixed = values[at*v.Layout.Width : end*v.Layout.Width]
		return nil
	case FormText32:
		if err := enough("offsets", values, (end+1)*4); err != nil {
			return err
		}
		v.off32 = castSlice[int32](values)[at : end+1]
		v.seeText(buffers)
	default:
		if err := enough("offsets", values, (end+1)*8); err != nil {
			return err
		}
		v.off64 = castSlice[int64](values)[at : end+1]
		v.seeText(buffers)
	}
	if v.unchecked {
		return nil
	}
	return v.CheckTexts(0, v.Rows)
}

func (v *View) seeText(buffers []*memory.Buffer) {
	if v.data = bytesOf(buffers, 2); v.data != nil {
		v.text = buffers[2]
	}
}

// CheckTexts checks the offsets of rows [from, to) of a text column. Views of other columns pass.
func (v *View) CheckTexts(from, to int) error {
	switch {
	case from == to:
		return nil
	case v.Layout.Form == FormText32:
		return ascending(v.off32[from:to+1], len(v.data))
	case v.Layout.Form == FormText64:
		return ascending(v.off64[from:to+1], len(v.data))
	}
	return nil
}

func bytesOf(buffers []*memory.Buffer, i int) []byte {
	if i >= len(buffers) || buffers[i] == nil {
		return nil
	}
	return buffers[i].Bytes()
}

func enough(what string, b []byte, need int) error {
	if len(b) < need {
		return fmt.Errorf("%w: %s of %d bytes, not %d", ErrCorrupt, what, len(b), need)
	}
	return nil
}

// ascending checks that offsets never fall and end inside size bytes.
func ascending[O int32 | int64](off []O, size int) error {
	falls := off[0] < 0
	if len(off) > 1 {
		_, _, falls = simd.Lengths(off)
	}
	if first, last := off[0], off[len(off)-1]; falls || int64(last) > int64(size) {
		return fmt.Errorf("%w: offsets from %d to %d that fall or leave %d bytes of values", ErrCorrupt, first, last, size)
	}
	return nil
}

// castSlice sees bytes as values of another type; bytes that are left over are not seen.
func castSlice[T any](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(T))))
}

// IsNull says whether a value is NULL.
func (v *View) IsNull(row int) bool {
	if v.valid == nil {
		return v.Layout.Form == FormNull
	}
	at := v.validAt + row
	return v.valid[at>>3]>>(at&7)&1 == 0
}

// NullsIn counts the NULLs among rows [from, to).
func (v *View) NullsIn(from, to int) int {
	switch {
	case v.Layout.Form == FormNull:
		return to - from
	case v.valid == nil:
		return 0
	}
	return to - from - validity.CountRange(v.valid, v.validAt+from, to-from)
}

// Bool returns a value of FormBits.
func (v *View) Bool(row int) bool {
	at := v.bitsAt + row
	return v.bits[at>>3]>>(at&7)&1 != 0
}

// Text returns the bytes of a value of FormText32, FormText64 or FormFixed. They are the array's own.
func (v *View) Text(row int) []byte {
	switch v.Layout.Form {
	case FormText32:
		return v.data[v.off32[row]:v.off32[row+1]]
	case FormText64:
		return v.data[v.off64[row]:v.off64[row+1]]
	}
	return v.fixed[row*v.Layout.Width : (row+1)*v.Layout.Width]
}

// TextBytes returns how many bytes the texts of rows [from, to) have. It is below 0 or too much only where offsets that have not
// been checked are wrong.
func (v *View) TextBytes(from, to int) int64 {
	switch {
	case from == to:
		return 0
	case v.Layout.Form == FormText32:
		return int64(v.off32[to] - v.off32[from])
	case v.Layout.Form == FormText64:
		return v.off64[to] - v.off64[from]
	}
	return 0
}

// Fixed returns the values of a FormFixed view as numbers of the same width.
func Fixed[T any](v *View) []T { return castSlice[T](v.fixed) }

// CopyRow makes dst a view of its own of one row, which outlives the array. Memory dst already owns is used again.
func (v *View) CopyRow(dst *View, row int) {
	valid := [1]byte{1}
	if v.IsNull(row) {
		valid[0] = 0
	}
	own := *dst
	*dst = View{Layout: v.Layout, Order: v.Order, Rows: 1, valid: append(own.valid[:0], valid[0]), Nulls: int(1 - valid[0])}
	switch v.Layout.Form {
	case FormBits:
		bit := byte(0)
		if v.Bool(row) {
			bit = 1
		}
		dst.bits = append(own.bits[:0], bit)
	case FormFixed:
		dst.fixed = append(own.fixed[:0], v.Text(row)...)
	case FormText32, FormText64:
		dst.Layout.Form = FormText64
		dst.data = append(own.data[:0], v.Text(row)...)
		dst.off64 = append(own.off64[:0], 0, int64(len(dst.data)))
	}
}

// Bytes returns how many bytes of values, offsets and validity the view has.
func (v *View) Bytes() int64 { return v.BytesIn(0, v.Rows) }

// BytesIn returns how many bytes of values, offsets and validity rows [from, to) have.
func (v *View) BytesIn(from, to int) int64 {
	rows := int64(to - from)
	bytes := int64(0)
	switch v.Layout.Form {
	case FormBits:
		bytes = (rows + 7) / 8
	case FormFixed:
		bytes = rows * int64(v.Layout.Width)
	case FormText32:
		bytes = 4*rows + v.TextBytes(from, to)
	case FormText64:
		bytes = 8*rows + v.TextBytes(from, to)
	case FormList32:
		bytes = 4*rows + v.itemBytes(from, to)
	case FormList64:
		bytes = 8*rows + v.itemBytes(from, to)
	case FormFixedList:
		bytes = v.itemBytes(from, to)
	case FormStruct:
		for i := range v.children {
			bytes += v.children[i].BytesIn(from, to)
		}
	}
	if v.valid != nil {
		bytes += (rows + 7) / 8
	}
	return bytes
}
