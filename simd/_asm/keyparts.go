package main

import "github.com/mmcloughlin/avo/operand"

// keyparts writes the loop that takes numbers out of keys, four at a step. A product of 64 bits is made of three of 32.
func keyparts(f *file) {
	f.implement("putNumbersAVX2")
	dst, keys, steps := f.param("dst"), f.param("keys"), f.param("steps")
	shift, mask, base := f.XMM(), f.broadcast64("mask"), f.broadcast64("base")
	f.VMOVQ(f.param("shift"), shift)
	unit, unitHigh := f.broadcast64("unit"), f.YMM()
	f.VPSRLQ(operand.U8(32), unit, unitHigh)

	f.loop("four")
	four, low, high := f.YMM(), f.YMM(), f.YMM()
	f.VMOVDQU(at(keys, 0), four)
	f.VPSRLQ(shift, four, four)
	f.VPAND(mask, four, four)
	f.VPSRLQ(operand.U8(32), four, high)
	f.VPMULUDQ(unit, high, high)
	f.VPMULUDQ(unit, four, low)
	f.VPMULUDQ(unitHigh, four, four)
	f.VPADDQ(high, four, four)
	f.VPSLLQ(operand.U8(32), four, four)
	f.VPADDQ(low, four, four)
	f.VPADDQ(base, four, four)
	f.VMOVDQU(four, at(dst, 0))
	f.ADDQ(operand.U8(32), keys)
	f.ADDQ(operand.U8(32), dst)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("four"))
	f.VZEROUPPER()
	f.RET()
}
