package columnar

// SetMaxOffset lowers the greatest 32-bit offset, and returns how to put it back.
func SetMaxOffset(n int) (restore func()) {
	before := maxOffset32
	maxOffset32 = n
	return func() { maxOffset32 = before }
}

// Expected returns how many bytes of the column that is expected have not been asked for, nor passed over.
func (s *Staged) Expected() (bytes int) {
	for _, b := range s.ahead.slices[s.ahead.next:] {
		bytes += len(b)
	}
	return bytes
}
