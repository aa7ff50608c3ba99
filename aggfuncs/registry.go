package aggfuncs

import (
	"fmt"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// Factory makes a function for a column with its options. A type the function does not work on, or options that do not go
// together, are ErrOption, naming field, function and type.
type Factory func(field arrow.Field, o Options) (Rule, error)

// maker is a Factory that knows the name it was called by and does not name it in errors.
type maker func(field arrow.Field, o Options) (Rule, error)

// makers are all functions. The old name of first_non_null_value stays readable, as tables have it.
var makers = map[string]maker{
	"sum":                    newSum,
	"product":                newProduct,
	"min":                    newMin,
	"max":                    newMax,
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

// ByName returns the factory of a function. ok is false for a name that is none.
func ByName(name string) (f Factory, ok bool) {
	make, ok := makers[name]
	if !ok {
		return nil, false
	}
	return func(field arrow.Field, o Options) (Rule, error) {
		r, err := make(field, o)
		if err != nil {
			return Rule{}, fmt.Errorf("%w: column %q of type %s, function %s: %w", ErrOption, field.Name, tableType(field), name, err)
		}
		return r, nil
	}, true
}

// Names lists the functions, in order.
func Names() []string { return slices.Sorted(maps.Keys(makers)) }
