//go:build (amd64 || arm64) && !purego

package simd

// viewsTier writes the first views, four at a time, where the processor does. Each text begins at least 4 bytes behind the
// beginning of data and 12 before its end. It returns the length of the longest, and how many are done.
func viewsTier(dst []TextView, off []uint32, data []byte, block uint32) (longest uint32, done int) {
	steps := len(dst) / 4
	if steps == 0 || !hasVectors() {
		return 0, 0
	}
	return viewsVector(&dst[0], &off[0], &data[0], steps, block, &viewMasks), 4 * steps
}

// viewsVector writes 4 * steps views, steps > 0.
//
//go:noescape
func viewsVector(dst *TextView, off *uint32, data *byte, steps int, block uint32, masks *[InlineText + 2]TextView) (longest uint32)
