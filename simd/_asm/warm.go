package main

import "github.com/mmcloughlin/avo/operand"

// warm writes the loop that asks for lines of memory, which are brought into the second cache.
func warm(f *file) {
	f.implement("warmLines")
	p, n := f.param("p"), f.param("n")

	f.loop("line")
	f.PREFETCHT1(at(p, 0))
	f.ADDQ(operand.U8(64), p)
	f.DECQ(n)
	f.JNE(operand.LabelRef("line"))
	f.RET()
}
