//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

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

// addAVX2 is addPortable for n blocks, n > 0. After a block b advances by stepB bytes.
//
//go:noescape
func addAVX2(out, a, b *int64, n, stepB int) (overflows bool)

// subtractAVX2 is addAVX2 for a - b.
//
//go:noescape
func subtractAVX2(out, a, b *int64, n, stepB int) (overflows bool)
