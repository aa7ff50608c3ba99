package validity

import (
	"encoding/binary"
	"math/bits"
)

// Extract brings the bits of x under the set bits of mask together at the low end.
//
//	mask   0110 1001
//	x      0100 1100     the bits under mask, from the low end: 0 1 0 1
//	       0000 1010
func Extract(x, mask uint64) uint64 {
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

// Compress writes the bits of src at the rows of mask one after another as an Arrow bitmap, and returns how many are set.
// dst has the bytes for as many bits as mask has.
func Compress(dst []byte, src, mask []uint64) (ones int) {
	at, held, waiting := 0, uint(0), uint64(0) // held bits of waiting are still to be written
	for w, m := range mask {
		if m == 0 {
			continue
		}
		x := Extract(src[w], m)
		ones += bits.OnesCount64(x)
		n := uint(bits.OnesCount64(m))
		waiting |= x << held
		if held+n >= 64 {
			binary.LittleEndian.PutUint64(dst[at:], waiting)
			at += 8
			waiting = x >> (64 - held) // 0 when held is 0
			held -= 64
		}
		held += n
	}
	for i := uint(0); i < held; i += 8 {
		dst[at] = byte(waiting >> i)
		at++
	}
	return ones
}
