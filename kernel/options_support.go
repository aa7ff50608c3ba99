package kernel

import (
	"errors"
	"fmt"
)

// ErrNotSupported means that an option is valid but that this release of the kernel cannot carry it out. Such an error is
// an ErrOption, too.
var ErrNotSupported = errors.New("not supported by this release")

// notSupported is an ErrOption and ErrNotSupported about the option.
func notSupported(key, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s is %w", ErrOption, key, fmt.Sprintf(format, args...), ErrNotSupported)
}
