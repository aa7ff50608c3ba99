package rungen

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// The modes of an HLL sketch, and the forms of its registers.
const (
	hllList = iota
	hllSet
	hllRegisters
)

const (
	hll4 = iota
	hll6
	hll8
)

// The flags of an HLL sketch.
const (
	hllEmpty      = 4
	hllCompact    = 8
	hllOutOfOrder = 16
)

const (
	hllSlotBits = 26 // the lower bits of a coupon; above lies its value, from 1 to 63
	hllListMost = 7  // coupons of a list
	hllSetFrom  = 8  // the least lgK of sketches that have sets
)

// hllHead gives the first 8 bytes of an HLL sketch: preamble in numbers of 32 bits, version 1, family 7, lgK, size of a table,
// flags, a count, mode and form.
func hllHead(preamble, lgK, lgTable, flags, count, mode, form int) []byte {
	return []byte{byte(preamble), 1, 7, byte(lgK), byte(lgTable), byte(flags), byte(count), byte(mode | form<<2)}
}

func appendCoupons(out []byte, coupons []uint32) []byte {
	for _, c := range coupons {
		out = binary.LittleEndian.AppendUint32(out, c)
	}
	return out
}

// couponTable puts different coupons, or large registers, into a table of 2^lg slots, of which some must stay empty.
func couponTable(coupons []uint32, lg int) []uint32 {
	table := make([]uint32, 1<<lg)
	for _, c := range coupons {
		at, step := int(c)&(len(table)-1), int(c&(1<<hllSlotBits-1))>>lg|1
		for table[at] != 0 {
			at = (at + step) & (len(table) - 1)
		}
		table[at] = c
	}
	return table
}

// tableSize is lg of the slots of a table of n, which is at most three quarters full, and no less than least.
func tableSize(n, least int) int {
	lg := least
	for 3<<lg < 4*n {
		lg++
	}
	return lg
}

// couponSketch gives the bytes of a list or a set of different coupons; a set is compact or the whole table.
func couponSketch(coupons []uint32, lgK, form int, compact bool) []byte {
	if len(coupons) <= hllListMost {
		flags := hllCompact
		if len(coupons) == 0 {
			flags |= hllEmpty
		}
		return appendCoupons(hllHead(2, lgK, 3, flags, len(coupons), hllList, form), coupons)
	}
	lg := tableSize(len(coupons), 5)
	table := couponTable(coupons, lg)
	flags := 0
	if compact {
		flags, table = hllCompact, withoutZeros(table)
	}
	out := binary.LittleEndian.AppendUint32(hllHead(3, lgK, lg, flags, 0, hllSet, form), uint32(len(coupons)))
	return appendCoupons(out, table)
}

// setMost is the largest number of coupons in a set.
func setMost(lgK int) int {
	if lgK < hllSetFrom {
		return hllListMost
	}
	return 3 << (lgK - 3) / 4
}

func withoutZeros(table []uint32) []uint32 {
	var some []uint32
	for _, c := range table {
		if c != 0 {
			some = append(some, c)
		}
	}
	return some
}

// registerSketch gives the bytes of 2^lgK registers in a form.
func registerSketch(registers []byte, form int, compact, outOfOrder bool) []byte {
	lgK := bits.Len(uint(len(registers))) - 1
	least := byte(0)
	if form == hll4 {
		least = registers[0]
		for _, v := range registers {
			least = min(least, v)
		}
	}
	var large []uint32
	atLeast, sums := 0, [2]float64{}
	for slot, v := range registers {
		if v == least {
			atLeast++
		}
		if form == hll4 && v >= least+15 {
			large = append(large, uint32(v)<<hllSlotBits|uint32(slot))
		}
		sums[v/32] += math.Ldexp(1, -int(v))
	}
	lgTable := 0
	if len(large) > 0 {
		lgTable = tableSize(len(large), 2)
		large = couponTable(large, lgTable)
	}
	flags, count := 0, len(withoutZeros(large))
	if compact && form == hll4 {
		flags, large = hllCompact, withoutZeros(large)
	}
	hip := 1.04 * float64(len(registers))
	if outOfOrder {
		flags, hip = flags|hllOutOfOrder, 0
	}
	out := hllHead(10, lgK, lgTable, flags, int(least), hllRegisters, form)
	for _, f := range []float64{hip, sums[0], sums[1]} {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(f))
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(atLeast))
	out = binary.LittleEndian.AppendUint32(out, uint32(count))
	return appendCoupons(append(out, packRegisters(registers, form, least)...), large)
}

