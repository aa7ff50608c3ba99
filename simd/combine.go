package simd

// KeyBits are integers by staged row, of which words have some bits: (integer - Least) >> Shift has no more than Width of them.
type KeyBits struct {
	Integers            []uint64
	Least, Shift, Width uint64
}

// CombineKeys makes the words of the staged rows from start on, as many as out has room for: the bits of the first integer are the
// highest, behind those of the last is the staged row.
func CombineKeys(out []uint64, bits []KeyBits, start, idxBits int) {
	if len(out) == 0 {
		return
	}
	for i := range bits {
		_ = bits[i].Integers[start+len(out)-1]
	}
	done := combineTier(out, bits, start, idxBits)
	combinePortable(out[done:], bits, start+done, idxBits)
}

func combinePortable(out []uint64, bits []KeyBits, start, idxBits int) {
	clear(out)
	for i := range bits {
		b := &bits[i]
		integers := b.Integers[start : start+len(out)]
		least, shift, width := b.Least, b.Shift&63, b.Width&63
		for i, x := range integers {
			out[i] = out[i]<<width | (x-least)>>shift
		}
	}
	for i, x := range out {
		out[i] = x<<(uint(idxBits)&63) | uint64(start+i)
	}
}

// Falls returns the first word whose key is not above that of the word before it, and as many as there are words if there is none. Keys
// are the bits that are not in idxMask; the highest bit of a word is not used.
func Falls(words []uint64, idxMask uint64) int {
	for i := 1 + ascendTier(words, idxMask); i < len(words); i++ {
		if words[i-1]|idxMask >= words[i] {
			return i
		}
	}
	return len(words)
}
