package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What a view holds: package simd says it in its own words.
const (
	inlineText = 12
	viewBytes  = 16
)

// views writes the loop that makes views of texts, four at a step. It reads 16 bytes of each, from the fourth before its beginning on,
// which become bytes 0 to 15 of a view once a mask has taken away what is no text.
func views(f *file) {
	f.implement("viewsVector")
	dst, off, data, steps, masks := f.param("dst"), f.param("off"), f.param("data"), f.param("steps"), f.param("masks")
	block := f.broadcast32(f.param32("block"), f.XMM())
	inline, outside := f.broadcastNumber(inlineText), f.broadcastNumber(inlineText+1)
	zero, longest := f.XMM(), f.XMM()
	f.VPXOR(zero, zero, zero)
	f.VPXOR(longest, longest, longest)
	maskAt := f.AllocLocal(16) // of each text the bytes before its mask, by its length

	f.loop("views")
	f.Comment("Lengths, masks, and for texts that are not inline the block and the offset.")
	from, size, long, of := f.XMM(), f.XMM(), f.XMM(), f.XMM()
	f.VMOVDQU(at(off, 0), from)
	f.VMOVDQU(at(off, 4), size)
	f.VPSUBD(from, size, size)
	f.VPMAXUD(size, longest, longest)
	f.VPMINUD(size, outside, long)
	f.VPSLLD(operand.U8(4), long, of)
	f.VMOVDQU(of, maskAt)
	f.VPCMPGTD(inline, long, long)
	f.VPAND(long, block, of)
	f.VPAND(long, from, from)

	f.Comment("length 0 block offset, four times")
	sizes, rests := [2]reg.VecVirtual{f.XMM(), f.XMM()}, [2]reg.VecVirtual{f.XMM(), f.XMM()}
	f.VPUNPCKLDQ(zero, size, sizes[0])
	f.VPUNPCKHDQ(zero, size, sizes[1])
	f.VPUNPCKLDQ(from, of, rests[0])
	f.VPUNPCKHDQ(from, of, rests[1])
	var views [4]reg.VecVirtual
	for i := range views {
		views[i] = f.XMM()
		unpack := []func(ops ...operand.Op){f.VPUNPCKLQDQ, f.VPUNPCKHQDQ}[i&1]
		unpack(rests[i/2], sizes[i/2], views[i])
	}

	f.Comment("The first bytes of each text, behind four others.")
	for i, view := range views {
		start, mask, text := f.GP64(), f.GP64(), f.XMM()
		f.MOVL(at(off, 4*i), start.As32())
		f.MOVL(maskAt.Offset(4*i), mask.As32())
		f.VMOVDQU(element(data, start, 1).Offset(-4), text)
		f.VPAND(element(masks, mask, 1), text, text)
		f.VPOR(view, text, text)
		f.VMOVDQU(text, at(dst, viewBytes*i))
	}
	f.ADDQ(operand.U8(16), off)
	f.ADDQ(operand.U8(4*viewBytes), dst)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("views"))
	f.storeReducedHalf(longest, "longest", f.VPMAXUD)
	f.RET()
}

// broadcastNumber is four lanes of a number.
func (f *file) broadcastNumber(n uint32) reg.VecVirtual {
	r := f.GP32()
	f.MOVL(operand.U32(n), r)
	return f.broadcast32(r, f.XMM())
}
