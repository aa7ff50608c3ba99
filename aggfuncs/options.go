package aggfuncs

import "math"

// Options are the table options of one column that concern its function. The zero value is a column without options.
type Options struct {
	IgnoreRetract    bool    // pass over retracts
	ListAggDelimiter *string // between the texts of listagg; nil: a comma
	Distinct         bool    // listagg and collect keep one of equal elements

	NestedKey             []string // fields that identify a row in a list, for the nested functions
	NestedSequenceField   []string // fields that tell the newer of two rows of a nested key, for nested_update
	NestedKeyNullStrategy NullStrategy
	CountLimit            *int32 // the most rows that nested_update lets in; nil: math.MaxInt32

	TimestampField string // the field with the time of a row, for merge_map_with_keytime; empty: the last one

	Strict bool // strict mode: D2 and D9 of docs/semantics.md, "Default and strict"
}

// NullStrategy says what becomes of a row in a list whose nested key has a NULL.
type NullStrategy uint8

// The strategies; the first means that the option is not set, which works like NullMerge.
const (
	NullDefault NullStrategy = iota
	NullMerge                // NULL is a value like another
	NullIgnore               // the row is left out
	NullError                // the merge fails
)

// limit is CountLimit with its default.
func (o *Options) limit() int {
	if o.CountLimit == nil {
		return math.MaxInt32
	}
	return int(*o.CountLimit)
}

// delimiter is ListAggDelimiter with its default.
func (o *Options) delimiter() string {
	if o.ListAggDelimiter == nil {
		return ","
	}
	return *o.ListAggDelimiter
}
