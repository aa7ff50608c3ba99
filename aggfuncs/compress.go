package aggfuncs

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// extract brings the bits of x under the set bits of mask together at the low end.
//
//	mask   0110 1001
//	x      0100 1100     the bits under mask, from the low end: 0 1 0 1
//	       0000 1010
func extract(x, mask uint64) uint64 {
	if mask == ^uint64(0) {
		return x
	}
	x &= mask
	zeros := ^mask << 1 // counts, bit by bit, the zeros of mask below
	for step := uint(1); step < 64; step <<= 1 {
		odd := zeros // parity of the zeros below
		odd ^= odd << 1
		odd ^= odd << 2
		odd ^= odd << 4
		odd ^= odd << 8
		odd ^= odd << 16
		odd ^= odd << 32
		move := odd & mask
		mask = mask ^ move | move>>step
		t := x & move
		x = x ^ t | t>>step
		zeros &^= odd
	}
	return x
}

// compress writes the bits of src at the rows of mask one after another as an Arrow bitmap, and returns how many are set.
// dst has the bytes for as many bits as mask has.
func compress(dst []byte, src, mask []uint64) (ones int) {
	at, held, waiting := 0, uint(0), uint64(0) // held bits of waiting are still to be written
	for w, m := range mask {
		if m == 0 {
			continue
		}
		x := extract(src[w], m)
		ones += bits.OnesCount64(x)
		n := uint(bits.OnesCount64(m))
		waiting |= x << held
		if held+n >= 64 {
			binary.LittleEndian.PutUint64(dst[at:], waiting)
			at += 8
			waiting = x >> (64 - held) // 0 when held is 0
			held -= 64
		}
		held += n
	}
	for i := uint(0); i < held; i += 8 {
		dst[at] = byte(waiting >> i)
		at++
	}
	return ones
}

// outcome is what the fixed-width values of a window become an array from.
type outcome struct {
	t      arrow.DataType
	values *memory.Buffer // one a group, also of dropped ones
	has    []uint64       // at group ends: the group's result is not NULL; nil: none is NULL
}

// newValues returns a buffer for one value of type T a group.
func newValues[T any](g *Groups, mem memory.Allocator) (*memory.Buffer, []T) {
	b := columnar.NewBuffer(mem, g.Count*int(unsafe.Sizeof(*new(T))))
	return b, unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b.Bytes()))), g.Count)
}

// finish makes the array of the results that are wanted. Values under a NULL become zero.
func finish[T any](o outcome, g *Groups, mem memory.Allocator) arrow.ArrayData {
	defer o.values.Release()
	values := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(o.values.Bytes()))), g.Count)
	n, keep := g.Results(), g.wanted()
	if n < g.Count {
		values = keepWanted(values, g)
		o.values.ResizeNoShrink(n * int(unsafe.Sizeof(*new(T))))
	}
	valid := validityOf(o.has, keep, n, mem)
	defer valid.Release()
	if valid.Bitmap != nil {
		zeroNulls(values, valid.Bitmap.Bytes())
	}
	return array.NewData(o.t, n, []*memory.Buffer{valid.Bitmap, o.values}, nil, valid.Nulls, 0)
}

// wanted returns the group ends less those that are dropped.
func (g *Groups) wanted() []uint64 {
	if g.Drop == nil {
		return g.Ends
	}
	keep := make([]uint64, len(g.Ends))
	for w := range keep {
		keep[w] = g.Ends[w] &^ g.Drop[w]
	}
	return keep
}

// validityOf makes the validity bitmap of the n results at the rows of keep. has nil means that none is NULL.
func validityOf(has, keep []uint64, n int, mem memory.Allocator) columnar.Validity {
	if has == nil || n == 0 {
		return columnar.Validity{}
	}
	bitmap := columnar.NewBuffer(mem, (n+7)/8)
	ones := compress(bitmap.Bytes(), has, keep)
	if ones == n {
		bitmap.Release()
		return columnar.Validity{}
	}
	return columnar.Validity{Bitmap: bitmap, Nulls: n - ones}
}

// keepWanted moves the values of groups that are not dropped together.
func keepWanted[T any](values []T, g *Groups) []T {
	n, group := 0, 0
	for row := validity.Next(g.Ends, 0); row >= 0; row = validity.Next(g.Ends, row+1) {
		values[n] = values[group]
		group++
		if !validity.Get(g.Drop, row) {
			n++
		}
	}
	return values[:n]
}

// zeroNulls writes zero over the values that are not valid.
func zeroNulls[T any](values []T, valid []byte) {
	var zero T
	for i, b := range valid {
		for null := ^b; null != 0; null &= null - 1 {
			at := i<<3 + bits.TrailingZeros8(null)
			if at >= len(values) {
				return
			}
			values[at] = zero
		}
	}
}
