package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// packFour writes the loops that look at four words of texts at once and pack the bits of the first of them: of one, of two, or of all. They
// read 32 bytes of every text, from some byte of it on.
func packFour(f *file) {
	for _, lanes := range []int{1, 2, 4} {
		f.packFour(lanes)
	}
	keep, limits, swap := f.keptBytes(), f.textLimits(), f.swapWords()
	for _, lanes := range []int{1, 2, 4} {
		f.implement(fmt.Sprint("packFourPadded", lanes))
		f.packPaddedFour(lanes, keep, swap, func(left reg.GPVirtual) {
			f.SUBQ(f.memory("at"), left)
			f.Comment("bytes of the text from at on, 0 to 32")
			f.CMPQ(left, limits.Offset(8))
			f.CMOVQGT(limits.Offset(8), left)
			f.TESTQ(left, left)
			f.CMOVQLT(limits, left)
		})
		f.implement(fmt.Sprint("packFourShort", lanes))
		f.packPaddedFour(lanes, keep, swap, func(reg.GPVirtual) {})
	}
}

// fourPacker is what the loops have in registers. The struct begins with what words are compared with, their masks, the counts of these
// and the bits in which words differ, 32 bytes each.
type fourPacker struct {
	*file
	out, data, from, four reg.GPVirtual // parameters

	n            operand.Mem
	counts       []reg.GPVirtual
	base, differ reg.VecVirtual
	i            reg.GPVirtual // the text at hand
}

func (f *file) fourPacker(lanes int) fourPacker {
	p := fourPacker{file: f, out: f.param("out"), data: f.param("data"), from: f.param("from"), four: f.param("four"), n: f.memory("n")}
	f.ADDQ(f.memory("at"), p.data)
	for i := range lanes {
		count := f.GP64()
		f.MOVQ(at(p.four, 64+8*i), count)
		p.counts = append(p.counts, count)
	}
	p.base, p.differ, p.i = f.YMM(), f.zeros(), f.zero()
	f.VMOVDQU(at(p.four, 0), p.base)
	return p
}

// look compares the four words of a text.
func (p *fourPacker) look(words operand.Op) {
	differ := p.YMM()
	p.VPXOR(words, p.base, differ)
	p.VPOR(differ, p.differ, p.differ)
}

// append shifts the bits of words into the result of the text at hand. load loads one, with its first byte highest.
func (p *fourPacker) append(load func(lane int, word reg.GPVirtual)) {
	result := p.GP64()
	for i, count := range p.counts {
		word := p.GP64()
		load(i, word)
		if i == 0 {
			p.SHLXQ(count, element(p.out, p.i, 8), result)
		} else {
			p.SHLXQ(count, result, result)
		}
		p.PEXTQ(at(p.four, 32+8*i), word, word)
		p.ORQ(word, result)
	}
	p.MOVQ(result, element(p.out, p.i, 8))
}

// next goes back to a label for the next text, or returns.
func (p *fourPacker) next(label string) {
	p.INCQ(p.i)
	p.CMPQ(p.i, p.n)
	p.JLT(operand.LabelRef(label))
	p.VMOVDQU(p.differ, at(p.four, 96))
	p.VZEROUPPER()
	p.RET()
}

func (f *file) packFour(lanes int) {
	f.implement(fmt.Sprint("packFour", lanes))
	p := f.fourPacker(lanes)

	f.loop("texts")
	start := f.GP64()
	f.MOVLQSX(element(p.from, p.i, 4), start)
	p.look(element(p.data, start, 1))
	p.append(func(lane int, word reg.GPVirtual) {
		f.MOVQ(element(p.data, start, 1).Offset(8*lane), word)
		f.BSWAPQ(word)
	})
	p.next("texts")
}

// packPaddedFour keeps the bytes of the text only, and turns words around in a vector. bound makes of the length of a text how many of its bytes
// are kept.
func (f *file) packPaddedFour(lanes int, keep, swap operand.Mem, bound func(left reg.GPVirtual)) {
	p := f.fourPacker(lanes)
	kept, swapped := f.GP64(), f.YMM()
	f.LEAQ(keep, kept)
	f.VMOVDQU(swap, swapped)

	f.loop("padded")
	start, left, words := f.GP64(), f.GP64(), f.YMM()
	f.MOVLQSX(element(p.from, p.i, 4), start)
	f.MOVLQSX(element(p.from, p.i, 4).Offset(4), left)
	f.SUBQ(start, left)
	bound(left)
	f.NEGQ(left)
	f.VMOVDQU(element(kept, left, 1).Offset(32), words)
	f.VPAND(element(p.data, start, 1), words, words)
	p.look(words)
	f.VPSHUFB(swapped, words, words)
	p.append(func(lane int, word reg.GPVirtual) {
		if lane == 2 {
			f.VEXTRACTI128(operand.U8(1), words, words.AsX())
		}
		if lane%2 == 0 {
			f.VMOVQ(words.AsX(), word)
		} else {
			f.VPEXTRQ(operand.U8(1), words.AsX(), word)
		}
	})
	p.next("padded")
}

// keptBytes are 32 bytes of ones and 32 of zeros: n bytes before the middle begin those that keep n bytes.
func (f *file) keptBytes() operand.Mem {
	table := f.StaticGlobal("keptBytes")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 8 {
		f.AppendDatum(operand.U64(uint64(i/4) - 1))
	}
	return table
}

// textLimits are the least and the most bytes of a text that are kept.
func (f *file) textLimits() operand.Mem {
	table := f.StaticGlobal("textLimits")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	f.AppendDatum(operand.U64(0))
	f.AppendDatum(operand.U64(32))
	return table
}

// swapWords turns the bytes of each word around.
func (f *file) swapWords() operand.Mem {
	table := f.StaticGlobal("swapWords")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	for range 2 {
		f.AppendDatum(operand.U64(0x0001020304050607))
		f.AppendDatum(operand.U64(0x08090a0b0c0d0e0f))
	}
	return table
}
