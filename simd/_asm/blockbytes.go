package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blockBytes writes the loops over values of any width that lie in blocks of 64 rows. Of a value, the first bytes and the last are read, of
// which some may be the same, and nothing behind it.
func blockBytes(f *file) {
	for _, part := range []int{4, 8, 16, 32} {
		f.takeWide(part)
		f.unequalWide(part)
	}
}

// wideRow makes of a row the address of its value.
func (f *file) wideRow(row, blocks, width reg.GPVirtual) {
	block := f.blockOf(row)
	f.IMULQ(width, row)
	f.ADDQ(element(blocks, block, 8), row)
}

func (f *file) takeWide(part int) {
	f.implement(fmt.Sprint("takeWide", part))
	dst, blocks, sel, n := f.param("dst"), f.param("blocks"), f.param("sel"), f.param("n")
	width, last := f.param("width"), f.param("last")

	f.loop("take")
	row := f.GP64()
	f.MOVL(at(sel, 0), row.As32())
	f.wideRow(row, blocks, width)
	f.PREFETCHT0(at(row, blocksAhead))
	f.movePart(part, at(row, 0), at(dst, 0))
	f.movePart(part, element(row, last, 1), element(dst, last, 1))
	f.ADDQ(width, dst)
	f.ADDQ(operand.U8(4), sel)
	f.DECQ(n)
	f.JNE(operand.LabelRef("take"))
	f.endParts(part)
}

// movePart moves 4, 8, 16 or 32 bytes.
func (f *file) movePart(part int, from, to operand.Mem) {
	switch part {
	case 4:
		x := f.GP32()
		f.MOVL(from, x)
		f.MOVL(x, to)
	case 8:
		x := f.GP64()
		f.MOVQ(from, x)
		f.MOVQ(x, to)
	case 16:
		x := f.XMM()
		f.VMOVDQU(from, x)
		f.VMOVDQU(x, to)
	case 32:
		x := f.YMM()
		f.VMOVDQU(from, x)
		f.VMOVDQU(x, to)
	}
}

func (f *file) endParts(part int) {
	if part == 32 {
		f.VZEROUPPER()
	}
	f.RET()
}

// unequalWide compares the values of the rows that two words in a row have.
func (f *file) unequalWide(part int) {
	f.implement(fmt.Sprint("unequalWide", part))
	out, blocks, words, ties := f.param("unequal"), f.param("blocks"), f.param("words"), f.param("at")
	n, width, first, last := f.param("n"), f.param("width"), f.param("first"), f.param("last")
	idxMask := f.memory("idxMask")
	count := f.zero()

	f.loop("tie")
	x, y := f.GP64(), f.GP64()
	f.MOVL(at(ties, 0), y.As32())
	f.MOVQ(element(words, y, 8).Offset(-8), x)
	f.MOVQ(element(words, y, 8), y)
	f.ANDQ(idxMask, x)
	f.ANDQ(idxMask, y)
	f.wideRow(x, blocks, width)
	f.wideRow(y, blocks, width)
	f.ADDQ(operand.U8(4), ties)
	differ := f.GP64()
	f.unlike(part, [2]operand.Mem{element(x, first, 1), element(x, last, 1)}, [2]operand.Mem{element(y, first, 1), element(y, last, 1)})
	f.SETNE(differ.As8())
	f.MOVBLZX(differ.As8(), differ.As32())
	f.MOVB(differ.As8(), at(out, 0))
	f.ADDQ(differ, count)
	f.INCQ(out)
	f.DECQ(n)
	f.JNE(operand.LabelRef("tie"))
	f.Store(count, f.Return("count"))
	f.endParts(part)
}

// unlike clears the zero flag if two parts of x are not the same as two parts of y.
func (f *file) unlike(part int, x, y [2]operand.Mem) {
	switch part {
	case 4:
		a, b := f.GP32(), f.GP32()
		f.MOVL(x[0], a)
		f.XORL(y[0], a)
		f.MOVL(x[1], b)
		f.XORL(y[1], b)
		f.ORL(b, a)
	case 8:
		a, b := f.GP64(), f.GP64()
		f.MOVQ(x[0], a)
		f.XORQ(y[0], a)
		f.MOVQ(x[1], b)
		f.XORQ(y[1], b)
		f.ORQ(b, a)
	case 16:
		a, b := f.XMM(), f.XMM()
		f.unlikeVectors(x, y, a, b)
	case 32:
		a, b := f.YMM(), f.YMM()
		f.unlikeVectors(x, y, a, b)
	}
}

func (f *file) unlikeVectors(x, y [2]operand.Mem, a, b reg.VecVirtual) {
	f.VMOVDQU(x[0], a)
	f.VPXOR(y[0], a, a)
	f.VMOVDQU(x[1], b)
	f.VPXOR(y[1], b, b)
	f.VPOR(b, a, a)
	f.VPTEST(a, a)
}

// memory is a parameter where it lies.
func (f *file) memory(name string) operand.Mem {
	b, err := f.Param(name).Resolve()
	if err != nil && f.err == nil {
		f.err = err
	}
	return b.Addr
}
