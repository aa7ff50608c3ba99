package arrow18

import (
	"math"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"
)

// Parquet has no dictionary type, only encodings: a dictionary array is written as its values, one a row. The encoder could
// do so itself, but converts on a goroutine that nothing guards, and not from all types.

// denseType is what dense makes of a dictionary of values of type dt. Strings take 64-bit offsets: a short dictionary can stand
// for more bytes than 32 bits count.
func denseType(dt v18arrow.DataType) v18arrow.DataType {
	switch dt.ID() {
	case v18arrow.STRING:
		return v18arrow.BinaryTypes.LargeString
	case v18arrow.BINARY:
		return v18arrow.BinaryTypes.LargeBinary
	}
	return dt
}

// dense gives the values of a dictionary array, whose indices must be within the dictionary, as an array of type dt: the type
// of the values, or the same with offsets of the other width. The caller owns the result.
func (l lists) dense(d v18arrow.ArrayData, dt v18arrow.DataType) (v18arrow.ArrayData, error) {
	a := v18array.NewDictionaryData(d.(*v18array.Data))
	defer a.Release()
	rows, nulls := denseRows(a)
	parts := make([]*v18memory.Buffer, 1, 3)
	if nulls > 0 {
		parts[0] = l.denseValidity(rows)
		defer parts[0].Release()
	}
	values, err := l.denseValues(a.Dictionary(), rows, dt)
	if err != nil {
		return nil, err
	}
	defer releaseAll(values)
	return v18array.NewData(dt, a.Len(), append(parts, values...), nil, nulls, 0), nil
}

// denseValues makes the buffers behind the validity.
func (l lists) denseValues(values v18arrow.Array, rows []int32, dt v18arrow.DataType) ([]*v18memory.Buffer, error) {
	switch values := values.(type) {
	case *v18array.Boolean:
		return []*v18memory.Buffer{l.denseBits(values, rows)}, nil
	case v18array.BinaryLike:
		return l.denseBytes(values, rows, v18arrow.IsLargeBinaryLike(dt.ID()))
	}
	return []*v18memory.Buffer{l.denseFixed(values.Data(), rows)}, nil
}

// denseRows gives the value of each row, -1 where it is NULL, and the number of NULLs.
func denseRows(a *v18array.Dictionary) (rows []int32, nulls int) {
	rows = make([]int32, a.Len())
	if indices, ok := a.Indices().(*v18array.Int32); ok {
		copy(rows, indices.Int32Values())
	} else {
		for i := range rows {
			if a.IsValid(i) {
				rows[i] = int32(a.GetValueIndex(i))
			}
		}
	}
	values := a.Dictionary()
	if a.NullN() == 0 && values.NullN() == 0 {
		return rows, 0
	}
	for i := range rows {
		if a.IsNull(i) || values.IsNull(int(rows[i])) {
			rows[i] = -1
			nulls++
		}
	}
	return rows, nulls
}

func (l lists) denseValidity(rows []int32) *v18memory.Buffer {
	out := l.buffer(int(bitutil.BytesForBits(int64(len(rows)))))
	clear(out.Bytes())
	for i, v := range rows {
		if v >= 0 {
			bitutil.SetBit(out.Bytes(), i)
		}
	}
	return out
}

func (l lists) denseBits(values *v18array.Boolean, rows []int32) *v18memory.Buffer {
	out := l.buffer(int(bitutil.BytesForBits(int64(len(rows)))))
	clear(out.Bytes())
	for i, v := range rows {
		if v >= 0 && values.Value(int(v)) {
			bitutil.SetBit(out.Bytes(), i)
		}
	}
	return out
}

func (l lists) denseFixed(values v18arrow.ArrayData, rows []int32) *v18memory.Buffer {
	width := values.DataType().(v18arrow.FixedWidthDataType).Bytes()
	out := l.buffer(len(rows) * width)
	clear(out.Bytes())
	for i, v := range rows {
		if v >= 0 {
			from := (values.Offset() + int(v)) * width
			copy(out.Bytes()[i*width:], values.Buffers()[1].Bytes()[from:from+width])
		}
	}
	return out
}

// denseBytes makes the offsets and the bytes of strings.
func (l lists) denseBytes(values v18array.BinaryLike, rows []int32, large bool) ([]*v18memory.Buffer, error) {
	from := make([]int64, values.Len()+1)
	for v := range values.Len() {
		from[v] = values.ValueOffset64(v)
		from[v+1] = from[v] + int64(values.ValueLen(v))
	}
	total := int64(0)
	for _, v := range rows {
		if v >= 0 {
			total += from[v+1] - from[v]
		}
	}
	if !large && total > math.MaxInt32 {
		return nil, tooLarge(total, math.MaxInt32)
	}
	var held []byte
	if b := values.Data().Buffers()[2]; b != nil {
		held = b.Bytes()
	}
	out := l.buffer(int(total))
	if large {
		offsets := l.buffer(v18arrow.Int64Traits.BytesRequired(len(rows) + 1))
		spell(out.Bytes(), v18arrow.Int64Traits.CastFromBytes(offsets.Bytes()), rows, from, held)
		return []*v18memory.Buffer{offsets, out}, nil
	}
	offsets := l.buffer(v18arrow.Int32Traits.BytesRequired(len(rows) + 1))
	spell(out.Bytes(), v18arrow.Int32Traits.CastFromBytes(offsets.Bytes()), rows, from, held)
	return []*v18memory.Buffer{offsets, out}, nil
}

// spell writes the strings of rows to out and where they begin to offsets. Value v is held[from[v]:from[v+1]].
func spell[T int32 | int64](out []byte, offsets []T, rows []int32, from []int64, held []byte) {
	at := 0
	offsets[0] = 0
	for i, v := range rows {
		if v >= 0 {
			at += copy(out[at:], held[from[v]:from[v+1]])
		}
		offsets[i+1] = T(at)
	}
}
