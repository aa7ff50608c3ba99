//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

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

// lessAVX2 sets the bits of the rows with a < b in n blocks, n > 0. After a block a and b advance by stepA and stepB bytes.
//
//go:noescape
func lessAVX2(bits *uint64, a, b *int64, n, stepA, stepB int)

// equalAVX2 is lessAVX2 for a = b, with a block of a after the other.
//
//go:noescape
func equalAVX2(bits *uint64, a, b *int64, n, stepB int)
