package main

import "github.com/mmcloughlin/avo/operand"

// pattern writes the loop that makes texts out of bits: what all texts have in common first, 32 bytes of it or 64, and over that, for every
// word of eight bytes that varies, a PDEP and a byte swap. What is written behind a text is overwritten by the next. A word is 32 bytes: base,
// mask, shift and place.
func pattern(f *file) {
	f.implement("putPatternBMI2")
	dst, keys, n := f.param("dst"), f.param("keys"), f.param("n")
	text, words, used := f.param("text"), f.param("words"), f.param("used")
	size, shift := f.param("size"), f.param("shift")
	head, tail := f.YMM(), f.YMM()
	f.VMOVDQU(at(text, 0), head)
	f.VMOVDQU(at(text, 32), tail)
	f.SHLQ(operand.U8(5), used)

	f.loop("texts")
	key, i := f.GP64(), f.GP64()
	f.SHRXQ(shift, at(keys, 0), key)
	f.VMOVDQU(head, at(dst, 0))
	f.XORL(i.As32(), i.As32())
	f.CMPQ(size, operand.U8(32))
	f.JLE(operand.LabelRef("words"))
	f.VMOVDQU(tail, at(dst, 32))

	f.Label("words")
	bits, place := f.GP64(), f.GP64()
	f.MOVQ(element(words, i, 1).Offset(16), bits)
	f.SHRXQ(bits, key, bits)
	f.PDEPQ(element(words, i, 1).Offset(8), bits, bits)
	f.ORQ(element(words, i, 1), bits)
	f.BSWAPQ(bits)
	f.MOVQ(element(words, i, 1).Offset(24), place)
	f.MOVQ(bits, element(dst, place, 1))
	f.ADDQ(operand.U8(32), i)
	f.CMPQ(i, used)
	f.JLT(operand.LabelRef("words"))
	f.ADDQ(size, dst)
	f.ADDQ(operand.U8(8), keys)
	f.DECQ(n)
	f.JNE(operand.LabelRef("texts"))
	f.VZEROUPPER()
	f.RET()
}
