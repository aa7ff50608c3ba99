//go:build (amd64 || arm64) && !purego

package simd

func addTier(out, a, b []int64) (rows int, overflows bool) {
	blocks := len(out) / intsBlock
	if blocks == 0 || !hasVectors() {
		return 0, false
	}
	return blocks * intsBlock, addVector(&out[0], &a[0], &b[0], blocks, blockStep)
}

func addConstantTier(out, a []int64, b int64) (rows int, overflows bool) {
	blocks := len(out) / intsBlock
	if blocks == 0 || !hasVectors() {
		return 0, false
	}
	same := blockOf(b)
	return blocks * intsBlock, addVector(&out[0], &a[0], &same[0], blocks, 0)
}

func subtractTier(out, a, b []int64) (rows int, overflows bool) {
	blocks := len(out) / intsBlock
	if blocks == 0 || !hasVectors() {
		return 0, false
	}
	return blocks * intsBlock, subtractVector(&out[0], &a[0], &b[0], blocks, blockStep)
}

// addVector is addPortable for n blocks, n > 0. After a block b advances by stepB bytes.
//
//go:noescape
func addVector(out, a, b *int64, n, stepB int) (overflows bool)

// subtractVector is addVector for a - b.
//
//go:noescape
func subtractVector(out, a, b *int64, n, stepB int) (overflows bool)
