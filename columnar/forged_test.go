package columnar_test

import (
	"errors"
	"math"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// forged is array data that promises more than its buffers hold.
type forged struct {
	t              arrow.DataType
	length, offset int
	nulls          int
	buffers        [][]byte // nil for none
}

func (f *forged) view() (columnar.View, error) {
	var buffers []*memory.Buffer
	for _, b := range f.buffers {
		if b == nil {
			buffers = append(buffers, nil)
		} else {
			buffers = append(buffers, memory.NewBufferBytes(b))
		}
	}
	return columnar.NewView(array.NewData(f.t, f.length, buffers, nil, f.nulls, f.offset))
}

// zeros has n bytes.
func zeros(n int) []byte { return make([]byte, n) }

// TestNewViewOfShortBuffers takes a byte from buffers that are just long enough.
func TestNewViewOfShortBuffers(t *testing.T) {
	for _, dt := range mergeTypes {
		if dt.ID() == arrow.NULL {
			continue
		}
		for _, offset := range []int{0, 1, 7, 8, 13} {
			for _, length := range []int{1, 2, 8, 9, 64} {
				end := length + offset
				need := []int{(end + 7) / 8, 0, 0}
				switch {
				case dt.ID() == arrow.BOOL:
					need[1] = (end + 7) / 8
				case isText(dt):
					need[1] = (end + 1) * dt.Layout().Buffers[1].ByteWidth
				default:
					need[1] = end * dt.(arrow.FixedWidthDataType).BitWidth() / 8
				}
				enough := forged{t: dt, length: length, offset: offset, nulls: array.UnknownNullCount,
					buffers: [][]byte{zeros(need[0]), zeros(need[1]), nil}}
				if v, err := enough.view(); err != nil || v.Rows != length || v.Nulls != length {
					t.Errorf("%s, length %d, offset %d: %d rows, %d NULLs, error %v", dt, length, offset, v.Rows, v.Nulls, err)
				}
				for _, buffers := range [][][]byte{
					{zeros(need[0] - 1), zeros(need[1]), nil},
					{zeros(need[0]), zeros(need[1] - 1), nil},
					{nil, zeros(need[1] - 1), nil},
					{nil, nil, nil},
					{nil},
					{},
				} {
					if len(buffers) > 0 && buffers[0] != nil && len(buffers[0]) == 0 {
						continue // an empty bitmap stands for none
					}
					short := enough
					short.buffers = buffers
					if _, err := short.view(); !errors.Is(err, columnar.ErrCorrupt) {
						t.Errorf("%s, length %d, offset %d, short buffers: error %v, want ErrCorrupt", dt, length, offset, err)
					}
				}
			}
		}
	}
}

// TestNewViewOfAbsurdLengths promises lengths whose bytes cannot be counted in an int.
func TestNewViewOfAbsurdLengths(t *testing.T) {
	for _, dt := range mergeTypes {
		for _, c := range []struct{ length, offset int }{
			{-1, 0}, {0, -1}, {5, -2}, {-5, 7}, {math.MinInt, 0}, {0, math.MinInt}, {math.MinInt, math.MinInt}, {math.MaxInt, math.MaxInt},
			{math.MaxInt, 1}, {1, math.MaxInt},
		} {
			f := forged{t: dt, length: c.length, offset: c.offset, buffers: [][]byte{nil, zeros(8), nil}}
			if _, err := f.view(); !errors.Is(err, columnar.ErrCorrupt) {
				t.Errorf("%s, length %d, offset %d: error %v, want ErrCorrupt", dt, c.length, c.offset, err)
			}
		}
		if dt.ID() == arrow.NULL {
			continue
		}
		for bit := 20; bit < 63; bit++ {
			for _, more := range []int{-1, 0, 1, 2} {
				for _, length := range []int{1, 1<<bit + more} {
					for _, bitmap := range [][]byte{nil, zeros(2)} {
						f := forged{t: dt, length: length, offset: 1<<bit + more - length, nulls: array.UnknownNullCount,
							buffers: [][]byte{bitmap, zeros(8), zeros(8)}}
						if _, err := f.view(); !errors.Is(err, columnar.ErrCorrupt) {
							t.Errorf("%s, length %d, offset %d: error %v, want ErrCorrupt", dt, f.length, f.offset, err)
						}
					}
				}
			}
		}
	}
}

func TestNewViewOfNullsWithoutBitmap(t *testing.T) {
	for _, dt := range mergeTypes {
		if dt.ID() == arrow.NULL {
			continue
		}
		for _, bitmap := range [][]byte{nil, {}} {
			f := forged{t: dt, length: 1, nulls: 1, buffers: [][]byte{bitmap, zeros(64), nil}}
			if _, err := f.view(); !errors.Is(err, columnar.ErrCorrupt) {
				t.Errorf("%s: error %v, want ErrCorrupt", dt, err)
			}
		}
	}
}

// TestNewViewOfOffsets forges the offsets of three texts of which there are five bytes. Offsets before and behind those of
// the three may be anything.
func TestNewViewOfOffsets(t *testing.T) {
	for _, c := range []struct {
		name    string
		offsets []int64
		fine    bool
	}{
		{"all of the bytes", []int64{0, 1, 3, 5}, true},
		{"some of the bytes", []int64{1, 1, 3, 4}, true},
		{"no bytes", []int64{5, 5, 5, 5}, true},
		{"past the end", []int64{0, 1, 3, 6}, false},
		{"far past the end", []int64{0, 1, 3, math.MaxInt32}, false},
		{"all past the end", []int64{6, 6, 6, 6}, false},
		{"there and back", []int64{0, 6, 3, 5}, false},
		{"falling", []int64{0, 3, 2, 5}, false},
		{"falling at the end", []int64{0, 3, 5, 4}, false},
		{"falling all along", []int64{5, 4, 3, 2}, false},
		{"negative", []int64{-1, 1, 3, 5}, false},
		{"all negative", []int64{-4, -3, -2, -1}, false},
		{"negative in the middle", []int64{0, -1, 3, 5}, false},
		{"the greatest and below 0", []int64{0, math.MaxInt32, -2, 5}, false},
		{"the greatest and the least", []int64{0, math.MaxInt32, math.MinInt32, 5}, false},
		{"from the least", []int64{math.MinInt32, 0, 0, 5}, false},
		{"to the least", []int64{0, 0, 0, math.MinInt32}, false},
		{"the greatest of 64 bits and below 0", []int64{0, math.MaxInt64, -2, 5}, false},
		{"the greatest and the least of 64 bits", []int64{0, math.MaxInt64, math.MinInt64, 5}, false},
		{"beyond 32 bits", []int64{0, 1 << 32, 1<<32 + 1, 1<<32 + 5}, false},
	} {
		for _, dt := range []arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeString,
			arrow.BinaryTypes.LargeBinary} {
			width := dt.Layout().Buffers[1].ByteWidth
			if width == 4 && !fits32(c.offsets) {
				continue
			}
			for _, before := range [][]int64{nil, {-7}, {99, -99, 4}} {
				offsets := []byte{}
				for _, o := range append(append(before[:len(before):len(before)], c.offsets...), -5) {
					for i := range width {
						offsets = append(offsets, byte(o>>(8*i)))
					}
				}
				f := forged{t: dt, length: 3, offset: len(before), buffers: [][]byte{nil, offsets, []byte("abcde")}}
				v, err := f.view()
				switch {
				case !c.fine && !errors.Is(err, columnar.ErrCorrupt):
					t.Errorf("%s, %s, at offset %d: error %v, want ErrCorrupt", dt, c.name, f.offset, err)
				case c.fine && err != nil:
					t.Errorf("%s, %s, at offset %d: %v", dt, c.name, f.offset, err)
				case c.fine:
					for row := range 3 {
						if got, want := string(v.Text(row)), "abcde"[c.offsets[row]:c.offsets[row+1]]; got != want {
							t.Errorf("%s, %s, at offset %d: row %d is %q, want %q", dt, c.name, f.offset, row, got, want)
						}
					}
				}
			}
		}
	}
}

func fits32(offsets []int64) bool {
	for _, o := range offsets {
		if o != int64(int32(o)) {
			return false
		}
	}
	return true
}
