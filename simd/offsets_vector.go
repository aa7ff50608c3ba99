//go:build (amd64 || arm64) && !purego

package simd

// rebaseTier rebases the first offsets, eight at a time, where the processor does. It returns what is negative where they fall,
// and how many are done.
func rebaseTier(out []uint32, off []int32, add uint32) (signs int32, done int) {
	if len(off) < 9 || !hasVectors() {
		return 0, 0
	}
	steps := (len(off) - 1) / 8
	out[0] = uint32(off[0]) + add
	return off[0] | rebaseVector(&out[1], &off[1], steps, add), 1 + 8*steps
}

// lengthsTier measures the first differences, eight at a time, where the processor does. It returns what is negative where
// offsets fall, and how many offsets are done, the first included.
func lengthsTier(off []int32) (least, most, signs int32, done int) {
	if len(off) < 9 || !hasVectors() {
		return 0, 0, 0, 1
	}
	steps := (len(off) - 1) / 8
	least, most, signs = lengthsVector(&off[1], steps)
	return least, most, signs, 1 + 8*steps
}

// rebaseVector rebases 8 * steps offsets, steps > 0, before the first of which there is another.
//
//go:noescape
func rebaseVector(out *uint32, off *int32, steps int, add uint32) (signs int32)

// lengthsVector measures the differences of 8 * steps offsets, steps > 0, from the ones before.
//
//go:noescape
func lengthsVector(off *int32, steps int) (least, most, signs int32)
