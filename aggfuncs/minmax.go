package aggfuncs

import (
	"errors"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
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
		return Rule{Function: &numberExtreme[int32]{extreme: e, ordered: orderFloats32, groups: extremeGroups[int32]}}, nil
	case columnar.OrderFloat64:
		return Rule{Function: &numberExtreme[int64]{extreme: e, ordered: orderFloats64, groups: extremeGroups[int64]}}, nil
	}
	return Rule{Function: &e}, nil
}

func integerExtreme[T integer](e extreme) Rule {
	return Rule{Function: &numberExtreme[T]{extreme: e, groups: extremeGroups[T]}}
}

// numberExtreme finds the least or greatest numbers without a branch that depends on the data. Floats are seen as integers of
// the same order: ordered turns them into such, and back, and says whether there is a NaN, which has no place among them. It is
// nil for integers.
type numberExtreme[T integer] struct {
	extreme
	ordered func(dst, src []T) (nan bool)
	groups  func(out, in []T, ends []uint64, least bool)
	values  []T
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
	identity := worst[T](e.least)
	if e.ordered != nil {
		e.values = grown(e.values, g.Rows)
		if e.ordered(e.values, column) {
			return e.byRow(g, in, mem)
		}
		column = e.values
	}
	if live != nil {
		e.values = grown(e.values, g.Rows)
		fill(e.values, column, live, identity)
		column = e.values
	}
	buffer, out := newValues[T](g, mem)
	e.groups(out, column, g.Ends, e.least)
	if e.ordered != nil {
		e.ordered(out, out)
	}
	return finish[T](outcome{e.t, buffer, e.masks.hits(g, live)}, g, mem), nil
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
func extremeGroups[T integer](out, in []T, ends []uint64, least bool) {
	if least {
		minGroups(out, in, ends)
	} else {
		maxGroups(out, in, ends)
	}
}

func minGroups[T integer](out, in []T, ends []uint64) {
	start := worst[T](true)
	acc, group := start, 0
	for w := 0; len(in) > 0; w++ {
		rows, e := in[:min(64, len(in))], ends[w]
		in = in[len(rows):]
		if e == ^uint64(0) { // all but the first are alone
			out[group] = min(acc, rows[0])
			copy(out[group+1:], rows[1:])
			group += 64
			acc = start
			continue
		}
		for _, x := range rows {
			acc = min(acc, x)
			out[group] = acc
			end := e & 1
			e >>= 1
			group += int(end)
			acc ^= (acc ^ start) & -T(end)
		}
	}
}

func maxGroups[T integer](out, in []T, ends []uint64) {
	start := worst[T](false)
	acc, group := start, 0
	for w := 0; len(in) > 0; w++ {
		rows, e := in[:min(64, len(in))], ends[w]
		in = in[len(rows):]
		if e == ^uint64(0) { // all but the first are alone
			out[group] = max(acc, rows[0])
			copy(out[group+1:], rows[1:])
			group += 64
			acc = start
			continue
		}
		for _, x := range rows {
			acc = max(acc, x)
			out[group] = acc
			end := e & 1
			e >>= 1
			group += int(end)
			acc ^= (acc ^ start) & -T(end)
		}
	}
}

// orderFloats64 turns the bits of doubles into integers of the same order, or these back into bits: those of negative
// numbers but for the sign are turned over. dst may be src.
func orderFloats64(dst, src []int64) (nan bool) {
	most := uint64(0)
	dst = dst[:len(src)]
	for i, x := range src {
		most = max(most, uint64(x)<<1)
		dst[i] = x ^ int64(uint64(x>>63)>>1)
	}
	return most > math.Float64bits(math.Inf(1))<<1
}

// orderFloats32 is orderFloats64 for floats.
func orderFloats32(dst, src []int32) (nan bool) {
	most := uint32(0)
	dst = dst[:len(src)]
	for i, x := range src {
		most = max(most, uint32(x)<<1)
		dst[i] = x ^ int32(uint32(x>>31)>>1)
	}
	return most > math.Float32bits(float32(math.Inf(1)))<<1
}
