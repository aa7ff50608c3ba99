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

// orBitsTier is unpackTier for bit `column` of the bytes.
func orBitsTier(dst, bitmap []byte, from, n, column int) (done int) {
	bitmap = bitmap[from>>3:]
	steps := min(n/64, (len(bitmap)-1)/8)
	if steps == 0 || !hasVectors() {
		return 0
	}
	orBitsVector(&dst[0], &bitmap[0], steps, from&7, 0x0101010101010101<<column)
	return 64 * steps
}

// unpackVector is unpackBitsPortable for 64 * steps bits, steps > 0, from bit shift of bitmap on, which has 8 * steps + 1 bytes at least.
//
//go:noescape
func unpackVector(dst, bitmap *byte, steps, shift int)

// orBitsVector is orBitsPortable for as many bits. ones has, in each of its bytes, the bit that is set.
//
//go:noescape
func orBitsVector(dst, bitmap *byte, steps, shift int, ones uint64)
