package kernel

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrNotSupported means that an option is valid but that this release of the kernel cannot carry it out. Such an error is
// an ErrOption, too.
var ErrNotSupported = errors.New("not supported by this release")

// unsupported finds an option that the kernel cannot carry out yet. The options must have passed check, so that a mistake
// in them is told first. The changelog producer is none of these: a merge for reading passes over it.
func (o *Options) unsupported() error {
	switch o.Engine {
	case Aggregation, PartialUpdateValidity:
		return notSupported("merge-engine", "the engine %v", o.Engine)
	case PartialUpdate:
		return o.unsupportedUpdate()
	}
	return nil
}

// unsupportedUpdate finds what makes a partial update more than "the last value that is not NULL". A group that removes
// rows is a group first.
func (o *Options) unsupportedUpdate() error {
	if len(o.SequenceGroups) > 0 {
		return notSupported(o.SequenceGroups[0].key(), "a sequence group")
	}
	for _, column := range slices.Sorted(maps.Keys(o.Fields)) {
		if function, key := o.function(column); function != "" && function != lastNonNullValue {
			return notSupported(key, "the aggregate function %q", function)
		}
	}
	if function := o.DefaultAggregateFunction; function != "" && function != lastNonNullValue {
		return notSupported(fieldsPrefix+defaultFunctionOption, "the aggregate function %q", function)
	}
	return nil
}

// notSupported is an ErrOption and ErrNotSupported about the option.
func notSupported(key, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s is %w", ErrOption, key, fmt.Sprintf(format, args...), ErrNotSupported)
}