// packRegisters puts registers into 4 bits above the least, 6 bits, or bytes.
func packRegisters(registers []byte, form int, least byte) []byte {
	switch form {
	case hll4:
		out := make([]byte, len(registers)/2)
		for i, v := range registers {
			out[i/2] |= min(v-least, 15) << (4 * (i % 2))
		}
		return out
	case hll6:
		out := make([]byte, len(registers)*3/4+1)
		for i, v := range registers {
			both := uint16(v) << (6 * i % 8)
			out[6*i/8] |= byte(both)
			out[6*i/8+1] |= byte(both >> 8)
		}
		return out
	}
	return registers
}

// hllDrawer draws HLL sketches of shared coupons.
type hllDrawer struct {
	coupons []uint32
	sizes   []int // lgK to choose from
	room    int
	src     *source
}

// hlls returns a function that draws HLL sketches: lists, sets and registers, of one size or several.
func hlls(room int, src *source) func() []byte {
	d := &hllDrawer{room: room, src: src}
	for range min(pick(src, 5, 30, 300), room/8) {
		d.coupons = append(d.coupons, d.coupon())
	}
	d.sizes = []int{pick(src, 4, 5, 7, 8, 9, 10, 11, 12, 12, 12, 14)}
	if src.oneIn(3) {
		d.sizes = append(d.sizes, pick(src, 4, 8, 10, 13, 21))
	}
	return d.draw
}

// coupon draws a coupon, or with its slot a register: half of the values are 1, a quarter 2, and so on, a few large.
func (d *hllDrawer) coupon() uint32 {
	value := 1 + bits.TrailingZeros64(d.src.uint64()|1<<20)
	if d.src.oneIn(40) {
		value = d.src.between(15, 63)
	}
	return uint32(value)<<hllSlotBits | uint32(d.src.below(1<<hllSlotBits))
}

func (d *hllDrawer) draw() []byte {
	lgK, form, compact := pick(d.src, d.sizes...), d.src.intn(3), !d.src.oneIn(4)
	if d.src.oneIn(2) && lgK < 20 && 64+1<<lgK <= d.room {
		return registerSketch(d.registers(lgK), form, compact, d.src.oneIn(3))
	}
	n := pick(d.src, 0, 1, 3, hllListMost, 8, 20, len(d.coupons))
	n = min(n, len(d.coupons), setMost(lgK))
	seen, some := map[uint32]bool{}, []uint32{}
	for _, i := range d.src.permutation(len(d.coupons)) {
		if c := d.coupons[i]; len(some) < n && !seen[c] {
			seen[c], some = true, append(some, c)
		}
	}
	return couponSketch(some, lgK, form, compact)
}

// registers draws 2^lgK registers, some of them from the shared coupons: all above a least one, or many 0.
func (d *hllDrawer) registers(lgK int) []byte {
	registers := make([]byte, 1<<lgK)
	base := byte(pick(d.src, 0, 0, 1, 5))
	for i := range registers {
		if base > 0 || d.src.oneIn(2) {
			registers[i] = min(base+byte(d.coupon()>>hllSlotBits), 63)
		}
	}
	for _, c := range d.coupons {
		slot := int(c) & (len(registers) - 1)
		registers[slot] = max(registers[slot], byte(c>>hllSlotBits))
	}
	return registers
}
