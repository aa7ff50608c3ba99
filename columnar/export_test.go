package columnar

// SetMaxOffset lowers the greatest 32-bit offset, and returns how to put it back.
func SetMaxOffset(n int) (restore func()) {
	before := maxOffset32
	maxOffset32 = n
	return func() { maxOffset32 = before }
}
