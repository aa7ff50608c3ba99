package simd

// Rebase writes offsets plus a number, as 32 bits, and says whether one is below 0 or below the one before it.
func Rebase[O Offset](out []uint32, off []O, add uint32) (falls bool) {
	out = out[:len(off)]
	if len(off) == 0 {
		return false
	}
	signs, done := O(0), 0
	if off32, ok := any(off).([]int32); ok {
		var s int32
		s, done = rebaseTier(out, off32, add)
		signs = O(s)
	}
	before := off[0]
	if done > 0 {
		before = off[done-1]
	}
	off, out = off[done:], out[done:len(off)]
	for i, o := range off {
		out[i] = uint32(o) + add
		signs |= o | (o - before)
		before = o
	}
	return signs < 0
}

// Lengths returns the least and the greatest difference of offsets from the one before, and whether one of them is below 0 or
// below the one before it. There must be two offsets at least.
func Lengths[O Offset](off []O) (least, most O, falls bool) {
	before, signs, done := off[0], off[0], 1
	least = off[1] - before
	most = least
	if off32, ok := any(off).([]int32); ok {
		var l, m, s int32
		if l, m, s, done = lengthsTier(off32); done > 1 {
			least, most, signs, before = O(l), O(m), signs|O(s), off[done-1]
		}
	}
	for _, o := range off[done:] {
		n := o - before
		least, most = min(least, n), max(most, n)
		signs |= o | n
		before = o
	}
	return least, most, signs < 0
}
