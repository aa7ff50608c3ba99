package rowmerge

import (
	"encoding/binary"
	"math"
	"math/bits"
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
	h := &hll{lgK: lgK, mode: hllSet, coupons: make([]uint32, 32)}
	for _, c := range coupons {
		if c == 0 || h.mode != hllSet {
			return nil, corruptf("HLL sketch with a set of %d coupons", count)
		}
		h.addToSet(c)
	}
	if h.mode != hllSet {
		return nil, corruptf("HLL sketch with a set of %d coupons", count)
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

// write gives the compact form; form is that of registers.
func (h *hll) write(form int) []byte {
	mode := byte(h.mode | form<<2)
	head := func(preamble, lgSize, flags, count byte) []byte {
		return []byte{preamble, 1, 7, byte(h.lgK), lgSize, flags | hllFlagCompact, count, mode}
	}
	var out []byte
	switch {
	case h.mode == hllList && h.count == 0:
		return head(2, 3, hllFlagEmpty, 0)
	case h.mode == hllList:
		out = head(2, 3, 0, byte(h.count))
	case h.mode == hllSet:
		out = head(3, byte(bits.Len(uint(len(h.coupons)))-1), 0, 0)
		out = binary.LittleEndian.AppendUint32(out, uint32(h.count))
	default:
		return h.writeRegisters(head(10, 0, 0, 0), form)
	}
	for _, c := range h.inOrder() {
		out = binary.LittleEndian.AppendUint32(out, c)
	}
	return out
}

func (h *hll) writeRegisters(out []byte, form int) []byte {
	smallest, number := h.smallest(form)
	var large [][2]int
	for slot, value := range h.registers {
		if form == hll4 && int(value) >= smallest+15 {
			large = append(large, [2]int{slot, int(value)})
		}
	}
	table := largeTable(h.lgK, large)
	if form != hll4 { // the other forms are the same compact or not, and say that they are not
		out[5] = 0
	}
	if h.outOfOrder {
		out[5] |= hllFlagOutOfOrder
	}
	out[4], out[6] = byte(max(bits.Len(uint(len(table)))-1, 0)), byte(smallest)
	for _, f := range []float64{h.hip, h.kxq0, h.kxq1} {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(f))
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(number))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(large)))
	out = append(out, h.slots(form, smallest)...)
	for _, pair := range table {
		if pair != 0 {
			out = binary.LittleEndian.AppendUint32(out, pair)
		}
	}
	return out
}

// smallest gives the smallest register and how many have it; forms other than HLL_4 count the zeros.
func (h *hll) smallest(form int) (value, number int) {
	value = 63
	for _, v := range h.registers {
		value = min(value, int(v))
	}
	if form != hll4 {
		value = 0
	}
	for _, v := range h.registers {
		if int(v) == value {
			number++
		}
	}
	return value, number
}

// slots gives the bytes of the registers.
func (h *hll) slots(form, smallest int) []byte {
	switch form {
	case hll4:
		out := make([]byte, 1<<(h.lgK-1))
		for slot, value := range h.registers {
			out[slot/2] |= byte(min(int(value)-smallest, 15)) << (4 * (slot % 2))
		}
		return out
	case hll6:
		out := make([]byte, 3<<h.lgK/4+1)
		for slot, value := range h.registers {
			at := 6 * slot
			out[at/8] |= value << (at % 8)
			out[at/8+1] |= byte(uint16(value) << (at % 8) >> 8)
		}
		return out
	}
	return h.registers
}

// largeTable puts the registers that 4 bits do not hold into the table whose order their bytes have, nil for none.
func largeTable(lgK int, large [][2]int) []uint32 {
	if len(large) == 0 {
		return nil
	}
	lgSize := lgK - 8
	for _, step := range [][2]int{{6, 2}, {9, 3}, {11, 4}, {13, 5}} {
		if lgK <= step[0] {
			lgSize = step[1]
			break
		}
	}
	table := make([]uint32, 1<<lgSize)
	for i, pair := range large {
		putLarge(table, uint32(pair[1])<<26|uint32(pair[0]))
		if 4*(i+1) <= 3*len(table) {
			continue
		}
		larger := make([]uint32, 2*len(table))
		for _, p := range table {
			if p != 0 {
				putLarge(larger, p)
			}
		}
		table = larger
	}
	return table
}

func putLarge(table []uint32, pair uint32) {
	mask := len(table) - 1
	slot := int(pair & slotMask)
	at, step := slot&mask, slot>>bits.Len(uint(mask))|1
	for table[at] != 0 {
		at = (at + step) & mask
	}
	table[at] = pair
}
