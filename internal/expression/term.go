package expression

import "github.com/apache/arrow/go/v17/arrow"

// term is a node of a checked expression. Its arguments have the types its operator works on.
type term struct {
	op     op
	typ    Type
	args   []*term
	ref    Ref            // of opColumn
	stored arrow.DataType // of opColumn: the type it has in Arrow
	value  *vector        // of opConstant: one row
	fails  bool           // it, or what is below it, can fail for a row
	clamp  bool           // of opConvert: a number that does not fit becomes the one nearest to it
}

func newTerm(o op, typ Type, args ...*term) *term {
	t := &term{op: o, typ: typ, args: args, fails: o.fails()}
	for _, a := range args {
		t.fails = t.fails || a.fails
	}
	return t
}

// walk calls f for the term and all below it.
func (t *term) walk(f func(*term)) {
	f(t)
	for _, a := range t.args {
		a.walk(f)
	}
}

// constantArgs says whether all arguments are constants.
func (t *term) constantArgs() bool {
	for _, a := range t.args {
		if a.op != opConstant {
			return false
		}
	}
	return true
}

// fold computes a term without columns, and drops what AND and OR need not look at.
func (t *term) fold() (*term, error) {
	if t.op == opColumn || t.op == opConstant {
		return t, nil
	}
	if t.constantArgs() {
		s := newStep(t, nil)
		if err := s.eval(&Frame{rows: 1}, nil); err != nil {
			return nil, unplaced(err)
		}
		return &term{op: opConstant, typ: t.typ, value: s.out.clone()}, nil
	}
	if t.op == opAnd || t.op == opOr {
		for i, a := range t.args {
			switch {
			case a.op != opConstant || a.value.isNull():
			case a.value.bool() == (t.op == opOr):
				return a, nil
			default:
				return t.args[1-i], nil
			}
		}
	}
	return t, nil
}

// unplaced takes the row from the error of a constant, which has none.
func unplaced(err error) error {
	if f, ok := err.(*Fault); ok {
		return f.Err
	}
	return err
}
