package kernel

import (
	"errors"
	"fmt"
)

// ErrNotSupported means that an option is valid but that this release of the kernel cannot carry it out. Such an error is
// an ErrOption, too.
var ErrNotSupported = errors.New("not supported by this release")

// unsupported finds an option that the kernel cannot carry out yet. The options must have passed check, so that a mistake
// in them is told first. The changelog producer is none of these: a merge for reading passes over it.
func (o *Options) unsupported() error {
	if o.Engine == PartialUpdateValidity {
		return notSupported("merge-engine", "the engine %v", o.Engine)
	}
	return nil
}

// notSupported is an ErrOption and ErrNotSupported about the option.
func notSupported(key, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s is %w", ErrOption, key, fmt.Sprintf(format, args...), ErrNotSupported)
}
