package aggfuncs

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
)

// newSum makes sum: addition, and subtraction of what is taken back. A value taken back from NULL is negated.
func newSum(f arrow.Field, o Options) (Rule, error) {
	switch storage(f.Type).ID() {
	case arrow.INT8:
		return Rule{Function: newIntegerSum(f.Type, o, simd.SumGroups[int8], located(simd.AddTo[int8]))}, nil
	case arrow.INT16:
		return Rule{Function: newIntegerSum(f.Type, o, simd.SumGroups[int16], located(simd.AddTo[int16]))}, nil
	case arrow.INT32:
		return Rule{Function: newIntegerSum(f.Type, o, simd.SumGroups[int32], located(simd.AddTo[int32]))}, nil
	case arrow.INT64:
		return Rule{Function: newIntegerSum(f.Type, o, simd.SumGroups[int64], located(simd.AddTo[int64]))}, nil
	case arrow.UINT8:
		return Rule{Function: newIntegerSum(f.Type, o, addUnsigned[uint8], taken(addUnsignedTo[uint8]))}, nil
	case arrow.UINT16:
		return Rule{Function: newIntegerSum(f.Type, o, addUnsigned[uint16], taken(addUnsignedTo[uint16]))}, nil
	case arrow.UINT32:
		return Rule{Function: newIntegerSum(f.Type, o, addUnsigned[uint32], taken(addUnsignedTo[uint32]))}, nil
	case arrow.UINT64:
		return Rule{Function: newIntegerSum(f.Type, o, addUnsigned[uint64], taken(addUnsignedTo[uint64]))}, nil
	case arrow.FLOAT32:
		return Rule{Function: &floatSum[float32]{t: f.Type, options: o, rest: taken(addFloatsTo[float32])}}, nil
	case arrow.FLOAT64:
		return Rule{Function: &floatSum[float64]{t: f.Type, options: o, rest: taken(addFloatsTo[float64])}}, nil
	case arrow.DECIMAL128:
		return newDecimalSum(f.Type, o), nil
	}
	return Rule{}, errNotNumeric
}

// integerSum adds integers exactly in their own width. groups adds whole windows at a time: it is called once a window, and
// says, perhaps without reason, whether a sum did not fit.
type integerSum[T integer] struct {
	t       arrow.DataType
	options Options
	groups  func(out, in []T, ends []uint64) bool
	rest    foldRest[T]
	masks   rowMasks
	values  []T
}

func newIntegerSum[T integer](t arrow.DataType, o Options, groups func(out, in []T, ends []uint64) bool, rest foldRest[T]) *integerSum[T] {
	return &integerSum[T]{t: t, options: o, groups: groups, rest: rest}
}

// FoldRest is RestFolder.FoldRest. An overflow is trouble.
func (s *integerSum[T]) FoldRest(results []byte, r *Rest) (ok bool) { return s.rest.fold(results, r) }

// Fold is Function.Fold. Late rows change nothing: a sum is the same in any order, and so is whether it is an overflow where
// none was met.
func (s *integerSum[T]) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	buffer, out := newValues[T](g, mem)
	column := columnar.Fixed[T](in)
	live := s.masks.countLive(g, in, s.options.IgnoreRetract)
	back, ok := s.takesBack(g, column)
	if ok && !g.restarts() {
		if live != nil || back {
			column = s.addable(g, column, live, back)
		}
		if !s.groups(out, column, g.Ends) {
			return finish[T](outcome{s.t, buffer, s.masks.hits(g, live)}, g, mem), nil
		}
		column = columnar.Fixed[T](in)
	}
	if err := s.exact(g, s.masks.stepsOf(g, in, s.options.IgnoreRetract), column, out); err != nil {
		buffer.Release()
		return nil, err
	}
	return finish[T](outcome{s.t, buffer, s.masks.has}, g, mem), nil
}

// addable copies the values of a window so that adding them all is right: negated where they are taken back, 0 where they do
// not count.
func (s *integerSum[T]) addable(g *Groups, column []T, live []uint64, back bool) []T {
	s.values = grown(s.values, g.Rows)
	fill(s.values, column, live, 0)
	if back {
		negate(s.values, g.Retract, g.Single)
	}
	return s.values
}

// takesBack says whether the window has rows to take back, and whether adding their negation is the same: it is for signed
// numbers that have one.
func (s *integerSum[T]) takesBack(g *Groups, in []T) (back, ok bool) {
	if g.Retract == nil || s.options.IgnoreRetract {
		return false, true
	}
	if zero := T(0); zero-1 > 0 {
		return true, false
	}
	for _, x := range in {
		if x == -x && x != 0 {
			return true, false
		}
	}
	return true, true
}

// negate negates the values of the rows of a mask that are not single.
func negate[T signed | unsigned | float](values []T, mask, single []uint64) {
	for w, m := range mask {
		if m &^= at(single, w); m == 0 {
			continue
		}
		rows := values[w<<6 : min(w<<6+64, len(values))]
		for i, x := range rows {
			if m&1 != 0 {
				x = -x
			}
			rows[i] = x
			m >>= 1
		}
	}
}

// exact adds row by row and finds the row that overflows.
func (s *integerSum[T]) exact(g *Groups, steps []step, in, out []T) error {
	has := s.masks.noHits(g)
	var acc T
	group, full := 0, false
	for row, x := range in {
		st, ok := steps[row], true
		if st&stepReset != 0 {
			acc, full = 0, false
		}
		if st&stepSet != 0 {
			acc, full = x, st&stepNull == 0
		}
		switch {
		case st&(stepSkip|stepNull) != 0:
		case st&stepRetract != 0:
			before := acc
			if !full {
				before = 0
			}
			if acc, ok = subtract(before, x); !ok {
				return fault(row, ErrOverflow, "%d - %d does not fit type %s", before, x, s.t)
			}
			full = true
		case !full:
			acc, full = x, true
		default:
			before := acc
			if acc, ok = add(before, x); !ok {
				return fault(row, ErrOverflow, "%d + %d does not fit type %s", before, x, s.t)
			}
		}
		if st&stepEnd != 0 {
			out[group] = acc
			if full {
				has[row>>6] |= 1 << (row & 63)
			}
			group++
			acc, full = 0, false
		}
	}
	return nil
}

// addUnsigned is simd.SumGroups for numbers without sign.
func addUnsigned[T unsigned](out, in []T, ends []uint64) bool {
	var acc, over T
	group := 0
	for w := 0; len(in) > 0; w++ {
		rows, e := in[:min(64, len(in))], ends[w]
		in = in[len(rows):]
		for _, x := range rows {
			s := acc + x
			over |= acc&x | (acc|x)&^s // the carry out of the highest bit
			out[group] = s
			end := e & 1
			e >>= 1
			group += int(end)
			acc = s & (T(end) - 1)
		}
	}
	return over > ^T(0)>>1
}

// addUnsignedTo adds values to those of their groups, and says whether a sum did not fit.
func addUnsignedTo[T unsigned](out, in []T, of []uint32) (overflows bool) {
	var over T
	of = of[:len(in)]
	for i, x := range in {
		acc := &out[of[i]]
		s := *acc + x
		over |= *acc&x | (*acc|x)&^s
		*acc = s
	}
	return over > ^T(0)>>1
}
