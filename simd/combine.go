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

// combinedAtOnce is how many words are made at a time: few enough to stay in the nearest cache from one integer to the next.
const combinedAtOnce = 512

func combinePortable(out []uint64, bits []KeyBits, start, idxBits int) {
	for len(out) > 0 {
		part := out[:min(combinedAtOnce, len(out))]
		for i := range part {
			part[i] = uint64(start + i)
		}
		place := uint64(idxBits) // of the bits of an integer, the last one first
		for i := len(bits) - 1; i >= 0; i-- {
			bits[i].put(part, start, place)
			place += bits[i].Width
		}
		out, start = out[len(part):], start+len(part)
	}
}

// put puts the bits of the staged rows from start on into words, from bit place on.
func (b *KeyBits) put(words []uint64, start int, place uint64) {
	least, shift, scale := b.Least, b.Shift&63, uint64(1)<<place
	integers := b.Integers[start:][:len(words)]
	for i, x := range integers {
		words[i] |= (x - least) >> shift * scale
	}
}

// Falls returns the first word whose key is not above that of the word before it, and as many as there are words if there is none. Keys
// are the bits that are not in idxMask; the highest bit of a word is not used.
func Falls(words []uint64, idxMask uint64) int {
	from := 1 + ascendTier(words, idxMask)
	if from >= len(words) {
		return len(words)
	}
	before := words[from-1]
	for i, w := range words[from:] {
		if before|idxMask >= w {
			return from + i
		}
		before = w
	}
	return len(words)
}
