package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// combine writes the loops that make words of the bits of integers, and look whether they ascend.
func combine(f *file) {
	f.combineKeys()
	f.ascend()
}

// combineKeys makes eight words at a step. What it is to take of an integer is 48 bytes: where the integers are, the length and capacity
// of that slice, and then the least, the shift and the width.
func (f *file) combineKeys() {
	rows := f.StaticGlobal("firstRows")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 8 {
		f.AppendDatum(operand.U64(i))
	}
	f.implement("combineAVX2")
	out, bits, n := f.param("out"), f.param("bits"), f.param("n")
	start, steps, idxBits := f.param("start"), f.param("steps"), f.XMM()
	f.VMOVQ(f.param("idxBits"), idxBits)
	low, high, eight := f.YMM(), f.YMM(), f.YMM()
	f.VMOVQ(start, eight.AsX())
	f.VPBROADCASTQ(eight.AsX(), eight)
	f.VPADDQ(rows, eight, low)
	f.VPADDQ(rows.Offset(32), eight, high)
	step := f.GP64()
	f.MOVQ(operand.U32(8), step)
	f.VMOVQ(step, eight.AsX())
	f.VPBROADCASTQ(eight.AsX(), eight)

	f.loop("eight")
	a, b, i, left := f.zeros(), f.zeros(), f.GP64(), f.GP64()
	f.MOVQ(bits, i)
	f.MOVQ(n, left)
	f.Label("integer")
	integers, x, y, same := f.GP64(), f.YMM(), f.YMM(), f.YMM()
	f.MOVQ(at(i, 0), integers)
	f.VPBROADCASTQ(at(i, 40), same)
	f.VPSLLVQ(same, a, a)
	f.VPSLLVQ(same, b, b)
	f.VMOVDQU(element(integers, start, 8), x)
	f.VMOVDQU(element(integers, start, 8).Offset(32), y)
	f.VPBROADCASTQ(at(i, 24), same)
	f.VPSUBQ(same, x, x)
	f.VPSUBQ(same, y, y)
	f.VPBROADCASTQ(at(i, 32), same)
	f.VPSRLVQ(same, x, x)
	f.VPSRLVQ(same, y, y)
	f.VPOR(x, a, a)
	f.VPOR(y, b, b)
	f.ADDQ(operand.U8(48), i)
	f.DECQ(left)
	f.JNE(operand.LabelRef("integer"))
	f.VPSLLQ(idxBits, a, a)
	f.VPSLLQ(idxBits, b, b)
	f.VPOR(low, a, a)
	f.VPOR(high, b, b)
	f.VMOVDQU(a, at(out, 0))
	f.VMOVDQU(b, at(out, 32))
	f.VPADDQ(eight, low, low)
	f.VPADDQ(eight, high, high)
	f.ADDQ(operand.U8(8), start)
	f.ADDQ(operand.U8(64), out)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("eight"))
	f.VZEROUPPER()
	f.RET()
}

// ascend looks at eight words and the next at a step, up to one that does not ascend.
func (f *file) ascend() {
	f.implement("ascendAVX2")
	words, steps, idxMask, done := f.param("words"), f.param("steps"), f.broadcast64("idxMask"), f.zero()

	f.loop("eight")
	low, high, next, below := f.YMM(), f.YMM(), f.YMM(), f.GP32()
	f.VPOR(at(words, 0), idxMask, low)
	f.VMOVDQU(at(words, 8), next)
	f.VPCMPGTQ(low, next, low)
	f.VPOR(at(words, 32), idxMask, high)
	f.VMOVDQU(at(words, 40), next)
	f.VPCMPGTQ(high, next, high)
	f.VPAND(low, high, low)
	f.VMOVMSKPD(low, below)
	f.CMPL(below, operand.U8(15))
	f.JNE(operand.LabelRef("done"))
	f.INCQ(done)
	f.ADDQ(operand.U8(64), words)
	f.CMPQ(done, steps)
	f.JLT(operand.LabelRef("eight"))

	f.Label("done")
	f.Store(done, f.Return("done"))
	f.VZEROUPPER()
	f.RET()
}
