package rowmerge

import (
	"encoding/binary"
	"math"
	"math/bits"
)

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
