package aggfuncs

import (
	"math"
	"math/bits"
	"slices"
)

// hll is an HLL sketch of 2^lgK registers. What a value hashes to is a coupon: the register in its low 26 bits, the value of
// the register above. Few coupons are kept as they are, up to 7 in a list in order of arrival, then in a hash table, whose
// order shows in the bytes. When the table gets too large for lgK, the coupons go into registers.
type hll struct {
	lgK     int
	mode    hllMode
	coupons []uint32 // the list, or the table with 0 in its empty slots
	spare   []uint32 // room for the next larger table
	count   int      // of coupons

	registers  []byte
	hip        float64 // the estimate that is kept while values come one by one
	kxq0, kxq1 float64 // the sum of 2^-register, of registers below 32 and of others, if summed
	summed     bool
	outOfOrder bool // hip means nothing
}

type hllMode uint8

const (
	hllList hllMode = iota
	hllSet
	hllRegisters
)

const (
	slotMask  = 1<<26 - 1 // of a coupon: its register
	valueAt   = 26        // of a coupon: the bit where its value begins
	listMost  = 8         // coupons with which a list ends
	setSlots  = 32        // of a new table
	setFromLg = 8         // below, a list goes straight into registers
)

// empty makes h a sketch that has seen nothing.
func (h *hll) empty(lgK int) {
	*h = hll{lgK: lgK, coupons: h.coupons[:0], spare: h.spare, registers: h.registers[:0]}
}

// coupon takes in a coupon, and goes on to the next mode when it is time.
func (h *hll) coupon(c uint32) {
	switch h.mode {
	case hllList:
		h.addToList(c)
	case hllSet:
		h.addToSet(c)
	default:
		h.sum()
		h.raise(int(c&slotMask)&(1<<h.lgK-1), byte(c>>valueAt))
	}
}

func (h *hll) addToList(c uint32) {
	if slices.Contains(h.coupons, c) {
		return
	}
	h.coupons = append(h.coupons, c)
	h.count++
	switch {
	case h.count < listMost:
	case h.lgK < setFromLg:
		h.fill()
	default:
		var list [listMost]uint32
		copy(list[:], h.coupons)
		h.newSet()
		for _, c := range list {
			h.addToSet(c)
		}
	}
}

// newSet makes h an empty table.
func (h *hll) newSet() {
	h.mode, h.count = hllSet, 0
	h.coupons = grown(h.coupons, setSlots)
	clear(h.coupons)
}

// addToSet doubles the table when it is more than three quarters full, and ends it at an eighth of the registers.
func (h *hll) addToSet(c uint32) {
	at := findCoupon(h.coupons, c)
	if h.coupons[at] == c {
		return
	}
	h.coupons[at] = c
	h.count++
	switch size := len(h.coupons); {
	case 4*h.count <= 3*size:
	case size == 1<<(h.lgK-3):
		h.fill()
	default:
		larger := grown(h.spare, 2*size)
		clear(larger)
		for _, c := range h.coupons {
			if c != 0 {
				larger[findCoupon(larger, c)] = c
			}
		}
		h.coupons, h.spare = larger, h.coupons
	}
}

// findCoupon gives the slot of a coupon, or the empty one where it belongs.
func findCoupon(table []uint32, c uint32) int {
	at, step := couponSlot(c, len(table))
	for table[at] != 0 && table[at] != c {
		at = (at + step) & (len(table) - 1)
	}
	return at
}

// couponSlot gives the first slot where a coupon is looked for, of so many, and how far the next one is.
func couponSlot(c uint32, slots int) (at, step int) {
	return int(c) & (slots - 1), int(c&slotMask)>>bits.Len(uint(slots-1)) | 1
}

// fill goes on to registers, with the estimate for the number of coupons.
func (h *hll) fill() {
	coupons, n := h.coupons, h.count
	h.newRegisters(h.lgK)
	for _, c := range coupons {
		if c != 0 {
			h.coupon(c)
		}
	}
	h.hip = couponEstimate(n)
}

// newRegisters makes h a sketch of registers that are all 0. The coupons it had stay where they are until the next sketch is
// read.
func (h *hll) newRegisters(lgK int) {
	*h = hll{lgK: lgK, mode: hllRegisters, coupons: h.coupons[:0], spare: h.spare, registers: grown(h.registers, 1<<lgK)}
	clear(h.registers)
	h.kxq0, h.summed = math.Ldexp(1, lgK), true
}

// raise raises a register to a value, and keeps the estimate and the sums.
func (h *hll) raise(slot int, value byte) {
	old := h.registers[slot]
	if value <= old {
		return
	}
	h.hip += math.Ldexp(1, h.lgK) / (h.kxq0 + h.kxq1)
	h.registers[slot] = value
	h.account(old, -1)
	h.account(value, 1)
}

// account adds a number of registers of one value to the sums. Sums are exact, so their order does not matter.
func (h *hll) account(value byte, number float64) {
	share := number * math.Ldexp(1, -int(value))
	if value < 32 {
		h.kxq0 += share
	} else {
		h.kxq1 += share
	}
}

// sum finds the sums of the registers unless they are known.
func (h *hll) sum() {
	if !h.summed {
		h.sumCounts(h.counts())
	}
}

func (h *hll) sumCounts(counts [64]uint32) {
	h.kxq0, h.kxq1, h.summed = 0, 0, true
	for value, n := range counts {
		h.account(byte(value), float64(n))
	}
}

// counts counts the registers of every value. Neighbours are counted apart, as they are often equal, and a count could not
// go up before it has gone up for the one before.
func (h *hll) counts() [64]uint32 {
	var a, b [64]uint32
	for i := 0; i < len(h.registers); i += 2 {
		a[h.registers[i]&63]++
		b[h.registers[i+1]&63]++
	}
	for value, n := range b {
		a[value] += n
	}
	return a
}

// couponEstimate is the estimate for n coupons: a cubic through four of these points, those around n.
func couponEstimate(n int) float64 {
	xs := [...]float64{0, 1, 20, 400, 8000, 160000, 300000, 600000}
	ys := [...]float64{0, 1, 20.0000009437402611, 400.000396371338411, 8000.1589294602090376, 160063.6067763759638183,
		300223.7071597663452849, 600895.5933856170158833}
	x := float64(n)
	i := 0
	for i+2 < len(xs) && xs[i+1] <= x {
		i++
	}
	from := min(max(i-1, 0), len(xs)-4)
	return max(x, cubic(xs[from:from+4], ys[from:from+4], x))
}

// cubic interpolates through four points. The differences are multiplied before the division, and nothing is fused, so that
// the result is the same on every processor.
func cubic(xs, ys []float64, x float64) float64 {
	sum := 0.0
	for i := range xs {
		above, below := 1.0, 1.0
		for j := range xs {
			if j != i {
				above *= x - xs[j]
				below *= xs[i] - xs[j]
			}
		}
		sum += float64(ys[i]*above) / below
	}
	return sum
}
