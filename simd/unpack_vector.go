//go:build (amd64 || arm64) && !purego

package simd

// unpackTier unpacks the first bits, 64 at a time, where the processor does. A step reads nine bytes. It returns how many bits are
// done.
func unpackTier(dst, bitmap []byte, from, n int) (done int) {
	bitmap = bitmap[from>>3:]
	steps := min(n/64, (len(bitmap)-1)/8)
	if steps == 0 || !hasVectors() {
		return 0
	}
	unpackVector(&dst[0], &bitmap[0], steps, from&7)
	return 64 * steps
}

// unpackVector is unpackBitsPortable for 64 * steps bits, steps > 0, from bit shift of bitmap on, which has 8 * steps + 1 bytes at least.
//
//go:noescape
func unpackVector(dst, bitmap *byte, steps, shift int)
