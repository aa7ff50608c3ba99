package columnar

import "errors"

// Errors that are found while Arrow data is looked at. Package kernel has them under the same names.
var (
	// ErrSchema means that a schema is not what the table says, or has a type that cannot be merged.
	ErrSchema = errors.New("schema error")
	// ErrCorrupt means that bytes from a file or a caller are not what their format says.
	ErrCorrupt = errors.New("corrupt data")
	// ErrTooLarge means that a value, or the values of one key, cannot be represented in an Arrow array.
	ErrTooLarge = errors.New("value too large")
)
