package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pattern writes the loops that make texts out of bits: what all texts have in common first, and over that, for every word of eight bytes that
// varies, a PDEP and a byte swap. What is written behind a text is overwritten by the next. A word is 32 bytes: base, mask, shift and place.
func pattern(f *file) {
	for _, most := range []int{8, 16, 32, 64} {
		f.putPattern(most)
	}
}

// putPattern is for texts of so many bytes at most. What eight bytes have in common is in the word, which is the only one.
func (f *file) putPattern(most int) {
	f.implement(fmt.Sprintf("putPattern%dBMI2", most))
	dst, keys, n := f.param("dst"), f.param("keys"), f.param("n")
	text, words, used := f.param("text"), f.param("words"), f.param("used")
	size, shift := f.param("size"), f.param("shift")
	var common reg.VecVirtual
	switch most {
	case 16:
		common = f.XMM()
		f.VMOVDQU(at(text, 0), common)
	case 32, 64:
		common = f.YMM()
		f.VMOVDQU(at(text, 0), common)
	}
	tail := f.YMM()
	if most == 64 {
		f.VMOVDQU(at(text, 32), tail)
	}
	f.SHLQ(operand.U8(5), used)

	f.loop("texts")
	key, i := f.GP64(), f.GP64()
	f.SHRXQ(shift, at(keys, 0), key)
	f.XORL(i.As32(), i.As32())
	if most > 8 {
		f.VMOVDQU(common, at(dst, 0))
	}
	if most == 64 {
		f.VMOVDQU(tail, at(dst, 32))
	}

	f.Label("words")
	bits, place := f.GP64(), f.GP64()
	f.MOVQ(element(words, i, 1).Offset(16), bits)
	f.SHRXQ(bits, key, bits)
	f.PDEPQ(element(words, i, 1).Offset(8), bits, bits)
	f.ORQ(element(words, i, 1), bits)
	f.BSWAPQ(bits)
	if most == 8 {
		f.MOVQ(bits, at(dst, 0))
	} else {
		f.MOVQ(element(words, i, 1).Offset(24), place)
		f.MOVQ(bits, element(dst, place, 1))
		f.ADDQ(operand.U8(32), i)
		f.CMPQ(i, used)
		f.JLT(operand.LabelRef("words"))
	}
	f.ADDQ(size, dst)
	f.ADDQ(operand.U8(8), keys)
	f.DECQ(n)
	f.JNE(operand.LabelRef("texts"))
	if most > 8 {
		f.VZEROUPPER()
	}
	f.RET()
}
