package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// unpack writes the loop that makes bits bytes, 64 at a step: all of them in every half of a vector, each dealt to eight bytes, of which
// each keeps the bit that is its own. It reads a byte behind the 64 bits, also where these begin with a byte.
func unpack(f *file) {
	bits := eightBits{first: f.deal("dealFirst", 0), second: f.deal("dealSecond", 4), weights: f.weights()}
	f.implement("unpackVector")
	f.unpack(bits, func(set reg.VecVirtual, dst operand.Mem) {
		f.VPABSB(set, set) // from -1 to 1
		f.VMOVDQU(set, dst)
	})
	f.implement("orBitsVector")
	ones := f.broadcast64("ones")
	f.unpack(bits, func(set reg.VecVirtual, dst operand.Mem) {
		f.VPAND(ones, set, set)
		f.VPOR(dst, set, set)
		f.VMOVDQU(set, dst)
	})
}

// eightBits are what the loops need to make bits bytes.
type eightBits struct{ first, second, weights operand.Mem }

// unpack calls put for 32 bytes at a time with what there is of them, -1 for a bit that is set, and where it goes.
func (f *file) unpack(eight eightBits, put func(set reg.VecVirtual, dst operand.Mem)) {
	dst, bitmap, steps, shift := f.param("dst"), f.param("bitmap"), f.param("steps"), f.param("shift")
	up := f.GP64()
	f.MOVQ(operand.U32(63), up)
	f.SUBQ(shift, up)
	own := f.YMM()
	f.VMOVDQU(eight.weights, own)
	var dealt [2]reg.VecVirtual
	for i, order := range []operand.Mem{eight.first, eight.second} {
		dealt[i] = f.YMM()
		f.VMOVDQU(order, dealt[i])
	}

	f.loop("unpack")
	word, behind, bits := f.GP64(), f.GP64(), f.YMM()
	f.SHRXQ(shift, at(bitmap, 0), word)
	f.MOVBQZX(at(bitmap, 8), behind)
	f.SHLQ(operand.U8(1), behind)
	f.Comment("by 64 in all if there is no shift: nothing")
	f.SHLXQ(up, behind, behind)
	f.ORQ(behind, word)
	f.VMOVQ(word, bits.AsX())
	f.VPBROADCASTQ(bits.AsX(), bits)
	for i, order := range dealt {
		y := f.YMM()
		f.VPSHUFB(order, bits, y)
		f.VPAND(own, y, y)
		f.VPCMPEQB(own, y, y)
		put(y, at(dst, 32*i))
	}
	f.ADDQ(operand.U8(8), bitmap)
	f.ADDQ(operand.U8(64), dst)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("unpack"))
	f.VZEROUPPER()
	f.RET()
}

// deal is an order of bytes: eight times each of four, from a byte of eight on.
func (f *file) deal(name string, from uint64) operand.Mem {
	order := f.StaticGlobal(name)
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range uint64(4) {
		f.AppendDatum(operand.U64((from + i) * 0x0101010101010101))
	}
	return order
}

// weights are what byte i of eight stands for as bit i, four times.
func (f *file) weights() operand.Mem {
	weights := f.StaticGlobal("weights")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	for range 4 {
		f.AppendDatum(operand.U64(0x8040201008040201))
	}
	return weights
}
