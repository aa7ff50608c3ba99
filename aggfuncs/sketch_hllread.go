package aggfuncs

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// The bytes of an HLL sketch, numbers in little-endian order:
//
//	0  ints of the preamble   3  lgK                  6  coupons of a list, or the smallest register
//	1  version, 1             4  lg of the table      7  mode in bits 0 and 1, form of registers in bits 2 and 3
//	2  family, 7              5  flags
//
//	list        8  coupons
//	set         8  count int32     12  coupons; not compact: the whole table
//	registers   8  hip float64     16  the two sums float64        32  registers that are the smallest int32
//	            36 large registers int32     40  registers, then the large ones; not compact: their whole table
const (
	hllEmpty      = 4
	hllCompact    = 8
	hllOutOfOrder = 16

	form4 = 0 // 4 bits above the smallest; 15 means that the register is among the large ones
	form6 = 1
	form8 = 2

	registersAt = 40
	mostLgK     = 21
	leastLgK    = 4
)

func corruptHll(format string, args ...any) error {
	return fmt.Errorf("%w: HLL sketch with %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

// read reads a sketch in any mode and form. Everything is checked before anything is made room for.
func (h *hll) read(b []byte) error {
	if len(b) < 8 {
		return corruptHll("%d bytes", len(b))
	}
	lgK, mode, form := int(b[3]), hllMode(b[7]&3), b[7]>>2&3
	if b[1] != 1 || b[2] != 7 || lgK < leastLgK || lgK > mostLgK || form > form8 {
		return corruptHll("version %d, family %d, lgK %d and form %d", b[1], b[2], lgK, form)
	}
	h.empty(lgK)
	switch {
	case mode == hllList && b[0] == 2:
		return h.readList(b)
	case mode == hllSet && b[0] == 3:
		return h.readSet(b)
	case mode == hllRegisters && b[0] == 10:
		return h.readRegisters(b, form)
	}
	return corruptHll("mode %d and a preamble of %d", mode, b[0])
}

func (h *hll) readList(b []byte) error {
	n := int(b[6])
	if n >= listMost {
		return corruptHll("a list of %d", n)
	}
	coupons, count, err := couponBytes(b[8:], n)
	if err != nil {
		return err
	}
	if count < n {
		return corruptHll("an empty coupon in its list")
	}
	for i := range n {
		h.addToList(coupons.at(i))
	}
	return nil
}

// couponList is coupons as bytes. In a table, 0 is an empty slot.
type couponList []byte

func (l couponList) at(i int) uint32 { return binary.LittleEndian.Uint32(l[4*i:]) }

// couponBytes cuts off the bytes of n coupons and counts those that are not 0. One without a value is none.
func couponBytes(b []byte, n int) (list couponList, count int, err error) {
	if n < 0 || n > len(b)/4 {
		return nil, 0, corruptHll("%d coupons in %d bytes", n, len(b))
	}
	list = couponList(b[:4*n])
	for rest := list; len(rest) > 0; rest = rest[4:] {
		switch c := rest.at(0); {
		case c>>valueAt != 0:
			count++
		case c != 0:
			return nil, 0, corruptHll("a coupon without a value")
		}
	}
	return list, count, nil
}

// readSet takes the table of the updatable form as it is; the coupons of the compact form go into a new table.
func (h *hll) readSet(b []byte) error {
	if len(b) < 12 || h.lgK < setFromLg {
		return corruptHll("a set, of %d bytes and lgK %d", len(b), h.lgK)
	}
	n := int(int32(binary.LittleEndian.Uint32(b[8:])))
	if b[5]&hllCompact == 0 {
		return h.readTable(b, n)
	}
	if n > 3<<(h.lgK-3)/4 { // no table has more
		return corruptHll("a set of %d coupons and lgK %d", n, h.lgK)
	}
	coupons, count, err := couponBytes(b[12:], n)
	if err != nil {
		return err
	}
	if count < n {
		return corruptHll("an empty coupon in its set")
	}
	h.newSet()
	for ; len(coupons) > 0; coupons = coupons[4:] {
		h.addToSet(coupons.at(0))
	}
	return nil
}

// readTable reads a table, in which every coupon must be where it is looked for.
func (h *hll) readTable(b []byte, n int) error {
	lg := int(b[4])
	if lg < 5 || lg > h.lgK-3 {
		return corruptHll("a table of 2^%d and lgK %d", lg, h.lgK)
	}
	slots, count, err := couponBytes(b[12:], 1<<lg)
	if err != nil {
		return err
	}
	if count != n || 4*n > 3<<lg {
		return corruptHll("%d coupons in its table of %d, said to be %d", count, 1<<lg, n)
	}
	for at := range 1 << lg {
		if c := slots.at(at); c != 0 && slots.find(c, 1<<lg) != at {
			return corruptHll("a coupon in a slot where it is not found")
		}
	}
	h.mode, h.count, h.coupons = hllSet, n, grown(h.coupons, 1<<lg)
	for i := range h.coupons {
		h.coupons[i] = slots.at(i)
	}
	return nil
}

// find gives the slot of a coupon that is in a table.
func (l couponList) find(c uint32, slots int) int {
	at, step := couponSlot(c, slots)
	for l.at(at) != c {
		if l.at(at) == 0 {
			return -1
		}
		at = (at + step) & (slots - 1)
	}
	return at
}

// readRegisters reads registers of any form. Their sums follow from them; the estimate is read.
func (h *hll) readRegisters(b []byte, form byte) error {
	k := 1 << h.lgK
	size := [...]int{form4: k / 2, form6: k*3/4 + 1, form8: k}[form]
	if len(b) < registersAt+size {
		return corruptHll("registers of %d bytes in %d", size, len(b))
	}
	slots, rest := b[registersAt:registersAt+size], b[registersAt+size:]
	var pairs []byte
	if form == form4 {
		var err error
		if pairs, err = h.check4(b, slots, rest); err != nil {
			return err
		}
	}
	h.mode, h.registers = hllRegisters, grown(h.registers, k)
	switch form {
	case form4:
		h.read4(slots, pairs, b[6])
	case form6:
		for i := range h.registers {
			at := 6 * i
			h.registers[i] = byte((uint16(slots[at/8])|uint16(slots[at/8+1])<<8)>>(at%8)) & 63
		}
	default:
		for i := range h.registers {
			h.registers[i] = slots[i] & 63
		}
	}
	h.hip = math.Float64frombits(binary.LittleEndian.Uint64(b[8:]))
	h.outOfOrder = b[5]&hllOutOfOrder != 0
	return nil
}

// check4 checks registers of 4 bits above the smallest, and cuts off the large ones that are needed.
func (h *hll) check4(b, slots, rest []byte) (pairs []byte, err error) {
	if pairs, err = h.largePairs(b, rest); err != nil {
		return nil, err
	}
	if smallest := b[6]; smallest > 63-14 && !h.below64(slots, smallest) {
		return nil, corruptHll("registers from %d on above 63", smallest)
	}
	n := countLarge(slots)
	if n == 0 {
		return nil, nil
	}
	if missing := n - countMet(slots, pairs); missing > 0 {
		return nil, corruptHll("no value for %d large registers", missing)
	}
	return pairs, nil
}

// countLarge counts the registers that are among the large ones.
func countLarge(slots []byte) (n int) {
	for ; len(slots) > 0; slots = slots[8:] {
		x := binary.LittleEndian.Uint64(slots)
		n += bits.OnesCount64(x & (x >> 1) & (x >> 2) & (x >> 3) & 0x1111111111111111)
	}
	return n
}

func isLarge(slots []byte, slot int) bool { return slots[slot/2]>>(4*(slot%2))&15 == 15 }

// countMet counts the large registers that have a pair, so many slots at a time that what has been met needs little memory.
func countMet(slots, pairs []byte) (n int) {
	const most = 1 << 16
	var met [most / 64]uint64
	for from := 0; from < 2*len(slots); from += most {
		clear(met[:])
		for i := 0; i < len(pairs); i += 4 {
			pair := binary.LittleEndian.Uint32(pairs[i:])
			slot := int(pair&slotMask) & (2*len(slots) - 1)
			if pair == 0 || slot&^(most-1) != from || !isLarge(slots, slot) {
				continue
			}
			word, bit := &met[slot%most/64], uint64(1)<<(slot%64)
			if *word&bit == 0 {
				n++
			}
			*word |= bit
		}
	}
	return n
}

// read4 reads registers that have been checked.
func (h *hll) read4(slots, pairs []byte, smallest byte) {
	for i, x := range slots {
		h.registers[2*i], h.registers[2*i+1] = smallest+(x&15), smallest+(x>>4)
	}
	for ; len(pairs) > 0; pairs = pairs[4:] {
		if pair := binary.LittleEndian.Uint32(pairs); pair != 0 {
			if slot := int(pair&slotMask) & (len(h.registers) - 1); isLarge(slots, slot) {
				h.registers[slot] = byte(pair >> valueAt)
			}
		}
	}
}

// below64 says whether no register that is not a large one is above 63.
func (h *hll) below64(slots []byte, smallest byte) bool {
	for _, x := range slots {
		if low, high := x&15, x>>4; low < 15 && int(smallest)+int(low) > 63 || high < 15 && int(smallest)+int(high) > 63 {
			return false
		}
	}
	return true
}

// largePairs cuts off the bytes of the large registers.
func (h *hll) largePairs(b, rest []byte) ([]byte, error) {
	n := int(int32(binary.LittleEndian.Uint32(b[36:])))
	pairs := n
	if b[5]&hllCompact == 0 && n > 0 {
		if b[4] > mostLgK {
			return nil, corruptHll("a table of 2^%d large registers", b[4])
		}
		pairs = 1 << b[4]
	}
	if n < 0 || n > 1<<h.lgK || pairs > len(rest)/4 {
		return nil, corruptHll("%d large registers in %d bytes", n, len(rest))
	}
	return rest[:4*pairs], nil
}
