package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// offsets writes the loops over offsets, eight at a step. An offset and its difference from the one before are both looked at, so that
// the four bytes before the first are read.
func offsets(f *file) {
	f.rebase()
	f.lengths()
}

func (f *file) rebase() {
	f.implement("rebaseVector")
	out, off, steps := f.param("out"), f.param("off"), f.param("steps")
	add := f.broadcast32(f.param32("add"), f.YMM())
	signs := f.zeros()

	f.loop("rebase")
	x, difference := f.YMM(), f.YMM()
	f.VMOVDQU(at(off, 0), x)
	f.VPSUBD(at(off, -4), x, difference)
	f.VPOR(x, signs, signs)
	f.VPOR(difference, signs, signs)
	f.VPADDD(add, x, x)
	f.VMOVDQU(x, at(out, 0))
	f.ADDQ(operand.U8(32), off)
	f.ADDQ(operand.U8(32), out)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("rebase"))
	f.storeSigns(signs)
	f.VZEROUPPER()
	f.RET()
}

func (f *file) lengths() {
	f.implement("lengthsVector")
	off, steps := f.param("off"), f.param("steps")
	signs, x, least, most := f.zeros(), f.YMM(), f.YMM(), f.YMM()
	f.VMOVDQU(at(off, 0), x)
	f.VPSUBD(at(off, -4), x, least)
	f.VMOVDQA(least, most)

	f.loop("lengths")
	difference := f.YMM()
	f.VMOVDQU(at(off, 0), x)
	f.VPSUBD(at(off, -4), x, difference)
	f.VPOR(x, signs, signs)
	f.VPOR(difference, signs, signs)
	f.VPMINSD(difference, least, least)
	f.VPMAXSD(difference, most, most)
	f.ADDQ(operand.U8(32), off)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("lengths"))
	f.storeSigns(signs)
	f.storeReduced(least, "least", f.VPMINSD)
	f.storeReduced(most, "most", f.VPMAXSD)
	f.VZEROUPPER()
	f.RET()
}

// storeSigns makes the result signs negative if the top bit of a lane is set.
func (f *file) storeSigns(lanes reg.VecVirtual) {
	signs := f.GP32()
	f.VMOVMSKPS(lanes, signs)
	f.NEGL(signs)
	f.Store(signs, f.Return("signs"))
}

// storeReduced makes eight lanes of 32 bits one, two with two, and that a result.
func (f *file) storeReduced(lanes reg.VecVirtual, result string, reduce func(ops ...operand.Op)) {
	half, x := f.XMM(), lanes.AsX()
	f.VEXTRACTI128(operand.U8(1), lanes, half)
	reduce(half, x, x)
	f.storeReducedHalf(x, result, reduce)
}

// storeReducedHalf is storeReduced for four lanes.
func (f *file) storeReducedHalf(x reg.Register, result string, reduce func(ops ...operand.Op)) {
	other, one := f.XMM(), f.GP32()
	f.VPSHUFD(operand.U8(0b01_00_11_10), x, other)
	reduce(other, x, x)
	f.VPSHUFD(operand.U8(0b10_11_00_01), x, other)
	reduce(other, x, x)
	f.VMOVD(x, one)
	f.Store(one, f.Return(result))
}

// broadcast32 sets all lanes of a vector register, which it returns, to 32 bits.
func (f *file) broadcast32(value reg.GPVirtual, lanes reg.VecVirtual) reg.VecVirtual {
	f.VMOVD(value, lanes.AsX())
	f.VPBROADCASTD(lanes.AsX(), lanes)
	return lanes
}
