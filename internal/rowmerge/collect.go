package rowmerge

import (
	"slices"
	"strings"
)

// newCollect makes collect: lists joined, with distinct each element once.
func newCollect(c column, o *functionOptions) (*Function, *Error) {
	if c.root() != "ARRAY" {
		return nil, configf("Data type for collect column must be 'Array' but was '%s'.", c.sql)
	}
	f := &Function{retract: withNullSides(func(acc, in any) any { return subtract(acc.(List), in.(List), Equal) })}
	element := elementOf(c)
	binary := element.root() == "BYTES" || strings.Contains(element.root(), "BINARY")
	switch distinct := o.flag("distinct"); {
	case distinct && (isNested(element.typ) || binary):
		f.agg = appendNew
	case distinct:
		f.agg = union
	default:
		f.agg = withNulls(func(acc, in any) (any, *Error) { return concat(acc.(List), in.(List)), nil })
		if binary {
			f.retract = withNullSides(func(acc, in any) any { return subtract(acc.(List), in.(List), bothNull) })
		}
	}
	f.reversed = f.agg
	return f, nil
}

// bothNull is the equality of binary elements where a list that is not distinct is retracted: such elements are told apart
// as objects, so that none is ever found again.
func bothNull(a, b any) bool { return a == nil && b == nil }

func concat(a, b List) List { return append(append(List{}, a...), b...) }

// withNullSides makes a retract that gives NULL for a NULL accumulator and the accumulator for a NULL input.
func withNullSides(f func(acc, in any) any) func(acc, in any) (any, *Error) {
	return func(acc, in any) (any, *Error) {
		if acc == nil || in == nil {
			return acc, nil
		}
		return f(acc, in), nil
	}
}

// subtract drops from acc, for each element of in, the first equal one.
func subtract(acc, in List, equal func(a, b any) bool) List {
	out := List{}
	left := append([]any{}, in...)
	for _, v := range acc {
		i := slices.IndexFunc(left, func(w any) bool { return equal(v, w) })
		if i >= 0 {
			left = append(left[:i], left[i+1:]...)
			continue
		}
		out = append(out, v)
	}
	return out
}

// union is the set of the elements of both lists, in order of first appearance.
func union(acc, in any) (any, *Error) {
	if acc == nil && in == nil {
		return nil, nil
	}
	a, _ := acc.(List)
	b, _ := in.(List)
	return addNew(List{}, concat(a, b)), nil
}

// appendNew keeps acc as it is, repeats included, and appends the elements of in that are not there yet.
func appendNew(acc, in any) (any, *Error) {
	if acc == nil && in == nil {
		return nil, nil
	}
	a, _ := acc.(List)
	b, _ := in.(List)
	return addNew(concat(a, nil), b), nil
}

// addNew appends the elements of list that are not in out yet.
func addNew(out, list List) List {
	for _, v := range list {
		if indexOf(out, v) < 0 {
			out = append(out, v)
		}
	}
	return out
}
