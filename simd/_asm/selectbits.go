package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// selectBits writes the loop that selects words by bits, eight at a step: their low halves come together in one vector, and those whose bit
// is set go to its front.
func selectBits(f *file) {
	table := f.pickedWords()
	f.implement("selectBitsAVX2")
	sel, pick, words, steps, most := f.param("sel"), f.param("pick"), f.param("words"), f.param("steps"), f.param("most")
	idxMask, m, done, picked := f.broadcast64("idxMask"), f.zero(), f.zero(), f.GP64()
	f.LEAQ(table, picked)
	f.VPSHUFD(operand.U8(0xa0), idxMask, idxMask) // of halves

	f.loop("element")
	left := f.GP64()
	f.MOVQ(element(pick, done, 8), left)
	for step := range 8 {
		bits, rows, order := f.GP32(), f.YMM(), f.YMM()
		f.MOVBLZX(left.As8(), bits)
		f.SHRQ(operand.U8(8), left)
		f.VMOVDQU(at(words, 64*step), rows)
		f.VSHUFPS(operand.U8(0x88), at(words, 64*step+32), rows, rows) // the low halves
		f.VPAND(idxMask, rows, rows)
		f.VPMOVZXBD(element(picked, bits.As64(), 8), order)
		f.VPERMD(rows, order, rows)
		f.VMOVDQU(rows, element(sel, m, 4))
		f.POPCNTL(bits, bits)
		f.ADDQ(bits.As64(), m)
	}
	f.ADDQ(operand.I32(512), words)
	f.untilFull(done, steps, m, most)
	f.Store(done, f.Return("done"))
	f.Store(m, f.Return("m"))
	f.VZEROUPPER()
	f.RET()
}

// untilFull ends a loop over the elements of a mask: behind the last of them, or once more rows than most have come out.
func (f *file) untilFull(done, steps, rows, most reg.GPVirtual) {
	f.INCQ(done)
	f.CMPQ(rows, most)
	f.JGT(operand.LabelRef("full"))
	f.CMPQ(done, steps)
	f.JLT(operand.LabelRef("element"))
	f.Label("full")
}

// pickedWords are eight bytes for each mask of eight words: where those are, in order, whose bit is set. Of the eight low halves, those of
// words 2 and 3 have changed places with those of words 4 and 5.
func (f *file) pickedWords() operand.Mem {
	return f.bytesByMask("pickedWords", func(mask int) [8]byte { return picked(mask, [8]byte{0, 1, 4, 5, 2, 3, 6, 7}) })
}
