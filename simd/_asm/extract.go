package main

import "github.com/mmcloughlin/avo/operand"

// extract writes the loop that brings the bits of words together, a PEXT a word.
func extract(f *file) {
	f.implement("extractBMI2")
	out, src, mask, n := f.param("out"), f.param("src"), f.param("mask"), f.param("n")
	i := f.zero()

	f.loop("words")
	word := f.GP64()
	f.MOVQ(element(src, i, 8), word)
	f.PEXTQ(element(mask, i, 8), word, word)
	f.MOVQ(word, element(out, i, 8))
	f.INCQ(i)
	f.CMPQ(i, n)
	f.JLT(operand.LabelRef("words"))
	f.RET()
}
