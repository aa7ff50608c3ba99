//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// selectEndsTier selects the ends among the first words, four at a time, where the processor does. It returns how many words are
// done, and how many of them are selected.
func selectEndsTier(sel []uint32, words []uint64, n, idxBits int) (done, m int) {
	steps := n / 4
	if steps == 0 || !cputier.HasAVX2() {
		return 0, 0
	}
	return 4 * steps, selectEndsAVX2(&sel[0], &words[0], steps, 1<<idxBits-1)
}

// selectEndsKeysTier is selectEndsTier with the keys.
func selectEndsKeysTier(sel []uint32, keys, words []uint64, n, idxBits int) (done, m int) {
	steps := n / 4
	if steps == 0 || !cputier.HasAVX2() {
		return 0, 0
	}
	return 4 * steps, selectEndsKeysAVX2(&sel[0], &keys[0], &words[0], steps, idxBits)
}

// selectEndsAVX2 is selectEndsPortable for 4 * steps words, steps > 0, behind the last of which there is another. It writes as far as
// sel[4*steps-1] and no further, and anything behind the last selected row.
//
//go:noescape
func selectEndsAVX2(sel *uint32, words *uint64, steps int, idxMask uint64) (m int)

// selectEndsKeysAVX2 is selectEndsAVX2 with the keys, which it writes as far.
//
//go:noescape
func selectEndsKeysAVX2(sel *uint32, keys, words *uint64, steps, idxBits int) (m int)
