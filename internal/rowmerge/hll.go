package rowmerge

import (
	"math"
	"math/bits"
	"slices"
)

// newHllSketch makes hll_sketch: the union of HLL sketches, in the resolution of the input or below, as HLL_4.
func newHllSketch(c column, o *functionOptions) (*Function, *Error) {
	return newBytesFunction("hll sketch", c, func(acc, in []byte) ([]byte, *Error) {
		a, err := readHll(acc)
		if err != nil {
			return nil, err
		}
		b, err := readHll(in)
		if err != nil {
			return nil, err
		}
		u := newHll(b.lgK)
		u = u.union(b)
		u = u.union(a)
		return u.write(hll4), nil
	})
}

// The modes of an HLL sketch, by how much it has seen.
const (
	hllList = 0
	hllSet  = 1
	hllFull = 2
)

// The forms of registers.
const (
	hll4 = 0 // 4 bits above the smallest, larger ones beside
	hll6 = 1
	hll8 = 2
)

// hll is an HLL sketch of 2^lgK registers. A coupon is what a value hashes to: the register in its low 26 bits, the
// register's value above. Few coupons are kept as they are: up to 7 in a list in order of arrival, then in a table; then
// they go into registers.
type hll struct {
	lgK     int
	mode    int
	coupons []uint32 // list: in order; set: a table, 0 where there is none
	count   int      // of coupons

	registers  []byte
	hip        float64 // estimate kept while values come one by one
	kxq0, kxq1 float64 // sum of 2^-register, of registers below 32 and of others
	outOfOrder bool    // hip means nothing
}

func newHll(lgK int) *hll { return &hll{lgK: lgK, mode: hllList} }

const slotMask = 1<<26 - 1

// hllCoupon is the coupon of an integer.
func hllCoupon(n int64) uint32 {
	h1, h2 := hashInt(n)
	value := uint32(min(bits.LeadingZeros64(h2), 62) + 1)
	return value<<26 | uint32(h1)&slotMask
}

// add takes in a coupon, and moves to the next mode when it is time.
func (h *hll) add(coupon uint32) {
	switch h.mode {
	case hllList:
		h.addToList(coupon)
	case hllSet:
		h.addToSet(coupon)
	default:
		h.addToRegisters(int(coupon&slotMask)&(1<<h.lgK-1), byte(coupon>>26))
	}
}

// addToList ends the list when the eighth coupon arrives.
func (h *hll) addToList(coupon uint32) {
	if slices.Contains(h.coupons, coupon) {
		return
	}
	h.coupons = append(h.coupons, coupon)
	h.count++
	switch {
	case h.count < 8:
	case h.lgK < 8:
		h.fill()
	default:
		list := h.coupons
		h.mode, h.coupons, h.count = hllSet, make([]uint32, 32), 0
		for _, c := range list {
			h.addToSet(c)
		}
	}
}

// addToSet doubles the table when it is more than three quarters full, and ends it at an eighth of the registers.
func (h *hll) addToSet(coupon uint32) {
	at := findCoupon(h.coupons, coupon)
	if h.coupons[at] == coupon {
		return
	}
	h.coupons[at] = coupon
	h.count++
	switch size := len(h.coupons); {
	case 4*h.count <= 3*size:
	case size == 1<<(h.lgK-3):
		h.fill()
	default:
		larger := make([]uint32, 2*size)
		for _, c := range h.inOrder() {
			larger[findCoupon(larger, c)] = c
		}
		h.coupons = larger
	}
}

// findCoupon gives the slot of a coupon, or the empty one where it belongs.
func findCoupon(table []uint32, coupon uint32) int {
	mask := len(table) - 1
	at := int(coupon) & mask
	step := int(coupon&slotMask)>>bits.Len(uint(mask)) | 1
	for table[at] != 0 && table[at] != coupon {
		at = (at + step) & mask
	}
	return at
}

// inOrder gives the coupons in the order of the list or the table.
func (h *hll) inOrder() []uint32 {
	var coupons []uint32
	for _, c := range h.coupons {
		if c != 0 {
			coupons = append(coupons, c)
		}
	}
	return coupons
}

// fill goes on to registers.
func (h *hll) fill() {
	coupons, n := h.inOrder(), h.count
	*h = *newRegisters(h.lgK)
	for _, c := range coupons {
		h.add(c)
	}
	h.hip = couponEstimate(n)
}

func newRegisters(lgK int) *hll {
	return &hll{lgK: lgK, mode: hllFull, registers: make([]byte, 1<<lgK), kxq0: math.Ldexp(1, lgK)}
}

// addToRegisters raises a register to a value.
func (h *hll) addToRegisters(slot int, value byte) {
	old := h.registers[slot]
	if value <= old {
		return
	}
	h.hip += math.Ldexp(1, h.lgK) / (h.kxq0 + h.kxq1)
	h.registers[slot] = value
	h.account(old, -1)
	h.account(value, 1)
}

// account adds or takes a register's share of the sums.
func (h *hll) account(value byte, sign float64) {
	share := sign * math.Ldexp(1, -int(value))
	if value < 32 {
		h.kxq0 += share
	} else {
		h.kxq1 += share
	}
}

// union takes in another sketch and gives the sketch of both, which may be of fewer registers.
func (h *hll) union(x *hll) *hll {
	switch {
	case x.mode != hllFull && x.count == 0:
		return h
	case x.mode == hllSet && h.mode == hllList && h.count == 0 && h.lgK == x.lgK:
		return x.clone()
	case x.mode != hllFull:
		for _, c := range x.inOrder() {
			h.add(c)
		}
		return h
	case h.mode != hllFull:
		y := x.downsample(min(h.lgK, x.lgK))
		for _, c := range h.inOrder() {
			y.add(c)
		}
		return y
	}
	return h.maximum(x)
}

func (h *hll) clone() *hll {
	c := *h
	c.coupons, c.registers = slices.Clone(h.coupons), slices.Clone(h.registers)
	return &c
}

// downsample gives a sketch of registers in a smaller or equal resolution, with the estimate of h.
func (h *hll) downsample(lgK int) *hll {
	if lgK == h.lgK {
		return h.clone()
	}
	d := newRegisters(lgK)
	for slot, value := range h.registers {
		d.addToRegisters(slot&(1<<lgK-1), value)
	}
	d.hip, d.outOfOrder = h.hip, h.outOfOrder
	return d
}

// maximum unites two sketches of registers.
func (h *hll) maximum(x *hll) *hll {
	u := h.downsample(min(h.lgK, x.lgK))
	for slot, value := range x.registers {
		u.addToRegisters(slot&(1<<u.lgK-1), value)
	}
	u.hip, u.outOfOrder = 0, true
	return u
}

// couponEstimate is the estimate for n coupons: a cubic through four points of a table.
func couponEstimate(n int) float64 {
	xs := []float64{0, 1, 20, 400, 8000, 160000, 300000, 600000}
	ys := []float64{0, 1, 20.0000009437402611, 400.000396371338411, 8000.1589294602090376, 160063.6067763759638183,
		300223.7071597663452849, 600895.5933856170158833}
	x := float64(n)
	i := 0
	for i+2 < len(xs) && xs[i+1] <= x {
		i++
	}
	from := min(max(i-1, 0), len(xs)-4)
	return max(x, lagrange(xs[from:from+4], ys[from:from+4], x))
}

// lagrange interpolates through four points. Products of differences come before the quotient, so that rounding is the
// same everywhere.
func lagrange(xs, ys []float64, x float64) float64 {
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
