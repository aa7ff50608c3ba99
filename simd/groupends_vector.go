//go:build (amd64 || arm64) && !purego

package simd

// groupEndsTier finds the ends among the first words, 64 at a time, where the processor does. It returns how many there are, and how
// many words are done.
func groupEndsTier(ends, words []uint64, n, idxBits int) (groups, done int) {
	steps := n / 64
	if steps == 0 || !hasVectors() {
		return 0, 0
	}
	return groupEndsVector(&ends[0], &words[0], steps, 1<<idxBits-1), 64 * steps
}

// groupEndsVector is groupEndsPortable for 64 * steps words, steps > 0, behind the last of which there is another.
//
//go:noescape
func groupEndsVector(ends, words *uint64, steps int, idxMask uint64) (groups int)
