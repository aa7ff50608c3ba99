package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// chain are the indices of the next words of both inputs, or where these words are.
type chain struct{ a, b reg.GPVirtual }

// chains loads the four chains that c points to.
func (f *file) chains(c reg.Register) (chains [4]chain) {
	for i := range chains {
		chains[i] = chain{f.GP64(), f.GP64()}
		f.MOVQ(at(c, 8*i), chains[i].a)
		f.MOVQ(at(c, 8*i+32), chains[i].b)
	}
	return chains
}

// pointTo makes the indices of a chain point to words.
func (f *file) pointTo(c chain, a, b reg.Register) {
	f.LEAQ(element(a, c.a, 8), c.a)
	f.LEAQ(element(b, c.b, 8), c.b)
}

// index makes indices again of where the next words of a chain are.
func (f *file) index(c chain, a, b reg.Register) {
	f.SUBQ(a, c.a)
	f.SUBQ(b, c.b)
	f.SHRQ(operand.U8(3), c.a)
	f.SHRQ(operand.U8(3), c.b)
}

// storeChains stores the indices of chains where c points to.
func (f *file) storeChains(c reg.Register, chains [4]chain) {
	for i, next := range chains {
		f.MOVQ(next.a, at(c, 8*i))
		f.MOVQ(next.b, at(c, 8*i+32))
	}
}

// stretches writes the loops that merge words and copy eight of them at a step, in four chains. How many of the eight come before the next word of the
// other input is counted; the rest is written over by the steps that follow.
func stretches(f *file) {
	f.mergeFew()
	f.mergeStretches()
}

// mergeFew: eight of the many, and the next of the few behind those below it. If all eight are below, it is written once more later.
func (f *file) mergeFew() {
	f.implement("mergeFewAVX2")
	out, a, b, c := f.param("out"), f.param("a"), f.param("b"), f.param("c")
	chains, n := f.chains(c), f.param("n")

	f.loop("few")
	for _, c := range chains {
		to, next := f.GP64(), f.YMM()
		f.LEAQ(element(c.a, c.b, 1), to)
		f.LEAQ(element(out, to, 8), to)
		f.VPBROADCASTQ(element(a, c.a, 8), next)
		count := f.copyBelow(next, to, element(b, c.b, 8))
		f.VMOVQ(next.AsX(), element(to, count, 8))
		f.ADDQ(count, c.b)
		f.CMPQ(count, operand.U8(8))
		f.ADCQ(operand.U8(0), c.a)
	}
	f.DECQ(n)
	f.JNE(operand.LabelRef("few"))

	f.storeChains(f.param("c"), chains)
	f.VZEROUPPER()
	f.RET()
}

// copyBelow copies eight words and counts those that are below another, which stand first.
func (f *file) copyBelow(than reg.VecVirtual, to reg.Register, from operand.Mem) (count reg.GPVirtual) {
	low, high := f.YMM(), f.YMM()
	f.VMOVDQU(from, low)
	f.VMOVDQU(from.Offset(32), high)
	f.VMOVDQU(low, at(to, 0))
	f.VMOVDQU(high, at(to, 32))
	f.VPCMPGTQ(low, than, low)
	f.VPCMPGTQ(high, than, high)
	f.VPACKSSDW(high, low, low) // a lane of 32 bits a word
	signs := f.GP32()
	f.VMOVMSKPS(low, signs)
	f.POPCNTL(signs, signs)
	return signs.As64().(reg.GPVirtual)
}

// mergeStretches: eight words of one input. Where not all are below the next of the other, it is that one's turn.
func (f *file) mergeStretches() {
	f.implement("mergeStretchesAVX2")
	a, b, c := f.param("a"), f.param("b"), f.param("c")
	chains := f.chains(c) // a is the input whose turn it is
	for _, c := range chains {
		f.pointTo(c, a, b)
	}
	out := f.param("out") // less both inputs: the next word goes to where all three together point
	f.SUBQ(a, out)
	f.SUBQ(b, out)
	n := f.param("n")

	f.loop("turn")
	for _, c := range chains {
		to, next := f.GP64(), f.YMM()
		f.LEAQ(element(c.a, c.b, 1), to)
		f.ADDQ(out, to)
		f.VPBROADCASTQ(at(c.b, 0), next)
		count := f.copyBelow(next, to, at(c.a, 0))
		f.LEAQ(element(c.a, count, 8), c.a)
		f.CMPQ(count, operand.U8(8))
		f.MOVQ(c.a, to)
		f.CMOVQCS(c.b, c.a)
		f.CMOVQCS(to, c.b)
	}
	f.DECQ(n)
	f.JNE(operand.LabelRef("turn"))

	a, b = f.param("a"), f.param("b")
	size := f.param("lenA")
	for _, next := range chains {
		f.Comment("which one points into a")
		t := f.GP64()
		f.SUBQ(a, next.a)
		f.SUBQ(a, next.b)
		f.MOVQ(next.a, t)
		f.SHRQ(operand.U8(3), t)
		f.CMPQ(t, size)
		f.MOVQ(next.a, t)
		f.CMOVQCC(next.b, next.a)
		f.CMOVQCC(t, next.b)
		f.ADDQ(a, next.b)
		f.SUBQ(b, next.b)
		f.SHRQ(operand.U8(3), next.a)
		f.SHRQ(operand.U8(3), next.b)
	}
	f.storeChains(f.param("c"), chains)
	f.VZEROUPPER()
	f.RET()
}
