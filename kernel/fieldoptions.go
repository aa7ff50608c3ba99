package kernel

import (
	"strconv"
	"strings"
)

// FieldOptions are the options of one column, `fields.<column>.<option>`. The zero value is a column without options.
type FieldOptions struct {
	// AggregateFunction is the function that brings the column's values together: `aggregate-function`. Empty: the
	// default function of the table.
	AggregateFunction string
	// IgnoreRetract makes the function pass over retracts: `ignore-retract`, default false.
	IgnoreRetract bool
	// ListAggDelimiter stands between the texts of listagg: `list-agg-delimiter`. Nil: a comma.
	ListAggDelimiter *string
	// Distinct makes listagg and collect keep one of equal elements: `distinct`, default false.
	Distinct bool
	// NestedKey names the fields of a row in the column that identify it, for nested_update and nested_partial_update:
	// `nested-key`, a list with blanks around the names cut off. Empty: rows have no key.
	NestedKey []string
	// NestedSequenceField names the fields of a row in the column that tell the newer of two with equal keys, for
	// nested_update: `nested-sequence-field`, a list like NestedKey. It needs NestedKey.
	NestedSequenceField []string
	// NestedKeyNullStrategy is what a NULL in the nested key means: `nested-key-null-strategy`, default merge. Set at
	// all, it needs NestedKey.
	NestedKeyNullStrategy NestedKeyNullStrategy
	// CountLimit is the largest number of rows nested_update keeps: `count-limit`. Nil: 2,147,483,647.
	CountLimit *int32
	// TimestampField names the field of the map's rows that tells their time, for merge_map_with_keytime: `ts-field`.
	// Empty: the last field.
	TimestampField string
}

// NestedKeyNullStrategy says what nested_update and nested_partial_update do with a row whose nested key has a NULL.
type NestedKeyNullStrategy uint8

// The strategies, under the names the option `nested-key-null-strategy` has for them; the first means that it is not set,
// which works like merge.
const (
	NestedKeyNullDefault NestedKeyNullStrategy = iota
	NestedKeyNullMerge                         // NULL is a value like another
	NestedKeyNullIgnore                        // the row is left out
	NestedKeyNullError                         // the merge fails
)

// nestedKeyNullNames begins with NestedKeyNullMerge: the default has no name of its own.
var nestedKeyNullNames = []string{"merge", "ignore", "error"}

// String gives the strategy's name in the option `nested-key-null-strategy`, for the default that of what it works like.
func (s NestedKeyNullStrategy) String() string {
	if s > NestedKeyNullError {
		return strconv.Itoa(int(s))
	}
	return nestedKeyNullNames[max(s, NestedKeyNullMerge)-NestedKeyNullMerge]
}

// key is the option a sequence group comes from.
func (g SequenceGroup) key() string {
	return fieldsPrefix + strings.Join(g.Sequence, ",") + "." + sequenceGroupOption
}

// function names the aggregate function set for a column, its own or else the default, and the option that sets it. The
// name is empty if neither is set.
func (o *Options) function(column string) (name, key string) {
	if own := o.Fields[column].AggregateFunction; own != "" {
		return own, fieldsPrefix + column + ".aggregate-function"
	}
	return o.DefaultAggregateFunction, fieldsPrefix + defaultFunctionOption
}
