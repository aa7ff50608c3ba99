package columnar

import "github.com/braidmerge/braid/validity"

// Errors that are found while Arrow data is looked at. Package kernel has them under the same names.
var (
	ErrSchema   = validity.ErrSchema
	ErrCorrupt  = validity.ErrCorrupt
	ErrTooLarge = validity.ErrTooLarge
)
