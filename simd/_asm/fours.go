package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fours writes the loops that merge four words a step in four chains: what is held by a chain, and the next four words of the input whose
// next word is the lesser, become the four least, which are written, and the four greatest, which are held.
func fours(f *file) {
	f.mergeFours("mergeFoursAVX2", f.lesserAVX2)
	f.mergeFours("mergeFoursAVX512", f.lesserAVX512)
}

func (f *file) mergeFours(name string, lesser lesser) {
	f.implement(name)
	out, a, b := f.param("out"), f.param("a"), f.param("b")
	chains, n := f.chains(f.param("c")), f.memory("n") // stays there: no register is left
	first, apart := f.GP64(), f.GP64()                 // the bytes from the output of one chain to that of the next
	f.LEAQ(element(chains[0].a, chains[0].b, 1), first)
	f.LEAQ(element(chains[1].a, chains[1].b, 1), apart)
	f.SUBQ(first, apart)
	f.SHLQ(operand.U8(3), apart)
	f.LEAQ(element(out, first, 8).Offset(-32), out) // words held are not written yet
	for _, c := range chains {
		f.pointTo(c, a, b)
	}
	var held [4]reg.VecVirtual
	h := f.param("held")
	for i := range held {
		held[i] = f.YMM()
		f.VMOVDQU(at(h, 32*i), held[i])
	}

	f.loop("step")
	for i, c := range chains {
		four := f.YMM()
		from := f.step(c)
		f.VPERMILPD(operand.U8(0b0101), at(from, 0), four)
		to := element(out, apart, 2)
		switch i {
		case 0:
			to = at(out, 0)
		case 1:
			to = element(out, apart, 1)
		case 3:
			f.LEAQ(element(out, apart, 1), from)
			to.Base = from
		}
		f.halves(held[i], four, to, lesser)
	}
	f.ADDQ(operand.U8(32), out)
	f.DECQ(n)
	f.JNE(operand.LabelRef("step"))

	a, b, h = f.param("a"), f.param("b"), f.param("held")
	for i, c := range chains {
		f.index(c, a, b)
		f.VMOVDQU(held[i], at(h, 32*i))
	}
	f.storeChains(f.param("c"), chains)
	f.VZEROUPPER()
	f.RET()
}

// step moves behind the next four words of the input whose next word is the lesser, and returns where these four are.
func (f *file) step(c chain) (from reg.GPVirtual) {
	from = f.GP64()
	y := f.GP64()
	f.MOVQ(c.a, from)
	f.MOVQ(at(c.b, 0), y)
	f.CMPQ(y, at(c.a, 0))
	f.CMOVQCS(c.b, from)
	f.SBBQ(y, y)
	f.SHLQ(operand.U8(5), y) // -32 if they are of b, else 0
	f.SUBQ(y, c.b)
	f.LEAQ(element(c.a, y, 1).Offset(32), c.a)
	return from
}

// lesser puts the lesser one of the words at each place of two vectors into one vector, the greater one into another.
type lesser func(x, y reg.VecVirtual) (least, greatest reg.VecVirtual)

func (f *file) lesserAVX2(x, y reg.VecVirtual) (least, greatest reg.VecVirtual) {
	above := f.YMM()
	least, greatest = f.YMM(), f.YMM()
	f.VPCMPGTQ(y, x, above)
	f.VBLENDVPD(above, y, x, least)
	f.VBLENDVPD(above, x, y, greatest)
	return least, greatest
}

func (f *file) lesserAVX512(x, y reg.VecVirtual) (least, greatest reg.VecVirtual) {
	least, greatest = f.YMM(), f.YMM()
	f.VPMINUQ(y, x, least)
	f.VPMAXUQ(y, x, greatest)
	return least, greatest
}

// halves writes the least four of eight words in order and holds the others: a network of three rounds, which compares words four, two and
// one places apart. The words held are in order but for their halves, which are exchanged, and the others come with the words of each half
// exchanged, so that each word meets its opposite:
//
//	held   h2 h3 | h0 h1
//	four   f1 f0 | f3 f2
func (f *file) halves(held, four reg.VecVirtual, to operand.Mem, lesser lesser) {
	low, high := lesser(held, four) // two places apart are low 2 3 | 0 1, high 2 3 | 0 1
	x, y := f.YMM(), f.YMM()
	f.VPBLENDD(operand.U8(0xf0), high, low, x)   // low 2 3 | high 0 1
	f.VPERM2I128(operand.U8(0x21), high, low, y) // low 0 1 | high 2 3
	x, y = lesser(x, y)                          // low 0 1 | high 0 1, low 2 3 | high 2 3
	x, y = lesser(f.zip(x, y))                   // low 0 2 | high 0 2, low 1 3 | high 1 3
	x, y = f.zip(x, y)                           // low 0 1 | high 0 1, low 2 3 | high 2 3
	f.VMOVDQU(x.AsX(), to)
	f.VMOVDQU(y.AsX(), to.Offset(16))
	f.VPERM2I128(operand.U8(0x31), x, y, held)
}

// zip returns the first words of the halves of x and y, and the second ones.
func (f *file) zip(x, y reg.VecVirtual) (first, second reg.VecVirtual) {
	first, second = f.YMM(), f.YMM()
	f.VPUNPCKLQDQ(y, x, first)
	f.VPUNPCKHQDQ(y, x, second)
	return first, second
}
