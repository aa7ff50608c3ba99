//go:build (amd64 || arm64) && !purego

package simd

func lessTier(bits []uint64, a, b []int64) (words int) {
	if words = len(a) / 64; words == 0 || !hasVectors() {
		return 0
	}
	lessVector(&bits[0], &a[0], &b[0], words, blockStep, blockStep)
	return words
}

func lessThanTier(bits []uint64, a []int64, b int64) (words int) {
	if words = len(a) / 64; words == 0 || !hasVectors() {
		return 0
	}
	same := blockOf(b)
	lessVector(&bits[0], &a[0], &same[0], words, blockStep, 0)
	return words
}

func greaterThanTier(bits []uint64, a []int64, b int64) (words int) {
	if words = len(a) / 64; words == 0 || !hasVectors() {
		return 0
	}
	same := blockOf(b)
	lessVector(&bits[0], &same[0], &a[0], words, 0, blockStep)
	return words
}

func equalTier(bits []uint64, a, b []int64) (words int) {
	if words = len(a) / 64; words == 0 || !hasVectors() {
		return 0
	}
	equalVector(&bits[0], &a[0], &b[0], words, blockStep)
	return words
}

func equalToTier(bits []uint64, a []int64, b int64) (words int) {
	if words = len(a) / 64; words == 0 || !hasVectors() {
		return 0
	}
	same := blockOf(b)
	equalVector(&bits[0], &a[0], &same[0], words, 0)
	return words
}

// lessVector sets the bits of the rows with a < b in so many words, one at least. After a block a and b advance by stepA and stepB bytes.
//
//go:noescape
func lessVector(bits *uint64, a, b *int64, words, stepA, stepB int)

// equalVector is lessVector for a = b, with a block of a after the other.
//
//go:noescape
func equalVector(bits *uint64, a, b *int64, words, stepB int)
