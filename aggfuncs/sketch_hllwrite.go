package aggfuncs

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// appendTo writes the compact bytes, with registers of 4 bits.
func (c *hllCodec) appendTo(dst []byte) []byte {
	h := &c.acc
	switch {
	case h.mode == hllRegisters:
		return c.appendRegisters(dst)
	case h.mode == hllSet:
		dst = h.appendHead(dst, 3, bits.Len(uint(len(h.coupons)))-1, 0, 0)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(h.count))
	case h.count == 0:
		return h.appendHead(dst, 2, 3, hllEmpty, 0)
	default:
		dst = h.appendHead(dst, 2, 3, 0, h.count)
	}
	for _, coupon := range h.coupons {
		if coupon != 0 {
			dst = binary.LittleEndian.AppendUint32(dst, coupon)
		}
	}
	return dst
}

// appendHead writes the first eight bytes.
func (h *hll) appendHead(dst []byte, preamble byte, lgTable, flags, count int) []byte {
	return append(dst, preamble, 1, 7, byte(h.lgK), byte(lgTable), byte(flags)|hllCompact, byte(count), byte(h.mode)|form4<<2)
}

func (c *hllCodec) appendRegisters(dst []byte) []byte {
	h := &c.acc
	counts := h.counts()
	h.sumCounts(counts)
	smallest := 0
	for counts[smallest] == 0 {
		smallest++
	}
	large := c.largeTable(counts, smallest)
	flags, lgTable := 0, 0
	if h.outOfOrder {
		flags = hllOutOfOrder
	}
	if large > 0 {
		lgTable = bits.Len(uint(len(c.aux))) - 1
	}
	dst = h.appendHead(dst, 10, lgTable, flags, smallest)
	for _, f := range [3]float64{h.hip, h.kxq0, h.kxq1} {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
	}
	dst = binary.LittleEndian.AppendUint32(dst, counts[smallest])
	dst = binary.LittleEndian.AppendUint32(dst, uint32(large))
	dst = h.append4(dst, byte(smallest))
	for _, pair := range c.aux {
		if pair != 0 {
			dst = binary.LittleEndian.AppendUint32(dst, pair)
		}
	}
	return dst
}

// append4 writes the registers as 4 bits above the smallest.
func (h *hll) append4(dst []byte, smallest byte) []byte {
	at, n := len(dst), len(h.registers)/2
	dst = slices.Grow(dst, n)[:at+n]
	out := dst[at:]
	for i := range out {
		low, high := h.registers[2*i]-smallest, h.registers[2*i+1]-smallest
		out[i] = min(low, 15) | min(high, 15)<<4
	}
	return dst
}

// largeTable makes aux the hash table of the registers that 4 bits above the smallest do not hold, in whose order they are
// written, and returns how many there are.
func (c *hllCodec) largeTable(counts [64]uint32, smallest int) (n int) {
	h := &c.acc
	c.aux = c.aux[:0]
	for value := smallest + 15; value < len(counts); value++ {
		n += int(counts[value])
	}
	if n == 0 {
		return 0
	}
	c.aux = grown(c.aux, 1<<lgLarge(h.lgK))
	clear(c.aux)
	put := 0
	for slot, value := range h.registers {
		if int(value) < smallest+15 {
			continue
		}
		putLarge(c.aux, uint32(value)<<valueAt|uint32(slot))
		if put++; 4*put > 3*len(c.aux) {
			c.enlarge()
		}
	}
	return n
}

// lgLarge is the lg of the size that a table of large registers begins with.
func lgLarge(lgK int) int {
	switch {
	case lgK <= 6:
		return 2
	case lgK <= 9:
		return 3
	case lgK <= 11:
		return 4
	case lgK <= 13:
		return 5
	}
	return lgK - 8
}

func (c *hllCodec) enlarge() {
	larger := make([]uint32, 2*len(c.aux))
	for _, pair := range c.aux {
		if pair != 0 {
			putLarge(larger, pair)
		}
	}
	c.aux = larger
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
