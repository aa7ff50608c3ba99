package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// add writes the loops that add and subtract. What overflows is found by the signs of both sides and the result, whose top bits are
// gathered and looked at once.
func add(f *file) {
	f.implement("addVector")
	f.addBlocks(f.VPADDQ, func(a, b, sum, t reg.VecVirtual) {
		// The sum has another sign than both sides.
		f.VPXOR(sum, a, a)
		f.VPXOR(sum, b, t)
	})
	f.implement("subtractVector")
	f.addBlocks(f.VPSUBQ, func(a, b, difference, t reg.VecVirtual) {
		// The sides have different signs, and the left another than the difference.
		f.VPXOR(b, a, t)
		f.VPXOR(difference, a, a)
	})
}

// addBlocks adds with an instruction, four rows at a time. overflow leaves two vectors, in a and t, whose top bits are both set where a
// result has overflown.
func (f *file) addBlocks(instruction func(ops ...operand.Op), overflow func(a, b, result, t reg.VecVirtual)) {
	out, a, b, n, stepB := f.param("out"), f.param("a"), f.param("b"), f.param("n"), f.param("stepB")
	over := f.zeros()

	f.loop("block")
	x, y, result, t := f.YMM(), f.YMM(), f.YMM(), f.YMM()
	for i := 0; i < blockStep; i += 32 {
		f.VMOVDQU(at(a, i), x)
		f.VMOVDQU(at(b, i), y)
		instruction(y, x, result)
		f.VMOVDQU(result, at(out, i))
		overflow(x, y, result, t)
		f.VPAND(t, x, x)
		f.VPOR(x, over, over)
	}
	f.ADDQ(operand.I32(blockStep), out)
	f.ADDQ(operand.I32(blockStep), a)
	f.ADDQ(stepB, b)
	f.DECQ(n)
	f.JNE(operand.LabelRef("block"))
	signs, any := f.GP32(), f.GP8()
	f.VMOVMSKPD(over, signs)
	f.TESTL(signs, signs)
	f.SETNE(any)
	f.Store(any, f.Return("overflows"))
	f.VZEROUPPER()
	f.RET()
}
