package aggfuncs

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/columnar"
)

// equality tells values of a type apart, by their structure: NULL equals NULL, lists and rows are equal part by part, maps as
// sets of entries, and every NaN is equal to every NaN but -0.0 is not equal to 0.0. Exact equality is by bits instead: it
// tells NaNs apart and reads maps in the order of their entries.
type equality struct {
	kind  equalKind
	parts []*equality // of the child of a list, the key and value of a map, the fields of a row
	exact bool
	seed  maphash.Seed
}

type equalKind uint8

const (
	equalBytes equalKind = iota
	equalBool
	equalFloat16
	equalFloat32
	equalFloat64
	equalList
	equalMap
	equalRow
	equalNull
)

// newEquality returns the equality of values of a type, which columnar has a layout for.
func newEquality(t arrow.DataType, exact bool) *equality {
	e := &equality{exact: exact, seed: maphash.MakeSeed()}
	switch t := storage(t).(type) {
	case *arrow.NullType:
		e.kind = equalNull
	case *arrow.BooleanType:
		e.kind = equalBool
	case *arrow.Float16Type:
		e.kind = equalFloat16
	case *arrow.Float32Type:
		e.kind = equalFloat32
	case *arrow.Float64Type:
		e.kind = equalFloat64
	case *arrow.MapType:
		e.kind = equalMap
		e.parts = []*equality{newEquality(t.Elem(), exact)}
	case *arrow.StructType:
		e.kind = equalRow
		for _, f := range t.Fields() {
			e.parts = append(e.parts, newEquality(f.Type, exact))
		}
	case arrow.ListLikeType:
		e.kind = equalList
		e.parts = []*equality{newEquality(t.Elem(), exact)}
	}
	if exact && e.kind >= equalFloat16 && e.kind <= equalFloat64 {
		e.kind = equalBytes
	}
	return e
}

// hashNull is the hash of NULL.
const hashNull = 0x9e3779b97f4a7c15

// hash gives equal values equal numbers.
func (e *equality) hash(v *columnar.View, row int) uint64 {
	if v.Nulls > 0 && v.IsNull(row) {
		return hashNull
	}
	switch e.kind {
	case equalBool:
		if v.Bool(row) {
			return 1
		}
		return 2
	case equalList:
		first, last := v.Items(row, row+1)
		h := uint64(last - first)
		for i := first; i < last; i++ {
			h = mix(h, e.parts[0].hash(v.Child(0), i))
		}
		return h
	case equalMap:
		return e.hashMap(v, row)
	case equalRow:
		h := uint64(0)
		for i, part := range e.parts {
			h = mix(h, part.hash(v.Child(i), row))
		}
		return h
	case equalNull:
		return hashNull
	}
	return e.hashBytes(v, row)
}

func (e *equality) hashMap(v *columnar.View, row int) uint64 {
	first, last := v.Items(row, row+1)
	h := uint64(last - first)
	for i := first; i < last; i++ {
		entry := e.parts[0].hash(v.Child(0), i)
		if e.exact {
			h = mix(h, entry)
		} else {
			h += mix(0, entry) // the same in any order
		}
	}
	return h
}

func (e *equality) hashBytes(v *columnar.View, row int) uint64 {
	if e.kind != equalBytes && e.isNaN(v, row) {
		return ^uint64(hashNull)
	}
	return maphash.Bytes(e.seed, v.Text(row))
}

// mix brings a hash into another; the order counts.
func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^hashNull, x^0xd6e8feb86659fd93)
	return bits.RotateLeft64(hi^lo, 29) + x
}

// isNaN says whether a value of a float kind is NaN: all bits of the exponent are set, and one more.
func (e *equality) isNaN(v *columnar.View, row int) bool {
	b := v.Text(row)
	switch e.kind {
	case equalFloat16:
		return binary.LittleEndian.Uint16(b)<<1 > 0x7c00<<1
	case equalFloat32:
		return binary.LittleEndian.Uint32(b)<<1 > 0x7f800000<<1
	case equalFloat64:
		return binary.LittleEndian.Uint64(b)<<1 > 0x7ff0000000000000<<1
	}
	return false
}

// equal says whether two values of a view are equal.
func (e *equality) equal(v *columnar.View, a, b int) bool {
	if v.Nulls > 0 {
		if an, bn := v.IsNull(a), v.IsNull(b); an || bn {
			return an && bn
		}
	}
	switch e.kind {
	case equalBool:
		return v.Bool(a) == v.Bool(b)
	case equalList:
		return e.equalItems(v, a, b)
	case equalMap:
		return e.equalEntries(v, a, b)
	case equalRow:
		for i, part := range e.parts {
			if !part.equal(v.Child(i), a, b) {
				return false
			}
		}
		return true
	case equalNull:
		return true
	}
	return bytes.Equal(v.Text(a), v.Text(b)) || e.kind != equalBytes && e.isNaN(v, a) && e.isNaN(v, b)
}

func (e *equality) equalItems(v *columnar.View, a, b int) bool {
	first, last := v.Items(a, a+1)
	other, end := v.Items(b, b+1)
	if last-first != end-other {
		return false
	}
	for i := range last - first {
		if !e.parts[0].equal(v.Child(0), first+i, other+i) {
			return false
		}
	}
	return true
}

// equalEntries pairs the entries of two maps, those in the same place first.
func (e *equality) equalEntries(v *columnar.View, a, b int) bool {
	if e.equalItems(v, a, b) {
		return true
	}
	first, last := v.Items(a, a+1)
	other, end := v.Items(b, b+1)
	if e.exact || last-first != end-other {
		return false
	}
	paired := make([]bool, end-other)
	for i := first; i < last; i++ {
		found := false
		for j := other; j < end && !found; j++ {
			if !paired[j-other] && e.parts[0].equal(v.Child(0), i, j) {
				paired[j-other], found = true, true
			}
		}
		if !found {
			return false
		}
	}
	return true
}
