package aggfuncs

import (
	"errors"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
)

// newMin makes min. Of equal values it takes the newer.
func newMin(f arrow.Field, o Options) (Rule, error) { return newExtreme(f, o, true) }

// newMax makes max. Of equal values it keeps the older.
func newMax(f arrow.Field, o Options) (Rule, error) { return newExtreme(f, o, false) }

// notOrdered are table types without an order that Arrow types with one may stand for.
var notOrdered = map[string]bool{"MULTISET": true, "VARIANT": true, "BLOB": true, "GEOMETRY": true, "GEOGRAPHY": true}

func newExtreme(f arrow.Field, o Options, least bool) (Rule, error) {
	t := storage(f.Type)
	order := columnar.OrderOf(t)
	if order == columnar.OrderNone || notOrdered[root(tableType(f))] {
		return Rule{}, errors.New("it works on types that have an order only")
	}
	e := extreme{t: f.Type, options: o, least: least}
	switch order {
	case columnar.OrderBool:
		return Rule{Function: &boolean{t: f.Type, options: o, and: least}}, nil
	case columnar.OrderInt8:
		return integerExtreme[int8](e), nil
	case columnar.OrderInt16:
		return integerExtreme[int16](e), nil
	case columnar.OrderInt32:
		return integerExtreme[int32](e), nil
	case columnar.OrderInt64:
		return integerExtreme[int64](e), nil
	case columnar.OrderUint8:
		return integerExtreme[uint8](e), nil
	case columnar.OrderUint16:
		return integerExtreme[uint16](e), nil
	case columnar.OrderUint32:
		return integerExtreme[uint32](e), nil
	case columnar.OrderUint64:
		return integerExtreme[uint64](e), nil
	case columnar.OrderFloat32:
		return Rule{Function: &numberExtreme[int32]{extreme: e, infinity: infinite[int32](), groups: floatGroups[int32], rest: restOfFloats[int32](least)}}, nil
	case columnar.OrderFloat64:
		return Rule{Function: &numberExtreme[int64]{extreme: e, infinity: infinite[int64](), groups: floatGroups[int64], rest: restOfFloats[int64](least)}}, nil
	}
	return Rule{Function: &e}, nil
}

func integerExtreme[T integer](e extreme) Rule {
	return Rule{Function: &numberExtreme[T]{extreme: e, groups: extremeGroups[T], rest: restOfExtremes[T](e.least)}}
}

// numberExtreme finds the least or greatest numbers without a branch that depends on the data. Floats are seen as the integers
// of their bits, which have an order of their own: infinity is the bits of the greatest there is, 0 for integers.
type numberExtreme[T integer] struct {
	extreme
	infinity T
	groups   func(out, in []T, ends []uint64, least bool) (most T)
	rest     foldRest[T]
	values   []T
}

// FoldRest is RestFolder.FoldRest. NaN is trouble.
func (e *numberExtreme[T]) FoldRest(results []byte, r *Rest) (ok bool) {
	return e.rest.fold(results, r)
}

// Fold is Function.Fold. The extreme is the same in any order, but for which of several NaN it is.
func (e *numberExtreme[T]) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := g.refuse(&e.options); err != nil {
		return nil, err
	}
	if g.restarts() {
		return e.byRow(g, in, mem)
	}
	column := columnar.Fixed[T](in)
	live := e.masks.countLive(g, in, e.options.IgnoreRetract)
	if live != nil {
		e.values = grown(e.values, g.Rows)
		fill(e.values, column, live, e.identity())
		column = e.values
	}
	buffer, out := newValues[T](g, mem)
	if most := e.groups(out, column, g.Ends, e.least); e.infinity != 0 && most > e.infinity {
		buffer.Release()
		return e.byRow(g, in, mem) // there is a NaN, which has no place among the others
	}
	return finish[T](outcome{e.t, buffer, e.masks.hits(g, live)}, g, mem), nil
}

// identity is the value that every other is at least as good as.
func (e *numberExtreme[T]) identity() T {
	switch {
	case e.infinity == 0:
		return worst[T](e.least)
	case e.least:
		return e.infinity
	}
	return e.infinity | worst[T](false) // with the sign
}

