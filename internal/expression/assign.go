package expression

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// As returns the expression as the value of a column of the type, which Evaluator.Values makes. Numbers become integers only
// if they are integers, decimals and floats in any case; text becomes text, and a constant text a binary, a date, a time or a
// timestamp; a column becomes one of its own type; NULL becomes anything. Other types are ErrExpression, and so is a constant
// that does not fit, with its own error.
func (e *Expression) As(t arrow.DataType) (*Expression, error) {
	encoding, err := columnar.NewEncoding(t, true, memory.DefaultAllocator)
	if err != nil {
		return nil, err
	}
	defer encoding.Release()
	to := *e
	to.staged = encoding.Staged()
	root := e.root
	if root.passes(t) || root.op == opConstant && root.value.isNull() {
		return &to, nil
	}
	want := typeOf(t)
	if !storable(root, want, t) {
		return nil, fmt.Errorf("%w: %q is %s, which does not become %s", ErrExpression, e.text, root.typ, t)
	}
	if to.root, err = convert(root, want); err != nil {
		return nil, fmt.Errorf("%w: %q: %w", ErrExpression, e.text, err)
	}
	if to.root.op != opConstant {
		return &to, nil
	}
	if _, err := to.NewEvaluator(nil).Values(&Frame{rows: 1}, nil, nil); err != nil {
		return nil, fmt.Errorf("%w: %q: %w", ErrExpression, e.text, unplaced(err))
	}
	return &to, nil
}

// passes says whether the term is a column of the type, which needs no look at its values.
func (t *term) passes(as arrow.DataType) bool {
	return t.op == opColumn && arrow.TypeEqual(t.stored, as)
}

// storable says whether values of a term may be put into a column.
func storable(from *term, want Type, t arrow.DataType) bool {
	typ := from.typ
	switch {
	case typ.Kind == KindNull && want.Kind != KindOther:
		return true
	case want.Kind == KindFloat:
		return typ.numeric()
	case want.Kind == KindDecimal && t.ID() != arrow.DECIMAL128: // an unsigned integer of 64 bits
		return typ.Kind == KindInt || typ.Kind == KindDecimal && typ.Scale == 0
	case want.Kind == KindDecimal:
		return typ.Kind == KindInt || typ.Kind == KindDecimal
	case want.Kind == KindTime:
		return typ.equal(want) || from.literal()
	case want.Kind == KindText:
		return typ.equal(want) || from.literal()
	case want.Kind == KindOther:
		return false
	}
	return typ.Kind == want.Kind
}
