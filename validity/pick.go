package validity

import "math/bits"

// LastValid sets in pick the last row of every group whose bit is set in valid. All three masks are of equal length; pick
// may be valid.
//
// Word by word from the end: a row has a later valid row in its group if the next row is one, or has one; then if the row
// two further on has one, four further on, and so on, as far as its group goes on.
func LastValid(pick, valid, ends []uint64) {
	open := uint64(0) // 1 when a valid row in a later word is of the group at hand
	for w := len(ends) - 1; w >= 0; w-- {
		x, goesOn := valid[w], ^ends[w]
		later := x >> 1 & goesOn
		later |= goesOn & (later >> 1)
		goesOn &= goesOn >> 1
		later |= goesOn & (later >> 2)
		goesOn &= goesOn >> 2
		later |= goesOn & (later >> 4)
		goesOn &= goesOn >> 4
		later |= goesOn & (later >> 8)
		goesOn &= goesOn >> 8
		later |= goesOn & (later >> 16)
		goesOn &= goesOn >> 16
		later |= goesOn & (later >> 32)
		later |= -open << bits.Len64(ends[w]) // of the rows behind the last end
		pick[w] = x &^ later
		open = (x | later) & 1
	}
}

// FirstValid sets in pick the first row of every group whose bit is set in valid. All three masks are of equal length; pick
// may be valid.
func FirstValid(pick, valid, ends []uint64) {
	open := uint64(0)
	start := uint64(1) // the row after an end starts a group
	for w, e := range ends {
		s := e<<1 | start
		start = e >> 63
		hit, more := ripple(valid[w], s, open)
		pick[w] = hit
		open = more
	}
}

// ripple finds, from low to high, the first bit of x at or after every start bit in s and before the next start bit. open
// says that a group without a hit reaches into this word, more that one reaches out of it.
//
//	s       0001 0001      two groups of four, from the right
//	x       1000 0110
//	hit     1000 0010
func ripple(x, s, open uint64) (hit, more uint64) {
	from := s | open
	search := from &^ x // these starts look further
	blank := ^(x | s)   // the carry passes here
	sum, carry := bits.Add64(blank, search<<1, 0)
	hit = x & (from | sum&^(blank|s))
	return hit, carry | search>>63
}

// Hits returns, by group end, whether the group has a bit in pick: pick must have at most one bit a group. has may be pick.
func Hits(has, pick, ends []uint64) {
	carry := uint64(0)
	for w, e := range ends {
		p := pick[w]
		sum, c := bits.Add64(^e, p&^e, carry)
		carry = c
		has[w] = e & (sum | p)
	}
}

// OrEnds gives every group without a bit in pick the bit of its last row, so that each group has exactly one.
func OrEnds(pick, ends []uint64) {
	carry := uint64(0)
	for w, e := range ends {
		p := pick[w]
		sum, c := bits.Add64(^e, p&^e, carry)
		carry = c
		pick[w] = p | e&^(sum|p)
	}
}
