//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// combineTier is CombineKeys for the first words, eight at a time, where the processor does. It returns how many are done.
func combineTier(out []uint64, bits []KeyBits, start, idxBits int) (done int) {
	steps := len(out) / 8
	if steps == 0 || len(bits) == 0 || !cputier.HasAVX2() {
		return 0
	}
	combineAVX2(&out[0], &bits[0], len(bits), start, steps, idxBits)
	return 8 * steps
}

// ascendTier looks at pairs of words that follow one another, eight at a time, where the processor does. It returns how many first words
// are below the next as Falls asks for, or fewer.
func ascendTier(words []uint64, idxMask uint64) (n int) {
	steps := (len(words) - 1) / 8
	if steps <= 0 || !cputier.HasAVX2() {
		return 0
	}
	return 8 * ascendAVX2(&words[0], steps, idxMask)
}

// combineAVX2 is combinePortable for 8 * steps words, steps > 0, and n integers, n > 0.
//
//go:noescape
func combineAVX2(out *uint64, bits *KeyBits, n, start, steps, idxBits int)

// ascendAVX2 returns how many first steps there are in which all eight words have a key below that of the next, of steps > 0.
//
//go:noescape
func ascendAVX2(words *uint64, steps int, idxMask uint64) (done int)
