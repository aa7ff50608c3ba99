package expression

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Bounds is what is known of a column in a set of rows. The zero value says nothing.
type Bounds struct {
	Min, Max arrow.Array // of one value and the column's type; nil where not known
	MaxOpen  bool        // values may be above Max: it is cut off
	NoNaN    bool        // no float is NaN
	NoNull   bool        // no value is NULL
	AllNull  bool        // every value is NULL
}

// MayBeTrue says whether the condition may be true for a row, by what is known of its columns. It is false only if no row can
// make it true.
func (e *Expression) MayBeTrue(bounds func(Ref) Bounds) bool {
	return outcomes(e.root, bounds)&mayTrue != 0
}

// outcome is a set of the values a condition may have.
type outcome uint8

const (
	mayTrue outcome = 1 << iota
	mayFalse
	mayNull
)

const anyOutcome = mayTrue | mayFalse | mayNull

// outcomes returns what a condition may be.
func outcomes(t *term, bounds func(Ref) Bounds) outcome {
	switch {
	case t.op == opNot:
		inner := outcomes(t.args[0], bounds)
		return inner&mayNull | swapped(inner)
	case t.op == opAnd || t.op == opOr:
		return joined(t.op, outcomes(t.args[0], bounds), outcomes(t.args[1], bounds))
	case t.op == opIsNull:
		return nullness(spanOf(t.args[0], bounds))
	case t.op == opIn:
		x := spanOf(t.args[0], bounds)
		all := mayFalse
		for _, item := range t.args[1:] {
			all = joined(opOr, all, compared(opEqual, t.args[0].typ, x, spanOf(item, bounds)))
		}
		return all
	case t.op.compares():
		return compared(t.op, t.args[0].typ, spanOf(t.args[0], bounds), spanOf(t.args[1], bounds))
	case t.typ.Kind == KindNull:
		return mayNull
	}
	s := spanOf(t, bounds)
	o := anyOutcome
	if s.noNull {
		o &^= mayNull
	}
	if s.allNull {
		o = mayNull
	}
	if s.least != nil && s.least.bool() {
		o &^= mayFalse
	}
	if s.most != nil && !s.most.bool() {
		o &^= mayTrue
	}
	return o
}

func swapped(o outcome) (s outcome) {
	if o&mayTrue != 0 {
		s |= mayFalse
	}
	if o&mayFalse != 0 {
		s |= mayTrue
	}
	return s
}

// joined returns what AND or OR of two conditions may be. One value decides alone, its opposite needs both sides, and else it
// is NULL.
func joined(o op, a, b outcome) outcome {
	decides, yields := mayFalse, mayTrue
	if o == opOr {
		decides, yields = mayTrue, mayFalse
	}
	result := (a | b) & decides
	if a&yields != 0 && b&yields != 0 {
		result |= yields
	}
	if a&mayNull != 0 && b&(mayNull|yields) != 0 || b&mayNull != 0 && a&yields != 0 {
		result |= mayNull
	}
	return result
}

func nullness(s span) outcome {
	switch {
	case s.allNull:
		return mayTrue
	case s.noNull:
		return mayFalse
	}
	return mayTrue | mayFalse
}

// span is where the values of a term lie. A bound is a vector of one value; nil is no bound.
type span struct {
	least, most     *vector
	noNull, allNull bool
}

// spanOf returns the span of a term. What is computed may be anything, but a number that is only converted keeps its bounds.
func spanOf(t *term, bounds func(Ref) Bounds) span {
	switch t.op {
	case opConstant:
		if t.value.isNull() {
			return span{allNull: true}
		}
		return span{least: t.value, most: t.value, noNull: true}
	case opColumn:
		return columnSpan(t, bounds(t.ref))
	case opConvert:
		s := spanOf(t.args[0], bounds)
		s.least, s.most = t.converted(s.least), t.converted(s.most)
		return s
	}
	return span{}
}

// converted converts a bound; one that does not fit is none.
func (t *term) converted(bound *vector) *vector {
	if bound == nil {
		return nil
	}
	c := &term{op: opConvert, typ: t.typ, clamp: t.clamp, args: []*term{{op: opConstant, typ: t.args[0].typ, value: bound}}}
	folded, err := c.fold()
	if err != nil {
		return nil
	}
	return folded.value
}

// columnSpan makes the span of a column of what is known of it. Bounds of another type, or that are NULL or NaN, are none; and
// a NaN is above every bound.
func columnSpan(t *term, b Bounds) span {
	s := span{noNull: b.NoNull, allNull: b.AllNull}
	s.least, s.most = t.bound(b.Min), t.bound(b.Max)
	if b.MaxOpen || t.typ.Kind == KindFloat && !b.NoNaN {
		s.most = nil
	}
	if t.typ.Kind == KindFloat && (isNaN(s.least) || isNaN(s.most)) {
		s.least, s.most = nil, nil
	}
	return s
}

func isNaN(v *vector) bool { return v != nil && math.IsNaN(v.floats[0]) }

// bound reads a bound of the column.
func (t *term) bound(a arrow.Array) *vector {
	if a == nil || a.Len() != 1 || !arrow.TypeEqual(a.DataType(), t.stored) || t.typ.Kind == KindOther || t.typ.Kind == KindNull {
		return nil
	}
	f, err := NewFrame([]arrow.DataType{t.stored}, memory.DefaultAllocator)
	if err != nil {
		return nil
	}
	defer f.Release()
	f.Reset(1)
	if err := f.Set(0, a.Data()); err != nil {
		return nil
	}
	v := f.vector(0)
	if v.isNull() {
		return nil
	}
	return v.clone()
}

// compared returns what a comparison of values of two spans may be.
func compared(o op, typ Type, a, b span) outcome {
	if a.allNull || b.allNull {
		return mayNull
	}
	below := possible(typ, a.least, b.most, false)  // some a < some b
	above := possible(typ, b.least, a.most, false)  // some a > some b
	atMost := possible(typ, a.least, b.most, true)  // some a <= some b
	atLeast := possible(typ, b.least, a.most, true) // some a >= some b
	meet := atMost && atLeast                       // some a = some b
	results := map[op][2]bool{opEqual: {meet, below || above}, opUnequal: {below || above, meet}, opLess: {below, atLeast},
		opAtMost: {atMost, above}, opGreater: {above, atMost}, opAtLeast: {atLeast, below}}[o]
	result := outcome(0)
	if results[0] {
		result |= mayTrue
	}
	if results[1] {
		result |= mayFalse
	}
	if !a.noNull || !b.noNull {
		result |= mayNull
	}
	return result
}

// possible says whether a value of at least least may be below one of at most most, or equal to it where that will do.
func possible(typ Type, least, most *vector, equal bool) bool {
	if least == nil || most == nil {
		return true
	}
	o := opLess
	if equal {
		o = opAtMost
	}
	operand := func(v *vector) *term { return &term{op: opConstant, typ: typ, value: v} }
	t, err := newTerm(o, Type{Kind: KindBool}, operand(least), operand(most)).fold()
	return err != nil || t.value.bool()
}
