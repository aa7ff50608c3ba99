package expression

import (
	"github.com/braidmerge/braid/validity"
)

// step evaluates a term. It owns the memory of its values, which is used again for the next frame; what it gives out is good
// until then.
type step struct {
	*term
	args  []*step
	place int // of opColumn: the column of the frame
	out   vector

	filled int      // of opConstant: rows that are written
	active []uint64 // the rows that count on the right
	valid  []uint64
	keys   [2][]int64 // floats as integers of the same order
	item   vector     // of opIn: a constant, as often as there are rows
	single vector     // of opIn: a constant, with its term's own value
	owned  vector     // memory of what out is made in, where out may be someone else's
}

// newStep makes the steps of a term; place gives the column of the frame that a column is.
func newStep(t *term, place func(Ref) int) *step {
	s := &step{term: t}
	if t.op == opColumn {
		s.place = place(t.ref)
	}
	for _, a := range t.args {
		s.args = append(s.args, newStep(a, place))
	}
	return s
}

// eval computes the values for the rows of a frame. Rows that are not active, if active is not nil, cannot fail; what their
// values are means nothing.
func (s *step) eval(f *Frame, active []uint64) error {
	switch {
	case s.op == opColumn:
		s.out = *f.vector(s.place)
		return nil
	case s.op == opConstant:
		s.broadcast(f.rows)
		return nil
	case s.op == opAnd || s.op == opOr:
		return s.evalLogic(f, active)
	case s.op == opIn:
		return s.evalIn(f, active)
	}
	for _, a := range s.args {
		if err := a.eval(f, active); err != nil {
			return err
		}
	}
	s.out.rows = f.rows
	switch {
	case s.op == opNot:
		s.not()
	case s.op == opIsNull:
		s.isNullMask()
	case s.op == opConvert:
		return s.convert(active)
	case s.op == opConcat:
		return s.concat()
	case s.op.compares():
		s.compare(&s.args[0].out, &s.args[1].out)
	case s.typ.Kind == KindInt:
		return s.integers(active)
	case s.typ.Kind == KindFloat:
		s.reals()
	default:
		return s.decimals(active)
	}
	return nil
}

// broadcast writes the constant as often as there are rows.
func (s *step) broadcast(rows int) {
	if rows > s.filled || s.typ.Kind == KindBool { // masks end with their rows
		s.filled = rows
		repeat(&s.out, s.value, s.typ.Kind, rows)
	}
	s.out.resize(rows)
}

// repeat writes the first value of a vector of a kind so often.
func repeat(out, from *vector, kind Kind, rows int) {
	out.rows, out.constant = rows, rows > 0
	out.valid = nil
	if from.isNull() {
		out.valid = masked(out.valid, rows)
		clear(out.valid)
	}
	switch kind {
	case KindBool:
		out.bits = masked(out.bits, rows)
		clear(out.bits)
		if from.bool() {
			validity.Fill(out.bits, rows)
		}
	case KindInt, KindTime:
		out.ints = filled(out.ints, from.ints[0], rows)
	case KindFloat:
		out.floats = filled(out.floats, from.floats[0], rows)
	case KindDecimal:
		out.decimals = filled(out.decimals, from.decimals[0], rows)
	case KindText:
		out.texts = texts{one: from.firstText()}
	}
}

func filled[T any](s []T, value T, rows int) []T {
	s = grown(s, rows)
	for i := range s {
		s[i] = value
	}
	return s
}

// resize makes a vector of one value one of fewer rows than it has memory for.
func (v *vector) resize(rows int) {
	v.rows, v.constant = rows, rows > 0
	if v.valid != nil {
		v.valid = v.valid[:validity.Words(rows)]
	}
	v.ints = cut(v.ints, rows)
	v.floats = cut(v.floats, rows)
	v.decimals = cut(v.decimals, rows)
}

func cut[T any](s []T, rows int) []T {
	if s == nil {
		return nil
	}
	return s[:rows]
}