// worst is the number that every other is at least as good as.
func worst[T integer](least bool) T {
	low := T(0)
	if low-1 < 0 {
		for low = 1; low > 0; low <<= 1 {
		}
	}
	if least {
		return ^low
	}
	return low
}

// extremeGroups finds the least or greatest value of every group, group after group.
func extremeGroups[T integer](out, in []T, ends []uint64, least bool) (most T) {
	if least {
		simd.MinGroups(out, in, ends, worst[T](true))
	} else {
		simd.MaxGroups(out, in, ends, worst[T](false))
	}
	return 0
}

// floatGroups is extremeGroups for the bits of floats. It returns the greatest bits of all, but for the sign.
func floatGroups[T int32 | int64](out, in []T, ends []uint64, least bool) (most T) {
	if least {
		return minFloats(out, in, ends)
	}
	return maxFloats(out, in, ends)
}

// byOrder turns the bits of a float into an integer of the same order, and back: those of negative numbers are turned over, but
// for the sign. greatest is the greatest number of the type.
func byOrder[T int32 | int64](x, greatest T) T { return x ^ x>>(unsafe.Sizeof(x)*8-1)&greatest }

func minFloats[T int32 | int64](out, in []T, ends []uint64) (most T) {
	greatest := worst[T](true)
	start := greatest
	acc, group := start, 0
	for w := 0; len(in) > 0; w++ {
		rows, e := in[:min(64, len(in))], ends[w]
		in = in[len(rows):]
		for _, x := range rows {
			most = max(most, x&greatest)
			acc = min(acc, byOrder(x, greatest))
			out[group] = byOrder(acc, greatest)
			end := e & 1
			e >>= 1
			group += int(end)
			acc ^= (acc ^ start) & -T(end)
		}
	}
	return most
}

func maxFloats[T int32 | int64](out, in []T, ends []uint64) (most T) {
	greatest := worst[T](true)
	start := ^greatest
	acc, group := start, 0
	for w := 0; len(in) > 0; w++ {
		rows, e := in[:min(64, len(in))], ends[w]
		in = in[len(rows):]
		for _, x := range rows {
			most = max(most, x&greatest)
			acc = max(acc, byOrder(x, greatest))
			out[group] = byOrder(acc, greatest)
			end := e & 1
			e >>= 1
			group += int(end)
			acc ^= (acc ^ start) & -T(end)
		}
	}
	return most
}

// restOfExtremes leaves the lesser or greater of each value and what its group has.
func restOfExtremes[T integer](least bool) foldRest[T] {
	if least {
		return located(func(out []T, blocks []unsafe.Pointer, rows, of []uint32) bool {
			simd.MinTo(out, blocks, rows, of)
			return false
		})
	}
	return located(func(out []T, blocks []unsafe.Pointer, rows, of []uint32) bool {
		simd.MaxTo(out, blocks, rows, of)
		return false
	})
}

// restOfFloats is restOfExtremes for the bits of floats. NaN, which has no place among the others, is trouble.
func restOfFloats[T int32 | int64](least bool) foldRest[T] {
	if least {
		return taken(minFloatsTo[T])
	}
	return taken(maxFloatsTo[T])
}

func minFloatsTo[T int32 | int64](out, in []T, of []uint32) (trouble bool) {
	most, greatest := T(0), worst[T](true)
	of = of[:len(in)]
	for i, x := range in {
		acc := &out[of[i]]
		most = max(most, x&greatest, *acc&greatest)
		*acc = byOrder(min(byOrder(*acc, greatest), byOrder(x, greatest)), greatest)
	}
	return most > infinite[T]()
}

func maxFloatsTo[T int32 | int64](out, in []T, of []uint32) (trouble bool) {
	most, greatest := T(0), worst[T](true)
	of = of[:len(in)]
	for i, x := range in {
		acc := &out[of[i]]
		most = max(most, x&greatest, *acc&greatest)
		*acc = byOrder(max(byOrder(*acc, greatest), byOrder(x, greatest)), greatest)
	}
	return most > infinite[T]()
}

// infinite is the bits of infinity.
func infinite[T int32 | int64]() T {
	if unsafe.Sizeof(T(0)) == 4 {
		return T(math.Float32bits(float32(math.Inf(1))))
	}
	bits := math.Float64bits(math.Inf(1))
	return T(bits)
}
