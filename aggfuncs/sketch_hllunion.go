package aggfuncs

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v17/arrow"
)

// newHllSketch makes hll_sketch: the union of HLL sketches. It has the resolution of the newer one, or a lower one where an
// older one has no more, and 4 bits a register.
func newHllSketch(f arrow.Field, o Options) (Rule, error) { return newUnion(f, o, &hllCodec{}) }

// hllCodec is the codec of hll_sketch.
type hllCodec struct {
	acc, in, union hll
	united         bool // acc is a union: its bytes have not been read
	scratch        []uint32
	aux            []uint32 // the table of large registers
}

func (c *hllCodec) begin(value []byte) error {
	c.united = false
	return c.acc.read(value)
}

// unite begins with the newer sketch, whose lgK bounds that of the outcome, and adds the older one. What has been united
// before is taken as its bytes would be read.
func (c *hllCodec) unite(value []byte, before bool) error {
	if err := c.in.read(value); err != nil {
		return err
	}
	if c.united && c.acc.mode == hllSet {
		c.acc.settle(&c.scratch)
	}
	newer, older := &c.in, &c.acc
	if before {
		newer, older = older, newer
	}
	c.union.empty(newer.lgK)
	c.union.add(newer)
	c.union.add(older)
	c.acc, c.union = c.union, c.acc
	c.united = true
	return nil
}

// settle puts the table in the order that its compact bytes are read back in: its coupons, in order, into a new table.
func (h *hll) settle(scratch *[]uint32) {
	*scratch = append((*scratch)[:0], h.coupons...)
	h.newSet()
	for _, c := range *scratch {
		if c != 0 {
			h.addToSet(c)
		}
	}
}

// add takes in another sketch.
func (h *hll) add(x *hll) {
	switch {
	case x.mode != hllRegisters && x.count == 0:
	case x.mode == hllSet && h.mode == hllList && h.count == 0 && h.lgK == x.lgK:
		h.mode, h.count = hllSet, x.count
		h.coupons = append(h.coupons[:0], x.coupons...)
	case x.mode != hllRegisters:
		for _, c := range x.coupons {
			if c != 0 {
				h.coupon(c)
			}
		}
	case h.mode != hllRegisters:
		coupons := h.coupons
		h.take(x, min(h.lgK, x.lgK))
		for _, c := range coupons {
			if c != 0 {
				h.coupon(c)
			}
		}
	default:
		h.maximum(x)
	}
}

// take makes h a copy of a sketch of registers, in a resolution that is not higher.
func (h *hll) take(x *hll, lgK int) {
	*h = hll{lgK: lgK, mode: hllRegisters, coupons: h.coupons[:0], spare: h.spare, registers: grown(h.registers, 1<<lgK)}
	copy(h.registers, x.registers)
	if lgK < x.lgK {
		h.lower(x.registers[1<<lgK:])
	}
	h.hip, h.outOfOrder = x.hip, x.outOfOrder
}

// lower raises the registers to those of a higher resolution that they stand for: more of them follow one another, a register
// each time.
func (h *hll) lower(more []byte) {
	for len(more) > 0 {
		maxBytes(h.registers, more[:len(h.registers)])
		more = more[len(h.registers):]
	}
}

// maxBytes makes every byte of a the larger of those of a and b, eight at a time. All are below 128, and there are a multiple
// of eight.
//
//	a | 0x80       1aaaaaaa       the highest bit of each byte keeps the difference from borrowing
//	   - b         1.......       it is still there where a is not below b
func maxBytes(a, b []byte) {
	const high = 0x8080808080808080
	for ; len(a) >= 8 && len(b) >= 8; a, b = a[8:], b[8:] {
		x, y := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)
		above := ((x | high) - y) & high >> 7 // 1 in the bytes where a is the larger or both are equal
		mask := above * 0xff
		binary.LittleEndian.PutUint64(a, x&mask|y&^mask)
	}
}

// maximum unites registers with those of another sketch, in the lower of both resolutions.
func (h *hll) maximum(x *hll) {
	if x.lgK < h.lgK {
		all := h.registers
		h.lgK, h.registers = x.lgK, all[:1<<x.lgK]
		h.lower(all[1<<x.lgK:])
	}
	h.lower(x.registers)
	h.hip, h.outOfOrder, h.summed = 0, true, false
}
