package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// keyWords writes the loops that make words of keys, four at a step.
func keyWords(f *file) {
	f.implement("putWords64")
	f.putWords(8, func(src operand.Mem, four reg.VecVirtual) { f.VMOVDQU(src, four) })
	f.implement("putWords32")
	f.putWords(4, func(src operand.Mem, four reg.VecVirtual) { f.VPMOVSXDQ(src, four) })
}

// putWords compares each key, less the least and with its highest bit turned over, with the one before it, which it loads once more.
func (f *file) putWords(bytes int, load func(src operand.Mem, four reg.VecVirtual)) {
	words, keys, steps := f.param("words"), f.param("keys"), f.param("steps")
	least, row := f.broadcast64("least"), f.broadcast64("start")
	drop, idxBits := f.XMM(), f.XMM()
	f.VMOVQ(f.param("drop"), drop)
	f.VMOVQ(f.param("idxBits"), idxBits)
	ones, top, four, t := f.YMM(), f.YMM(), f.YMM(), f.GP64()
	f.VPCMPEQQ(ones, ones, ones)
	f.VPSLLQ(operand.U8(63), ones, top)
	f.MOVQ(operand.U32(0x03020100), t)
	f.VMOVQ(t, four.AsX())
	f.VPMOVZXBQ(four.AsX(), four)
	f.VPADDQ(four, row, row) // the rows of the four
	f.VPSRLQ(operand.U8(63), ones, four)
	f.VPSLLQ(operand.U8(2), four, four)
	fell := f.zeros()

	f.loop("four")
	key, before, word := f.YMM(), f.YMM(), f.YMM()
	load(at(keys, 0), key)
	load(at(keys, -bytes), before)
	f.VPSUBQ(least, key, key)
	f.VPSUBQ(least, before, before)
	f.VPSRLQ(drop, key, word)
	f.VPSLLQ(idxBits, word, word)
	f.VPADDQ(row, word, word)
	f.VMOVDQU(word, at(words, 0))
	f.VPADDQ(four, row, row)
	f.VPXOR(top, key, key)
	f.VPXOR(top, before, before)
	f.VPCMPGTQ(key, before, before)
	f.VPOR(before, fell, fell)
	f.ADDQ(operand.U8(uint64(4*bytes)), keys)
	f.ADDQ(operand.U8(32), words)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("four"))
	falls := f.GP8()
	f.VPTEST(fell, fell)
	f.SETNE(falls)
	f.Store(falls, f.Return("falls"))
	f.VZEROUPPER()
	f.RET()
}
