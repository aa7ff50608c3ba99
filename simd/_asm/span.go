package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// span writes the loops that make unsigned integers of signed ones and measure them, four at a time.
func span(f *file) {
	f.implement("normals64AVX2")
	f.normals(32, func(src operand.Mem, four reg.VecVirtual) { f.VMOVDQU(src, four) })
	f.implement("normals32AVX2")
	f.normals(16, func(src operand.Mem, four reg.VecVirtual) { f.VPMOVSXDQ(src, four) })
}

// normals takes four integers a step, which are so many bytes and are loaded in a way of theirs.
func (f *file) normals(bytes uint64, load func(src operand.Mem, four reg.VecVirtual)) {
	dst, src, steps, lanes := f.param("dst"), f.param("src"), f.param("steps"), f.param("lanes")
	sign, first := f.broadcast64("sign"), f.broadcast64("first")
	least, most, varying := f.YMM(), f.YMM(), f.zeros()
	f.VMOVDQA(first, least)
	f.VMOVDQA(first, most)

	f.loop("four")
	four, t := f.YMM(), f.YMM()
	load(at(src, 0), four)
	f.VPADDQ(sign, four, t)
	f.VMOVDQU(t, at(dst, 0))
	f.VPXOR(first, four, t)
	f.VPOR(t, varying, varying)
	f.VPCMPGTQ(four, least, t)
	f.VBLENDVPD(t, four, least, least)
	f.VPCMPGTQ(most, four, t)
	f.VBLENDVPD(t, four, most, most)
	f.ADDQ(operand.U8(bytes), src)
	f.ADDQ(operand.U8(32), dst)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("four"))
	f.VMOVDQU(least, at(lanes, 0))
	f.VMOVDQU(most, at(lanes, 32))
	f.VMOVDQU(varying, at(lanes, 64))
	f.VZEROUPPER()
	f.RET()
}
