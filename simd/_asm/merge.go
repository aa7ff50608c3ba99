package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// chain are the indices of the next words of both inputs.
type chain struct{ a, b reg.GPVirtual }

// merge writes the loop that merges words in four chains, whose indices stay in registers. A step of a chain has nothing to wait for but
// its own last one: its words are loaded, and the lesser one is written where both indices together say.
func merge(f *file) {
	f.implement("mergeChains")
	out, a, b, c := f.param("out"), f.param("a"), f.param("b"), f.param("c")
	var chains [4]chain
	for i := range chains {
		chains[i] = chain{f.GP64(), f.GP64()}
		f.MOVQ(at(c, 8*i), chains[i].a)
		f.MOVQ(at(c, 8*i+32), chains[i].b)
	}
	last := f.GP64() // that chain 0 is to write
	f.MOVQ(chains[0].a, last)
	f.ADDQ(chains[0].b, last)
	f.ADDQ(f.param("n"), last)
	f.DECQ(last)

	f.loop("step")
	var to reg.GPVirtual
	for i := 3; i >= 0; i-- {
		c, x, y := chains[i], f.GP64(), f.GP64()
		to = f.GP64()
		f.LEAQ(element(c.a, c.b, 1), to)
		f.MOVQ(element(a, c.a, 8), x)
		f.MOVQ(element(b, c.b, 8), y)
		f.CMPQ(y, x)
		f.CMOVQCS(y, x)
		f.SBBQ(operand.I8(-1), c.a) // the carry says that the word is of b: then a does not move on
		f.MOVQ(x, element(out, to, 8))
		f.LEAQ(at(to, 1), c.b)
		f.SUBQ(c.a, c.b)
	}
	f.CMPQ(to, last)
	f.JLT(operand.LabelRef("step"))

	c = f.param("c")
	for i, next := range chains {
		f.MOVQ(next.a, at(c, 8*i))
		f.MOVQ(next.b, at(c, 8*i+32))
	}
	f.RET()
}
