package simd

// Warm asks the processor to bring the lines of b nearer, without waiting for them, where the tier in use can. No byte is read.
func Warm(b []byte) {
	if len(b) > 0 {
		warmTier(b)
	}
}
