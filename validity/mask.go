package validity

import (
	"encoding/binary"
	"math/bits"
)

// Words returns how many words the mask of n rows has.
func Words(n int) int { return (n + 63) >> 6 }

// Fill sets the bits of the n rows of mask.
func Fill(mask []uint64, n int) {
	for i := range mask[:n>>6] {
		mask[i] = ^uint64(0)
	}
	if n&63 != 0 {
		mask[n>>6] = 1<<(n&63) - 1
	}
}

// Set sets the bit of a row.
func Set(mask []uint64, row int) { mask[row>>6] |= 1 << (row & 63) }

// Clear clears the bit of a row.
func Clear(mask []uint64, row int) { mask[row>>6] &^= 1 << (row & 63) }

// Get says whether the bit of a row is set.
func Get(mask []uint64, row int) bool { return mask[row>>6]>>(row&63)&1 != 0 }

// ClearRange clears the bits of rows [from, to).
func ClearRange(mask []uint64, from, to int) {
	for from < to {
		w := from >> 6
		end := min(to, (w+1)<<6)
		mask[w] &^= ^uint64(0) >> (64 - (end - from)) << (from & 63)
		from = end
	}
}

// Any says whether a bit is set.
func Any(mask []uint64) bool {
	for _, w := range mask {
		if w != 0 {
			return true
		}
	}
	return false
}

// Count returns how many bits are set.
func Count(mask []uint64) int {
	n := 0
	for _, w := range mask {
		n += bits.OnesCount64(w)
	}
	return n
}

// Next returns the first set bit at or after row from, or -1.
func Next(mask []uint64, from int) int {
	w := from >> 6
	if w >= len(mask) {
		return -1
	}
	x := mask[w] >> (from & 63) << (from & 63)
	for {
		if x != 0 {
			return w<<6 + bits.TrailingZeros64(x)
		}
		if w++; w == len(mask) {
			return -1
		}
		x = mask[w]
	}
}

// Prev returns the last set bit before row to, or -1.
func Prev(mask []uint64, to int) int {
	if to <= 0 {
		return -1
	}
	w := (to - 1) >> 6
	x := mask[w] << (63 - (to-1)&63) >> (63 - (to-1)&63)
	for {
		if x != 0 {
			return w<<6 + 63 - bits.LeadingZeros64(x)
		}
		if w--; w < 0 {
			return -1
		}
		x = mask[w]
	}
}

// Singles sets the rows that are alone in their group: an end whose predecessor is an end.
func Singles(single, ends []uint64) {
	before := uint64(1) // the row before the first ends a group
	for w, e := range ends {
		single[w] = e & (e<<1 | before)
		before = e >> 63
	}
}

// Starts sets the first row of every group of n rows.
func Starts(starts, ends []uint64, n int) {
	before := uint64(1)
	for w, e := range ends {
		starts[w] = e<<1 | before
		before = e >> 63
	}
	if n&63 != 0 {
		starts[n>>6] &= 1<<(n&63) - 1
	}
}

// CountRange counts the set bits of [from, from+n) of an Arrow bitmap.
func CountRange(bitmap []byte, from, n int) int {
	ones := 0
	for ; n > 0 && from&7 != 0; n-- {
		ones += int(bitmap[from>>3] >> (from & 7) & 1)
		from++
	}
	if n == 0 {
		return ones
	}
	b := bitmap[from>>3:]
	for ; n >= 64; n -= 64 {
		ones += bits.OnesCount64(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	for ; n >= 8; n -= 8 {
		ones += bits.OnesCount8(b[0])
		b = b[1:]
	}
	if n > 0 {
		ones += bits.OnesCount8(b[0] & (1<<n - 1))
	}
	return ones
}
