package expression

import (
	"fmt"
	"math"
)

// reals computes the arithmetic of floats, which is that of IEEE 754: it never fails.
func (s *step) reals() {
	a := &s.args[0].out
	out := grown(s.out.floats, a.rows)
	s.out.floats = out
	if s.op == opNegate {
		s.out.valid = a.valid
		for i, x := range a.floats {
			out[i] = math.Copysign(x, -math.Copysign(1, x))
		}
		return
	}
	b := &s.args[1].out
	s.out.valid, s.valid = both(s.valid, a, b)
	x, y := a.floats[:len(out)], b.floats[:len(out)]
	switch s.op {
	case opAdd:
		for i := range out {
			out[i] = x[i] + y[i]
		}
	case opSubtract:
		for i := range out {
			out[i] = x[i] - y[i]
		}
	case opMultiply:
		for i := range out {
			out[i] = x[i] * y[i]
		}
	default:
		for i := range out {
			out[i] = x[i] / y[i]
		}
	}
}

// shown writes the operation of a row for errors.
func (s *step) shown(row int) string {
	if s.op == opNegate || s.op == opConvert {
		return signOf[s.op] + s.args[0].out.show(s.args[0].typ, row)
	}
	return fmt.Sprintf("%s %s %s", s.args[0].out.show(s.args[0].typ, row), signOf[s.op], s.args[1].out.show(s.args[1].typ, row))
}

// show writes a number for errors.
func (v *vector) show(t Type, row int) string {
	switch t.Kind {
	case KindInt:
		return fmt.Sprint(v.ints[row])
	case KindFloat:
		return fmt.Sprint(v.floats[row])
	}
	return v.decimals[row].ToString(t.Scale)
}
