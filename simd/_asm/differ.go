package main

import "github.com/mmcloughlin/avo/operand"

// differ writes the loop that finds the bits in which texts differ, two instructions on 32 bytes of a text.
func differ(f *file) {
	f.implement("differ4Vector")
	data, from, n := f.param("data"), f.param("from"), f.param("n")
	f.ADDQ(f.param("at"), data)
	base, differ := f.YMM(), f.zeros()
	f.VMOVDQU(at(f.param("base"), 0), base)
	out, i := f.param("differ"), f.zero()

	f.loop("texts")
	start, text := f.GP64(), f.YMM()
	f.MOVLQSX(element(from, i, 4), start)
	f.VPXOR(element(data, start, 1), base, text)
	f.VPOR(text, differ, differ)
	f.INCQ(i)
	f.CMPQ(i, n)
	f.JLT(operand.LabelRef("texts"))
	f.VMOVDQU(differ, at(out, 0))
	f.VZEROUPPER()
	f.RET()
}
