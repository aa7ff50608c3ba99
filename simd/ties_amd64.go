//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// findTiesTier lists the ties among the first words, four at a time, where the processor does. It returns behind how many words there are
// those that are left, of which the first is no tie of them, and how many are listed.
func findTiesTier(list []uint32, words []uint64, idxMask uint64) (done, n int) {
	steps := (len(words) - 1) / 4
	if steps == 0 || !cputier.HasAVX2() {
		return 0, 0
	}
	return 4 * steps, findTiesAVX2(&list[0], &words[0], steps, idxMask)
}

// findTiesAVX2 is findTiesPortable for 4 * steps words and one, steps > 0. It writes as far as list[4*steps-1] and no further, and anything
// behind the last tie.
//
//go:noescape
func findTiesAVX2(list *uint32, words *uint64, steps int, idxMask uint64) (n int)
