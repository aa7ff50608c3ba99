package kernel

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// CompileOption adds to what Compile knows.
type CompileOption func(functions)

// WithFunction lets options name an aggregate function of the caller's own. The factory is called once for every column with
// the function when a plan is compiled, to find mistakes, and once more for every worker of a merge: what it
// returns serves one goroutine.
// The field it is given has the type that the function will see, with plain values in place of dictionaries, run-end encodings
// and views. Package aggfuncs has the contract. A name that is taken, or none, and a nil factory are ErrOption.
func WithFunction(name string, factory aggfuncs.Factory) CompileOption {
	return func(f functions) { f[name] = append(f[name], factory) }
}

// functions are the aggregate functions of the caller, all that were given for a name.
type functions map[string][]aggfuncs.Factory

// check wants one factory a name, and names that no function has yet.
func (f functions) check() error {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		_, taken := aggfuncs.ByName(name)
		switch {
		case name == "":
			return fmt.Errorf("%w: WithFunction needs a name", ErrOption)
		case taken || len(f[name]) > 1:
			return fmt.Errorf("%w: WithFunction: there is a function %q already", ErrOption, name)
		case f[name][0] == nil:
			return fmt.Errorf("%w: WithFunction: function %q needs a factory", ErrOption, name)
		}
	}
	return nil
}

// find returns the factory of a function.
func (f functions) find(name string) (aggfuncs.Factory, bool) {
	if own := f[name]; len(own) > 0 {
		return own[0], true
	}
	return aggfuncs.ByName(name)
}

// names lists all functions, for messages.
func (f functions) names() string {
	all := append(aggfuncs.Names(), slices.Collect(maps.Keys(f))...)
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// function is the aggregate function of a column.
type function struct {
	name    string
	field   arrow.Field // as the function sees it: of plain values
	options aggfuncs.Options
	factory aggfuncs.Factory
	own     bool   // it is the caller's own
	folds   bool   // it makes Functions, not Pickers
	encoded bool   // the column does not have plain values
	shared  string // what functions have in common that pick the same rows of columns without NULL; empty: not known
}

// newFunction makes the function of a column, and tries it.
func newFunction(name string, field arrow.Field, o *Options, known functions) (*function, error) {
	factory, ok := known.find(name)
	if !ok {
		_, key := o.function(field.Name)
		return nil, optionError(key, "unknown aggregate function %q; known are %s", name, known.names())
	}
	f := &function{name: name, field: field, options: o.FunctionOptions(field.Name), factory: factory, own: len(known[name]) > 0}
	var err error
	if f.field.Type, err = columnar.PlainType(field.Type); err != nil {
		return nil, fmt.Errorf("column %q: %w", field.Name, err)
	}
	rule, err := f.rule()
	if err != nil {
		return nil, err
	}
	f.folds, f.encoded = rule.Function != nil, !arrow.TypeEqual(f.field.Type, field.Type)
	if !f.own {
		f.shared = fmt.Sprintf("%s %t", name, f.options.IgnoreRetract)
	}
	return f, nil
}

// simple returns the pick that a function comes to where no row is taken back, late or passed over.
func (f *function) simple() (aggfuncs.Pick, bool) {
	switch f.name {
	case lastNonNullValue:
		return aggfuncs.LastNonNull, true
	case "last_value", "primary-key":
		return aggfuncs.LastRow, true
	}
	return 0, false
}

// rule makes an instance of the function.
func (f *function) rule() (aggfuncs.Rule, error) {
	rule, err := f.factory(f.field, f.options)
	switch {
	case err != nil && errors.Is(err, ErrOption):
		return rule, err
	case err != nil:
		return rule, fmt.Errorf("%w: column %q of type %s, function %s: %w", ErrOption, f.field.Name, f.field.Type, f.name, err)
	case (rule.Picker == nil) == (rule.Function == nil):
		return rule, fmt.Errorf("%w: column %q, function %s: the factory made neither one Picker nor one Function", ErrOption, f.field.Name, f.name)
	case f.own && rule.Picker != nil:
		rule.Picker = &heldPicker{Picker: rule.Picker, name: f.name}
	}
	return rule, nil
}

// FunctionOptions returns the options of a column as the factory of its function is given them.
func (o *Options) FunctionOptions(column string) aggfuncs.Options {
	f := o.Fields[column]
	return aggfuncs.Options{
		IgnoreRetract:         f.IgnoreRetract,
		ListAggDelimiter:      f.ListAggDelimiter,
		Distinct:              f.Distinct,
		NestedKey:             f.NestedKey,
		NestedSequenceField:   f.NestedSequenceField,
		NestedKeyNullStrategy: aggfuncs.NullStrategy(f.NestedKeyNullStrategy),
		CountLimit:            f.CountLimit,
		TimestampField:        f.TimestampField,
		Strict:                o.Strict,
	}
}

// fold has the function bring the values of groups together, and holds a caller's own to the contract. The caller releases
// the result.
func (f *function) fold(rule aggfuncs.Function, g *aggfuncs.Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	out, err := rule.Fold(g, in, mem)
	switch {
	case err != nil:
		return nil, err
	case out == nil:
		return nil, fmt.Errorf("%w: function %s of column %q gave no array", ErrInternalState, f.name, f.field.Name)
	}
	return f.held(out, g.Results())
}

// held holds the results of a function to their number and type, and releases those that are not as they should be.
func (f *function) held(out arrow.ArrayData, want int) (arrow.ArrayData, error) {
	if out.Len() != want || !arrow.TypeEqual(out.DataType(), f.field.Type) {
		defer out.Release()
		return nil, fmt.Errorf("%w: function %s of column %q gave %d values of type %s for %d keys of type %s",
			ErrInternalState, f.name, f.field.Name, out.Len(), out.DataType(), want, f.field.Type)
	}
	return out, nil
}

// heldPicker is a caller's own Picker, held to the contract.
type heldPicker struct {
	aggfuncs.Picker
	name string
	hits []uint64 // scratch
}

// Pick is Picker.Pick.
func (p *heldPicker) Pick(pick, null []uint64, g *aggfuncs.Groups, valid []uint64) (nulls bool, err error) {
	if nulls, err = p.Picker.Pick(pick, null, g, valid); err != nil {
		return false, err
	}
	p.hits = maskOf(p.hits, g.Rows)
	validity.Hits(p.hits, pick, g.Ends)
	for i := range p.hits {
		p.hits[i] &^= at(g.Drop, i)
	}
	rows, keys, want := validity.Count(pick), validity.Count(p.hits), g.Results()
	if rows != want || keys != want {
		return false, fmt.Errorf("%w: function %s picked %d rows of %d keys, want one row of each of %d keys",
			ErrInternalState, p.name, rows, keys, want)
	}
	return nulls, nil
}
