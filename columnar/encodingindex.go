package columnar

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// index is a type of index into a dictionary.
type index interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// lookUpAny looks up the indices of a frame, in a buffer of them: out[row] = to[index of the row], 0 or any of to for NULL. An
// index that to has not got is ErrCorrupt, but good under a NULL.
func lookUpAny(t arrow.DataType, out []int32, b []byte, f *frame, to []int32) error {
	switch t.ID() {
	case arrow.INT8:
		return lookUp[int8](out, b, f, to)
	case arrow.UINT8:
		return lookUp[uint8](out, b, f, to)
	case arrow.INT16:
		return lookUp[int16](out, b, f, to)
	case arrow.UINT16:
		return lookUp[uint16](out, b, f, to)
	case arrow.INT32:
		return lookUp[int32](out, b, f, to)
	case arrow.UINT32:
		return lookUp[uint32](out, b, f, to)
	case arrow.INT64:
		return lookUp[int64](out, b, f, to)
	default:
		return lookUp[uint64](out, b, f, to)
	}
}

func lookUp[T index](out []int32, b []byte, f *frame, to []int32) error {
	in, err := valuesIn[T](f, "indices", b)
	if err != nil {
		return err
	}
	for row := 0; ; row++ {
		if row += lookUpRows(out[row:], in[row:], to); row == len(in) {
			return nil
		}
		if !f.isNull(row) {
			return fmt.Errorf("%w: row %d is value %d of a dictionary of %d", ErrCorrupt, row, in[row], len(to))
		}
		out[row] = 0
	}
}

// lookUpRows looks up indices as far as they are good, and returns how far that is.
func lookUpRows[T index](out []int32, in []T, to []int32) int {
	out = out[:len(in)]
	for i, x := range in {
		if uint64(x) >= uint64(len(to)) {
			return i
		}
		out[i] = to[x]
	}
	return len(in)
}

func indexBytes(t arrow.DataType) int { return t.(arrow.FixedWidthDataType).BitWidth() / 8 }

// indexRoom returns how many values an index type can number.
func indexRoom(t arrow.DataType) uint64 {
	switch t.ID() {
	case arrow.INT8:
		return math.MaxInt8 + 1
	case arrow.UINT8:
		return math.MaxUint8 + 1
	case arrow.INT16:
		return math.MaxInt16 + 1
	case arrow.UINT16:
		return math.MaxUint16 + 1
	}
	return math.MaxInt32 + 1
}

// narrowed returns numbers as indices of a type. The caller releases them.
func narrowed(t arrow.DataType, rows []int32, mem memory.Allocator) *memory.Buffer {
	width := indexBytes(t)
	buf := NewBuffer(mem, width*len(rows))
	switch out := buf.Bytes(); width {
	case 1:
		narrow(out, rows)
	case 2:
		narrow(castSlice[uint16](out), rows)
	case 4:
		copy(castSlice[int32](out), rows)
	default:
		narrow(castSlice[uint64](out), rows)
	}
	return buf
}

func narrow[T uint8 | uint16 | uint64](out []T, in []int32) {
	out = out[:len(in)]
	for i, x := range in {
		out[i] = T(x)
	}
}
