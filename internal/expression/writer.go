package expression

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/validity"
)

// writer makes Arrow arrays of vectors, in memory that it uses again.
type writer struct {
	bytes []byte
	off32 []int32
	off64 []int64
}

// write makes an array of the type. It borrows the vector's memory where that holds the values as they are.
func (w *writer) write(t arrow.DataType, v *vector, active []uint64) (arrow.ArrayData, error) {
	switch t.ID() {
	case arrow.BOOL:
		return fixed(t, v, arrow.Uint64Traits.CastToBytes(v.bits)), nil
	case arrow.INT64, arrow.TIMESTAMP, arrow.TIME64, arrow.DATE64:
		return fixed(t, v, arrow.Int64Traits.CastToBytes(v.ints)), nil
	case arrow.FLOAT64:
		return fixed(t, v, arrow.Float64Traits.CastToBytes(v.floats)), nil
	case arrow.DECIMAL128:
		return w.decimals(t.(*arrow.Decimal128Type), v, active)
	case arrow.FLOAT32:
		out := narrowed(w, v.rows, arrow.Float32Traits.CastFromBytes, 4)
		for i, x := range v.floats {
			out[i] = float32(x)
		}
		return fixed(t, v, w.bytes), nil
	case arrow.INT8:
		return integersOf(w, t, v, active, arrow.Int8Traits.CastFromBytes, 1)
	case arrow.INT16:
		return integersOf(w, t, v, active, arrow.Int16Traits.CastFromBytes, 2)
	case arrow.INT32, arrow.DATE32, arrow.TIME32:
		return integersOf(w, t, v, active, arrow.Int32Traits.CastFromBytes, 4)
	case arrow.UINT8:
		return integersOf(w, t, v, active, arrow.Uint8Traits.CastFromBytes, 1)
	case arrow.UINT16:
		return integersOf(w, t, v, active, arrow.Uint16Traits.CastFromBytes, 2)
	case arrow.UINT32:
		return integersOf(w, t, v, active, arrow.Uint32Traits.CastFromBytes, 4)
	case arrow.UINT64:
		return w.unsigned(t, v, active)
	case arrow.STRING, arrow.BINARY:
		return w.text32(t, v)
	case arrow.FIXED_SIZE_BINARY:
		return w.textFixed(t.(*arrow.FixedSizeBinaryType), v, active)
	}
	return w.text64(t, v), nil
}

// fixed makes an array of values that lie one after another.
func fixed(t arrow.DataType, v *vector, values ...[]byte) arrow.ArrayData {
	bitmap, nulls := bitmapOf(v.valid, v.rows)
	buffers := []*memory.Buffer{bitmap}
	for _, b := range values {
		buffers = append(buffers, memory.NewBufferBytes(b))
	}
	return array.NewData(t, v.rows, buffers, nil, nulls, 0)
}

// narrowed makes the writer's bytes hold so many values of a width, and returns them as such.
func narrowed[T any](w *writer, rows int, cast func([]byte) []T, width int) []T {
	w.bytes = grown(w.bytes, rows*width)
	return cast(w.bytes)
}

// integersOf makes an array of narrow integers.
func integersOf[T int8 | int16 | int32 | uint8 | uint16 | uint32](w *writer, t arrow.DataType, v *vector, active []uint64,
	cast func([]byte) []T, width int) (arrow.ArrayData, error) {
	out := narrowed(w, v.rows, cast, width)
	differ := int64(0)
	for i, x := range v.ints {
		out[i] = T(x)
		differ |= x ^ int64(T(x))
	}
	if differ != 0 {
		if row := firstRow(v.rows, active, v.valid, func(row int) bool { return v.ints[row] != int64(T(v.ints[row])) }); row >= 0 {
			return nil, fault(row, ErrOverflow, "%d does not fit %s", v.ints[row], t)
		}
	}
	return fixed(t, v, w.bytes), nil
}

// unsigned makes an array of unsigned 64-bit integers, which are computed as decimals.
func (w *writer) unsigned(t arrow.DataType, v *vector, active []uint64) (arrow.ArrayData, error) {
	out := narrowed(w, v.rows, arrow.Uint64Traits.CastFromBytes, 8)
	high := int64(0)
	for i, x := range v.decimals {
		out[i] = x.LowBits()
		high |= x.HighBits()
	}
	if high != 0 {
		if row := firstRow(v.rows, active, v.valid, func(row int) bool { return v.decimals[row].HighBits() != 0 }); row >= 0 {
			return nil, fault(row, ErrOverflow, "%s does not fit %s", v.decimals[row].ToString(0), t)
		}
	}
	return fixed(t, v, w.bytes), nil
}

func (w *writer) decimals(t *arrow.Decimal128Type, v *vector, active []uint64) (arrow.ArrayData, error) {
	limit := decimal128.GetMaxValue(min(max(t.Precision, 1), maxDigits))
	least := limit.Negate()
	outside := false
	for _, x := range v.decimals {
		outside = outside || limit.Less(x) || x.Less(least)
	}
	if outside {
		row := firstRow(v.rows, active, v.valid, func(row int) bool { return limit.Less(v.decimals[row]) || v.decimals[row].Less(least) })
		if row >= 0 {
			return nil, fault(row, ErrOverflow, "%s does not fit %s", v.decimals[row].ToString(t.Scale), t)
		}
	}
	return fixed(t, v, arrow.Decimal128Traits.CastToBytes(v.decimals)), nil
}

// text32 makes an array of texts between 32-bit offsets. The texts of NULLs are left out.
func (w *writer) text32(t arrow.DataType, v *vector) (arrow.ArrayData, error) {
	w.text64(t, v)
	if total := w.off64[v.rows]; total > math.MaxInt32 {
		return nil, fmt.Errorf("%w: %d bytes of text in one batch of type %s", ErrTooLarge, total, t)
	}
	w.off32 = grown(w.off32, v.rows+1)
	for i, o := range w.off64 {
		w.off32[i] = int32(o)
	}
	return fixed(t, v, arrow.Int32Traits.CastToBytes(w.off32), w.bytes), nil
}

// text64 is text32 for 64-bit offsets.
func (w *writer) text64(t arrow.DataType, v *vector) arrow.ArrayData {
	w.off64 = grown(w.off64, v.rows+1)
	w.bytes = w.bytes[:0]
	for row := range v.rows {
		w.off64[row] = int64(len(w.bytes))
		if v.valid == nil || validity.Get(v.valid, row) {
			w.bytes = append(w.bytes, v.texts.at(row)...)
		}
	}
	w.off64[v.rows] = int64(len(w.bytes))
	return fixed(t, v, arrow.Int64Traits.CastToBytes(w.off64), w.bytes)
}

// textFixed makes an array of binaries of one length.
func (w *writer) textFixed(t *arrow.FixedSizeBinaryType, v *vector, active []uint64) (arrow.ArrayData, error) {
	w.bytes = grown(w.bytes, v.rows*t.ByteWidth)
	for row := range v.rows {
		if v.valid == nil || validity.Get(v.valid, row) {
			copy(w.bytes[row*t.ByteWidth:(row+1)*t.ByteWidth], v.texts.at(row))
		}
	}
	if row := firstRow(v.rows, active, v.valid, func(row int) bool { return len(v.texts.at(row)) != t.ByteWidth }); row >= 0 {
		return nil, fault(row, ErrOverflow, "%d bytes do not fit %s", len(v.texts.at(row)), t)
	}
	return fixed(t, v, w.bytes), nil
}
