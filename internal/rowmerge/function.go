package rowmerge

import "github.com/apache/arrow/go/v17/arrow"

// Function is an aggregate function of one column: it takes the values of the versions of a key, one after another, into an
// accumulator. NULL is "no value" on either side.
type Function struct {
	Name string

	agg      func(acc, in any) (any, *Error)
	reversed func(acc, in any) (any, *Error) // nil: agg with its arguments swapped
	retract  func(acc, in any) (any, *Error) // nil: not supported
	reset    func()                          // nil: no state of its own
}

// Agg takes an input in.
func (f *Function) Agg(acc, in any) (any, *Error) { return f.agg(acc, in) }

// AggReversed takes in an input that is older than what has been accumulated.
func (f *Function) AggReversed(acc, in any) (any, *Error) {
	if f.reversed != nil {
		return f.reversed(acc, in)
	}
	return f.agg(in, acc)
}

// Retract takes an input back.
func (f *Function) Retract(acc, in any) (any, *Error) {
	if f.retract != nil {
		return f.retract(acc, in)
	}
	return nil, failf(KindRetract, "Aggregate function '%s' does not support retraction, If you allow this function to ignore "+
		"retraction messages, you can configure 'fields.${field_name}.ignore-retract'='true'.", f.Name)
}

// Reset puts the function's own state back to the start of a group; the accumulator is the caller's.
func (f *Function) Reset() {
	if f.reset != nil {
		f.reset()
	}
}

// NewFunction makes a function by name for a field, with the table options that concern the field.
func NewFunction(name string, field arrow.Field, options map[string]string) (*Function, error) {
	r := optionReader{options: options}
	s := settings{all: options, strict: r.flag("braid.strict")}
	if r.err != nil {
		return nil, r.err
	}
	f, err := newFunction(name, newColumn(field), s)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// functionName is the function that options give a column, "" for none.
func functionName(s settings, column string) string {
	if name, ok := s.all["fields."+column+".aggregate-function"]; ok {
		return name
	}
	return s.all["fields.default-aggregate-function"]
}

// newFunction makes a function by name for a column.
func newFunction(name string, c column, s settings) (*Function, *Error) {
	make, ok := makers[name]
	if !ok {
		return nil, configf("Could not find any factory for identifier '%s' among the aggregate functions", name)
	}
	o := &functionOptions{optionReader{options: s.all}, c.name, s.strict}
	f, err := make(c, o)
	if err != nil {
		return nil, err
	}
	f.Name = name
	if o.flag("ignore-retract") {
		f.retract = func(acc, in any) (any, *Error) { return acc, nil }
		f.reversed = nil
	}
	if o.reader.err != nil {
		return nil, o.reader.err
	}
	return f, nil
}

// functionOptions reads the options `fields.<column>.<name>` of one column.
type functionOptions struct {
	reader optionReader
	column string
	strict bool
}

func (o *functionOptions) key(name string) string { return "fields." + o.column + "." + name }

func (o *functionOptions) flag(name string) bool { return o.reader.flag(o.key(name)) }

// text reads an option as it stands and reports whether it is there.
func (o *functionOptions) text(name string) (string, bool) {
	text, ok := o.reader.options[o.key(name)]
	return text, ok
}

// makers makes every function by its name.
var makers = map[string]func(column, *functionOptions) (*Function, *Error){
	"sum":                    newSum,
	"product":                newProduct,
	"max":                    newMax,
	"min":                    newMin,
	"bool_and":               newBoolAnd,
	"bool_or":                newBoolOr,
	"first_value":            newFirstValue,
	"first_non_null_value":   newFirstNonNullValue,
	"first_not_null_value":   newFirstNonNullValue,
	"last_value":             newLastValue,
	"last_non_null_value":    newLastNonNullValue,
	"primary-key":            newPrimaryKey,
	"listagg":                newListAgg,
	"collect":                newCollect,
	"merge_map":              newMergeMap,
	"merge_map_with_keytime": newMergeMapWithKeyTime,
	"nested_update":          newNestedUpdate,
	"nested_partial_update":  newNestedPartialUpdate,
	"rbm32":                  newRbm32,
	"rbm64":                  newRbm64,
	"theta_sketch":           newThetaSketch,
	"hll_sketch":             newHllSketch,
}

// withNulls makes the function that gives the other side when one is NULL, and f of both otherwise.
func withNulls(f func(acc, in any) (any, *Error)) func(acc, in any) (any, *Error) {
	return func(acc, in any) (any, *Error) {
		switch {
		case acc == nil:
			return in, nil
		case in == nil:
			return acc, nil
		}
		return f(acc, in)
	}
}
