package rowmerge

import (
	"encoding/binary"
	"math"
)

// The flags of an HLL sketch.
const (
	hllFlagEmpty      = 4
	hllFlagCompact    = 8
	hllFlagOutOfOrder = 16
)

// readHll reads a sketch in any mode, compact or updatable.
func readHll(data []byte) (*hll, *Error) {
	if len(data) < 8 {
		return nil, corruptf("HLL sketch of %d bytes", len(data))
	}
	preamble, version, family, lgK, mode, form := data[0], data[1], data[2], int(data[3]), int(data[7]&3), int(data[7]>>2&3)
	switch {
	case version != 1 || family != 7 || lgK < 4 || lgK > 21 || form > hll8:
		return nil, corruptf("HLL sketch of version %d, family %d, lgK %d, form %d", version, family, lgK, form)
	case mode == hllList && preamble == 2:
		return readHllList(data, lgK)
	case mode == hllSet && preamble == 3:
		return readHllSet(data, lgK)
	case mode == hllFull && preamble == 10:
		return readHllRegisters(data, lgK, form)
	}
	return nil, corruptf("HLL sketch of mode %d with a preamble of %d", mode, preamble)
}

func readHllList(data []byte, lgK int) (*hll, *Error) {
	h := newHll(lgK)
	coupons, err := readCoupons(data[8:], int(data[6]))
	if err != nil {
		return nil, err
	}
	if len(coupons) > 7 {
		return nil, corruptf("HLL sketch with a list of %d", len(coupons))
	}
	for _, c := range coupons {
		if c == 0 {
			return nil, corruptf("HLL sketch with an empty coupon in its list")
		}
		h.addToList(c)
	}
	return h, nil
}

// readHllSet takes the table of the updatable form as it is; the coupons of the compact form go into a new table.
func readHllSet(data []byte, lgK int) (*hll, *Error) {
	if len(data) < 12 || lgK < 8 {
		return nil, corruptf("HLL sketch with a set, of %d bytes and lgK %d", len(data), lgK)
	}
	count := int(int32(binary.LittleEndian.Uint32(data[8:])))
	if data[5]&hllFlagCompact == 0 {
		return readHllTable(data, lgK, count)
	}
	coupons, err := readCoupons(data[12:], count)
	if err != nil {
		return nil, err
	}
	if most := 3 << (lgK - 3) / 4; count > most {
		return nil, corruptf("HLL sketch with a set of %d coupons, %d at most", count, most)
	}
	h := &hll{lgK: lgK, mode: hllSet, coupons: make([]uint32, 32)}
	for _, c := range coupons {
		if c == 0 {
			return nil, corruptf("HLL sketch with an empty coupon in its set")
		}
		h.addToSet(c)
	}
	return h, nil
}

func readHllTable(data []byte, lgK, count int) (*hll, *Error) {
	lgSize := int(data[4])
	if lgSize < 5 || lgSize > lgK-3 {
		return nil, corruptf("HLL sketch with a table of 2^%d for lgK %d", lgSize, lgK)
	}
	table, err := readCoupons(data[12:], 1<<lgSize)
	if err != nil {
		return nil, err
	}
	h := &hll{lgK: lgK, mode: hllSet, coupons: table}
	if h.count = len(h.inOrder()); h.count != count || 4*count > 3*len(table) {
		return nil, corruptf("HLL sketch with %d coupons in its table of %d, said to be %d", h.count, len(table), count)
	}
	for at, c := range table {
		if c != 0 && findCoupon(table, c) != at {
			return nil, corruptf("HLL sketch with a coupon in the wrong slot")
		}
	}
	return h, nil
}

// readCoupons reads count coupons; one without a value is none.
func readCoupons(data []byte, count int) ([]uint32, *Error) {
	if count < 0 || count > len(data)/4 {
		return nil, corruptf("HLL sketch with %d coupons in %d bytes", count, len(data))
	}
	var coupons []uint32
	for i := range count {
		c := binary.LittleEndian.Uint32(data[4*i:])
		if c != 0 && c>>26 == 0 {
			return nil, corruptf("HLL sketch with a coupon without a value")
		}
		coupons = append(coupons, c)
	}
	return coupons, nil
}

// readHllRegisters reads registers of any form. The sums are taken from the registers, hip from the bytes.
func readHllRegisters(data []byte, lgK, form int) (*hll, *Error) {
	size := map[int]int{hll4: 1 << (lgK - 1), hll6: 3<<lgK/4 + 1, hll8: 1 << lgK}[form]
	if len(data) < 40+size {
		return nil, corruptf("HLL sketch of %d bytes with registers of %d", len(data), size)
	}
	var values []int
	slots, rest := data[40:40+size], data[40+size:]
	switch form {
	case hll4:
		var err *Error
		if values, err = readHll4(data, lgK, slots, rest); err != nil {
			return nil, err
		}
	case hll6:
		for slot := range 1 << lgK {
			at := 6 * slot
			values = append(values, int(uint16(slots[at/8])|uint16(slots[at/8+1])<<8)>>(at%8)&63)
		}
	default:
		for _, b := range slots {
			values = append(values, int(b&63))
		}
	}
	h := newRegisters(lgK)
	for slot, value := range values {
		if value > 63 {
			return nil, corruptf("HLL sketch with a register of %d", value)
		}
		h.addToRegisters(slot, byte(value))
	}
	h.hip = math.Float64frombits(binary.LittleEndian.Uint64(data[8:]))
	h.outOfOrder = data[5]&hllFlagOutOfOrder != 0
	return h, nil
}

// readHll4 reads registers of 4 bits above the smallest; those of 15 are in the pairs that follow.
func readHll4(data []byte, lgK int, slots, rest []byte) ([]int, *Error) {
	smallest := int(data[6])
	count := int(int32(binary.LittleEndian.Uint32(data[36:])))
	compact := data[5]&hllFlagCompact != 0
	pairs := count
	if !compact && count > 0 {
		if data[4] > 21 {
			return nil, corruptf("HLL sketch with a table of 2^%d large registers", data[4])
		}
		pairs = 1 << data[4]
	}
	if count < 0 || count > 1<<lgK || pairs > len(rest)/4 {
		return nil, corruptf("HLL sketch with %d large registers in %d bytes", count, len(rest))
	}
	large := map[int]int{}
	for i := range pairs {
		if pair := binary.LittleEndian.Uint32(rest[4*i:]); pair != 0 {
			large[int(pair&slotMask)&(1<<lgK-1)] = int(pair >> 26)
		}
	}
	var values []int
	for slot := range 1 << lgK {
		value := int(slots[slot/2]>>(4*(slot%2))&15) + smallest
		if value == smallest+15 {
			var ok bool
			if value, ok = large[slot]; !ok {
				return nil, corruptf("HLL sketch without the large register of slot %d", slot)
			}
		}
		values = append(values, value)
	}
	return values, nil
}
