//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// The loops over 64-bit integers under AVX2 go in blocks of 16 rows. Where all rows have one value on a side, a block of it
// stands for them: the side advances by no bytes.
const (
	intsBlock = 16
	blockStep = 8 * intsBlock
)

func lessTier(bits []uint64, a, b []int64) (words int) {
	if words = len(a) / 64; words == 0 || !cputier.HasAVX2() {
		return 0
	}
	lessAVX2(&bits[0], &a[0], &b[0], words*4, blockStep, blockStep)
	return words
}

func lessThanTier(bits []uint64, a []int64, b int64) (words int) {
	if words = len(a) / 64; words == 0 || !cputier.HasAVX2() {
		return 0
	}
	same := blockOf(b)
	lessAVX2(&bits[0], &a[0], &same[0], words*4, blockStep, 0)
	return words
}

func greaterThanTier(bits []uint64, a []int64, b int64) (words int) {
	if words = len(a) / 64; words == 0 || !cputier.HasAVX2() {
		return 0
	}
	same := blockOf(b)
	lessAVX2(&bits[0], &same[0], &a[0], words*4, 0, blockStep)
	return words
}

func equalTier(bits []uint64, a, b []int64) (words int) {
	if words = len(a) / 64; words == 0 || !cputier.HasAVX2() {
		return 0
	}
	equalAVX2(&bits[0], &a[0], &b[0], words*4, blockStep)
	return words
}

func equalToTier(bits []uint64, a []int64, b int64) (words int) {
	if words = len(a) / 64; words == 0 || !cputier.HasAVX2() {
		return 0
	}
	same := blockOf(b)
	equalAVX2(&bits[0], &a[0], &same[0], words*4, 0)
	return words
}

func addTier(out, a, b []int64) (rows int, overflows bool) {
	blocks := len(out) / intsBlock
	if blocks == 0 || !cputier.HasAVX2() {
		return 0, false
	}
	return blocks * intsBlock, addAVX2(&out[0], &a[0], &b[0], blocks, blockStep)
}

func addConstantTier(out, a []int64, b int64) (rows int, overflows bool) {
	blocks := len(out) / intsBlock
	if blocks == 0 || !cputier.HasAVX2() {
		return 0, false
	}
	same := blockOf(b)
	return blocks * intsBlock, addAVX2(&out[0], &a[0], &same[0], blocks, 0)
}

func subtractTier(out, a, b []int64) (rows int, overflows bool) {
	blocks := len(out) / intsBlock
	if blocks == 0 || !cputier.HasAVX2() {
		return 0, false
	}
	return blocks * intsBlock, subtractAVX2(&out[0], &a[0], &b[0], blocks, blockStep)
}

func blend32Tier(out, base, values []uint32, mask []uint64) (words int) {
	if words = len(out) / 64; words == 0 || !cputier.HasAVX2() {
		return 0
	}
	blend32AVX2(&out[0], &base[0], &values[0], &mask[0], words)
	return words
}

func blend64Tier(out, base, values []uint64, mask []uint64) (words int) {
	if words = len(out) / 64; words == 0 || !cputier.HasAVX2() {
		return 0
	}
	blend64AVX2(&out[0], &base[0], &values[0], &mask[0], words)
	return words
}

func turnTier(columns *[8]uint64, rows *[64]byte) (done bool) {
	if !cputier.HasAVX2() {
		return false
	}
	turnAVX2(columns, rows)
	return true
}

func extractTier(out, src, mask []uint64) (done bool) {
	if !cputier.HasFastPDEP() {
		return false
	}
	extractBMI2(&out[0], &src[0], &mask[0], len(mask))
	return true
}

// blockOf makes a block of one value.
func blockOf(x int64) (same [intsBlock]int64) {
	for i := range same {
		same[i] = x
	}
	return same
}

// lessAVX2 sets the bits of the rows with a < b in n blocks, n > 0. After a block a and b advance by stepA and stepB bytes.
//
//go:noescape
func lessAVX2(bits *uint64, a, b *int64, n, stepA, stepB int)

// equalAVX2 is lessAVX2 for a = b, with a block of a after the other.
//
//go:noescape
func equalAVX2(bits *uint64, a, b *int64, n, stepB int)

// addAVX2 is addPortable for n blocks, n > 0. After a block b advances by stepB bytes.
//
//go:noescape
func addAVX2(out, a, b *int64, n, stepB int) (overflows bool)

// subtractAVX2 is addAVX2 for a - b.
//
//go:noescape
func subtractAVX2(out, a, b *int64, n, stepB int) (overflows bool)

// blend32AVX2 is blendPortable for values of 32 bits and n words of the mask, n > 0.
//
//go:noescape
func blend32AVX2(out, base, values *uint32, mask *uint64, n int)

// blend64AVX2 is blend32AVX2 for values of 64 bits.
//
//go:noescape
func blend64AVX2(out, base, values, mask *uint64, n int)

// turnAVX2 is turnPortable.
//
//go:noescape
func turnAVX2(columns *[8]uint64, rows *[64]byte)

// extractBMI2 is extract for n words, n > 0.
//
//go:noescape
func extractBMI2(out, src, mask *uint64, n int)
