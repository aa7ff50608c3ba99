package aggfuncs

import (
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// floatSum adds floats of one width from left to right.
type floatSum[T float] struct {
	t       arrow.DataType
	options Options
	masks   rowMasks
	values  []T
	rest    foldRest[T]
}

// FoldRest is RestFolder.FoldRest. A sum that is NaN is trouble.
func (s *floatSum[T]) FoldRest(results []byte, r *Rest) (ok bool) { return s.rest.fold(results, r) }

// Fold is Function.Fold. Every group begins with -0.0, to which any value may be added without a change but to the bits of a
// NaN; a window with a sum that is NaN is added again row by row. The sum of two floats is the same in both orders, so late
// rows change nothing.
func (s *floatSum[T]) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	buffer, out := newValues[T](g, mem)
	column := columnar.Fixed[T](in)
	live := s.masks.countLive(g, in, s.options.IgnoreRetract)
	if !g.restarts() {
		back := g.Retract != nil && !s.options.IgnoreRetract
		if live != nil || back {
			column = s.addable(g, column, live, back)
		}
		addFloats(out, column, g.Ends)
		if !anyNaN(out) {
			return finish[T](outcome{s.t, buffer, s.masks.hits(g, live)}, g, mem), nil
		}
		column = columnar.Fixed[T](in)
	}
	s.exact(g, s.masks.stepsOf(g, in, s.options.IgnoreRetract), column, out)
	return finish[T](outcome{s.t, buffer, s.masks.has}, g, mem), nil
}

// addable copies the values of a window so that adding them all is right: negated where they are taken back, -0.0 where they
// do not count.
func (s *floatSum[T]) addable(g *Groups, column []T, live []uint64, back bool) []T {
	s.values = grown(s.values, g.Rows)
	if back {
		copy(s.values, column)
		negate(s.values, g.Retract, g.Single)
		column = s.values
	}
	fill(s.values, column, live, T(math.Copysign(0, -1)))
	return s.values
}

// anyNaN says whether a value is NaN: without its sign, such a one is above the bits of infinity.
func anyNaN[T float](values []T) bool {
	p := unsafe.Pointer(unsafe.SliceData(values))
	if unsafe.Sizeof(T(0)) == 4 {
		most := uint32(0)
		for _, x := range unsafe.Slice((*uint32)(p), len(values)) {
			most = max(most, x<<1)
		}
		return most > math.Float32bits(float32(math.Inf(1)))<<1
	}
	most := uint64(0)
	for _, x := range unsafe.Slice((*uint64)(p), len(values)) {
		most = max(most, x<<1)
	}
	return most > math.Float64bits(math.Inf(1))<<1
}

// addFloatsTo adds values to those of their groups, and says whether a sum is NaN.
func addFloatsTo[T float](out, in []T, of []uint32) (trouble bool) {
	of = of[:len(in)]
	for i, x := range in {
		acc := &out[of[i]]
		s := *acc + x
		trouble = trouble || s != s
		*acc = s
	}
	return trouble
}

// longGroup is how many rows a group has on average where it pays to keep its sum in a register.
const longGroup = 4

// addFloats adds the values of every group, group after group.
func addFloats[T float](out, in []T, ends []uint64) {
	if len(in) >= longGroup*len(out) {
		addLong(out, in, ends)
	} else {
		addShort(out, in, ends)
	}
}

// addShort adds every row to the sum of its group in memory, so that no branch depends on where groups end and the additions
// of different groups overlap.
func addShort[T float](out, in []T, ends []uint64) {
	start := T(math.Copysign(0, -1))
	for i := range out {
		out[i] = start
	}
	group := 0
	for w := 0; len(in) > 0; w++ {
		rows, e := in[:min(64, len(in))], ends[w]
		in = in[len(rows):]
		if e == ^uint64(0) { // all but the first are alone
			out[group] += rows[0]
			copy(out[group+1:], rows[1:])
			group += 64
			continue
		}
		for _, x := range rows {
			out[group] += x
			group += int(e & 1)
			e >>= 1
		}
	}
}

// addLong adds the rows of a group in a register.
func addLong[T float](out, in []T, ends []uint64) {
	start := T(math.Copysign(0, -1))
	acc, group := start, 0
	for w := 0; len(in) > 0; w++ {
		rows, e := in[:min(64, len(in))], ends[w]
		in = in[len(rows):]
		for _, x := range rows {
			acc += x
			if e&1 != 0 {
				out[group] = acc
				group++
				acc = start
			}
			e >>= 1
		}
	}
}

// exact adds row by row and leaves the bits of a NaN alone that is the only value of its group.
func (s *floatSum[T]) exact(g *Groups, steps []step, in, out []T) {
	has := s.masks.noHits(g)
	var acc T
	group, full := 0, false
	for row, x := range in {
		st := steps[row]
		if st&stepReset != 0 {
			full = false
		}
		if st&stepSet != 0 {
			acc, full = x, st&stepNull == 0
		}
		switch {
		case st&(stepSkip|stepNull) != 0:
		case st&stepRetract != 0 && full:
			acc -= x
		case st&stepRetract != 0:
			acc, full = -x, true
		case full:
			acc += x
		default:
			acc, full = x, true
		}
		if st&stepEnd != 0 {
			out[group] = acc
			if full {
				has[row>>6] |= 1 << (row & 63)
			}
			group++
			full = false
		}
	}
}
