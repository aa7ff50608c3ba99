package simd

// ExtractBits brings the bits of every word of src that are under the set bits of the word of mask together at the low end. out and
// src have at least the words of mask.
//
//	mask   0110 1001
//	src    0100 1100     the bits under mask, from the low end: 0 1 0 1
//	out    0000 1010
func ExtractBits(out, src, mask []uint64) {
	out, src = out[:len(mask)], src[:len(mask)]
	if len(mask) == 0 || extractTier(out, src, mask) {
		return
	}
	for i, m := range mask {
		out[i] = extract(src[i], m)
	}
}

func extract(x, mask uint64) uint64 {
	if mask == ^uint64(0) {
		return x
	}
	x &= mask
	zeros := ^mask << 1 // counts, bit by bit, the zeros of mask below
	for step := uint(1); step < 64; step <<= 1 {
		odd := zeros // parity of the zeros below
		odd ^= odd << 1
		odd ^= odd << 2
		odd ^= odd << 4
		odd ^= odd << 8
		odd ^= odd << 16
		odd ^= odd << 32
		move := odd & mask
		mask = mask ^ move | move>>step
		t := x & move
		x = x ^ t | t>>step
		zeros &^= odd
	}
	return x
}
