package main

import "github.com/mmcloughlin/avo/operand"

// addTo writes the loop that adds values to those of their groups, where these are, eight rows at a step. It leaves at the first overflow,
// which is told by the flag and, where none is met, costs a jump that is never taken.
func addTo(f *file) {
	f.implement("addToFlags")
	out, in, of, steps := f.param("out"), f.param("in"), f.param("of"), f.param("steps")
	over := f.GP8()

	f.loop("eight")
	for i := range 8 {
		group, x := f.GP32(), f.GP64()
		f.MOVL(at(of, 4*i), group)
		f.MOVQ(at(in, 8*i), x)
		f.ADDQ(x, element(out, group.As64(), 8))
		f.JOS(operand.LabelRef("overflow"))
	}
	f.ADDQ(operand.U8(64), in)
	f.ADDQ(operand.U8(32), of)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("eight"))
	f.XORB(over, over)
	f.Store(over, f.Return("over"))
	f.RET()

	f.Label("overflow")
	f.MOVB(operand.U8(1), over)
	f.Store(over, f.Return("over"))
	f.RET()
}
