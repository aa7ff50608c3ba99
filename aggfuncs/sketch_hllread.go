package aggfuncs

import (
	"encoding/binary"
	"fmt"
	"math"
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
	notYet      = 0xff // a register whose value is among the large ones
	mostLgK     = 21
	leastLgK    = 4
)

func corruptHll(format string, args ...any) error {
	return fmt.Errorf("%w: HLL sketch with %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

// read reads a sketch in any mode and form. Sizes are checked before anything is made room for.
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
	coupons, err := couponBytes(b[8:], n)
	if err != nil {
		return err
	}
	for ; len(coupons) > 0; coupons = coupons[4:] {
		c := binary.LittleEndian.Uint32(coupons)
		if c == 0 {
			return corruptHll("an empty coupon in its list")
		}
		h.addToList(c)
	}
	return nil
}

// couponBytes cuts off the bytes of n coupons; one without a value is none.
func couponBytes(b []byte, n int) ([]byte, error) {
	if n < 0 || n > len(b)/4 {
		return nil, corruptHll("%d coupons in %d bytes", n, len(b))
	}
	b = b[:4*n]
	for i := 0; i < len(b); i += 4 {
		if c := binary.LittleEndian.Uint32(b[i:]); c != 0 && c>>valueAt == 0 {
			return nil, corruptHll("a coupon without a value")
		}
	}
	return b, nil
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
	coupons, err := couponBytes(b[12:], n)
	if err != nil {
		return err
	}
	h.newSet()
	for ; len(coupons) > 0; coupons = coupons[4:] {
		c := binary.LittleEndian.Uint32(coupons)
		if c == 0 {
			return corruptHll("an empty coupon in its set")
		}
		if h.addToSet(c); h.mode != hllSet {
			return corruptHll("a set of %d coupons and lgK %d", n, h.lgK)
		}
	}
	return nil
}

// readTable reads a table, in which every coupon must be where it is looked for.
func (h *hll) readTable(b []byte, n int) error {
	lg := int(b[4])
	if lg < 5 || lg > h.lgK-3 {
		return corruptHll("a table of 2^%d and lgK %d", lg, h.lgK)
	}
	slots, err := couponBytes(b[12:], 1<<lg)
	if err != nil {
		return err
	}
	h.mode, h.coupons = hllSet, grown(h.coupons, 1<<lg)
	for i := range h.coupons {
		h.coupons[i] = binary.LittleEndian.Uint32(slots[4*i:])
		if h.coupons[i] != 0 {
			h.count++
		}
	}
	if h.count != n || 4*n > 3<<lg {
		return corruptHll("%d coupons in its table of %d, said to be %d", h.count, 1<<lg, n)
	}
	for at, c := range h.coupons {
		if c != 0 && findCoupon(h.coupons, c) != at {
			return corruptHll("a coupon in a slot where it is not found")
		}
	}
	return nil
}

// readRegisters reads registers of any form. Their sums follow from them; the estimate is read.
func (h *hll) readRegisters(b []byte, form byte) error {
	k := 1 << h.lgK
	size := [...]int{form4: k / 2, form6: k*3/4 + 1, form8: k}[form]
	if len(b) < registersAt+size {
		return corruptHll("registers of %d bytes in %d", size, len(b))
	}
	slots, rest := b[registersAt:registersAt+size], b[registersAt+size:]
	h.mode, h.registers = hllRegisters, grown(h.registers, k)
	switch form {
	case form4:
		if err := h.read4(b, slots, rest); err != nil {
			return err
		}
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

// read4 reads registers of 4 bits above the smallest and then the large ones.
func (h *hll) read4(b, slots, rest []byte) error {
	pairs, err := h.largePairs(b, rest)
	if err != nil {
		return err
	}
	smallest := b[6]
	most, large := byte(0), byte(0)
	for i, x := range slots {
		low, high := x&15, x>>4
		large |= x & (x >> 1) & (x >> 2) & (x >> 3) & 0x11 // which of both are 15
		most = max(most, low, high)
		h.registers[2*i], h.registers[2*i+1] = smallest+low, smallest+high
	}
	switch {
	case int(smallest)+int(most) > 63 && !h.below64(slots, smallest):
		return corruptHll("registers from %d on above 63", smallest)
	case large == 0:
		return nil
	}
	for i, x := range slots {
		if x&15 == 15 {
			h.registers[2*i] = notYet
		}
		if x>>4 == 15 {
			h.registers[2*i+1] = notYet
		}
	}
	for ; len(pairs) > 0; pairs = pairs[4:] {
		if pair := binary.LittleEndian.Uint32(pairs); pair != 0 {
			slot := int(pair&slotMask) & (len(h.registers) - 1)
			if slots[slot/2]>>(4*(slot%2))&15 == 15 {
				h.registers[slot] = byte(pair >> valueAt)
			}
		}
	}
	for i, value := range h.registers {
		if value == notYet {
			return corruptHll("no value for the large register %d", i)
		}
	}
	return nil
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
	if n < 0 || n > len(h.registers) || pairs > len(rest)/4 {
		return nil, corruptHll("%d large registers in %d bytes", n, len(rest))
	}
	return rest[:4*pairs], nil
}
