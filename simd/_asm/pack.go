package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pack writes the loops that pack the bits of texts. They read eight bytes of every text, from some byte of it on, and nothing else of
// data.
func pack(f *file) {
	f.packTexts()
	f.packPadded()
}

// packTexts: a load, a byte swap and a PEXT a text.
func (f *file) packTexts() {
	f.implement("packTextsBMI2")
	data := f.param("data")
	f.ADDQ(f.param("at"), data)
	p := f.packer()

	f.loop("texts")
	word := f.GP64()
	f.MOVLQSX(element(p.from, p.i, 4), word)
	f.MOVQ(element(data, word, 1), word)
	f.BSWAPQ(word)
	p.append(word)
	p.next("texts")
}

// packPadded is packTexts with a BZHI, which keeps the low bits of a word and with them the first bytes of a text.
func (f *file) packPadded() {
	f.implement("packPaddedBMI2")
	data, at := f.param("data"), f.param("at")
	f.ADDQ(at, data)
	p := f.packer()
	least, most := f.zero(), f.GP64()
	f.MOVQ(operand.U32(8), most)

	f.loop("padded")
	start, left, word := f.GP64(), f.GP64(), f.GP64()
	f.MOVLQSX(element(p.from, p.i, 4), start)
	f.MOVLQSX(element(p.from, p.i, 4).Offset(4), left)
	f.SUBQ(start, left)
	f.SUBQ(at, left)
	f.Comment("bytes of the text from at on, 0 to 8")
	f.CMPQ(left, most)
	f.CMOVQGT(most, left)
	f.TESTQ(left, left)
	f.CMOVQLT(least, left)
	f.SHLQ(operand.U8(3), left)
	f.MOVQ(element(data, start, 1), word)
	f.BZHIQ(left, word, word)
	f.BSWAPQ(word)
	p.append(word)
	p.next("padded")
}

// packer is what the loops that pack have in registers.
type packer struct {
	*file
	out, from, n, base, mask, count reg.GPVirtual // parameters

	differ reg.GPVirtual // bits in which a word is not base
	i      reg.GPVirtual // the text at hand
}

func (f *file) packer() packer {
	return packer{
		file: f, out: f.param("out"), from: f.param("from"), n: f.param("n"),
		base: f.param("base"), mask: f.param("mask"), count: f.param("count"),
		differ: f.zero(), i: f.zero(),
	}
}

// append shifts the bits of a word that are in the mask into the result of the text at hand.
func (p *packer) append(word reg.GPVirtual) {
	t := p.GP64()
	p.MOVQ(word, t)
	p.XORQ(p.base, t)
	p.ORQ(t, p.differ)
	p.PEXTQ(p.mask, word, word)
	p.SHLXQ(p.count, element(p.out, p.i, 8), t)
	p.ORQ(word, t)
	p.MOVQ(t, element(p.out, p.i, 8))
}

// next goes back to a label for the next text, or returns.
func (p *packer) next(label string) {
	p.INCQ(p.i)
	p.CMPQ(p.i, p.n)
	p.JLT(operand.LabelRef(label))
	p.Store(p.differ, p.Return("differ"))
	p.RET()
}
