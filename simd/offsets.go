package simd

import "unsafe"

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
	return signs|rebasePortable(out[done:], off[done:], add, before) < 0
}

// rebasePortable rebases offsets behind one that was before, four a turn, and returns what is negative where they fall.
func rebasePortable[O Offset](out []uint32, off []O, add uint32, before O) (signs O) {
	out = out[:len(off)]
	po, pd := unsafe.Pointer(unsafe.SliceData(off)), unsafe.Pointer(unsafe.SliceData(out))
	i, n := uintptr(0), uintptr(len(off))
	for ; i+4 <= n; i += 4 {
		w, x, y, z := load[O](po, i), load[O](po, i+1), load[O](po, i+2), load[O](po, i+3)
		d := (*[4]uint32)(unsafe.Add(pd, i*4))
		d[0], d[1], d[2], d[3] = uint32(w)+add, uint32(x)+add, uint32(y)+add, uint32(z)+add
		signs |= w | (w - before)
		signs |= x | (x - w)
		signs |= y | (y - x)
		signs |= z | (z - y)
		before = z
	}
	for ; i < n; i++ {
		o := off[i]
		out[i] = uint32(o) + add
		signs |= o | (o - before)
		before = o
	}
	return signs
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
		} else if steady(off32, int32(least)) {
			return least, least, false
		}
	}
	l, m, s := lengthsPortable(off[done:], before, least)
	return min(least, l), max(most, m), signs|s < 0
}

// lengthsPortable measures the differences of offsets, the first of them from the one before, and returns what is negative where they fall. There is a
// difference that is one already.
func lengthsPortable[O Offset](off []O, before, one O) (least, most, signs O) {
	least, most = one, one
	for _, o := range off {
		n := o - before
		least, most = min(least, n), max(most, n)
		signs |= o | n
		before = o
	}
	return least, most, signs
}

// steady says whether every offset is step more than the one before, all of them from 0 on, two at a time:
//
//	offsets      36  72 108 144
//	before        0  36  72 108    and 36 more is the same
func steady(off []int32, step int32) bool {
	const high = 1<<63 | 1<<31
	p, steps := unsafe.Pointer(unsafe.SliceData(off)), uint64(uint32(step))<<32|uint64(uint32(step))
	signs := steps
	i, n := uintptr(1), uintptr(len(off))
	for ; i+4 <= n; i += 4 {
		x, y := pair(p, i), pair(p, i+2)
		signs |= x | y
		if (x^(pair(p, i-1)+steps))|(y^(pair(p, i+1)+steps)) != 0 {
			return false
		}
	}
	for ; i < n; i++ {
		if off[i]-off[i-1] != step {
			return false
		}
		signs |= uint64(uint32(off[i]))
	}
	return off[0] >= 0 && signs&high == 0
}

// pair reads two offsets.
func pair(p unsafe.Pointer, i uintptr) uint64 { return *(*uint64)(unsafe.Add(p, i*4)) }
