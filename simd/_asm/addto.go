package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// addTo writes the loops that bring values of blocks of 64 rows to their groups, where these are, four rows a turn.
func addTo(f *file) {
	f.implement("addToFlags")
	f.bringTo(func(x reg.GPVirtual, to operand.Mem) { // leaves at the first overflow, by a jump that is never taken where none is met
		f.ADDQ(x, to)
		f.JOS(operand.LabelRef("overflow"))
	})
	over := f.GP8()
	f.XORB(over, over)
	f.Store(over, f.Return("over"))
	f.RET()
	f.Label("overflow")
	f.MOVB(operand.U8(1), over)
	f.Store(over, f.Return("over"))
	f.RET()

	f.implement("minToCMOV")
	f.extremeTo(f.CMOVQGT)
	f.implement("maxToCMOV")
	f.extremeTo(f.CMOVQLT)
}

// extremeTo takes a value of the group by a conditional move if the other is not better.
func (f *file) extremeTo(worse func(from, to operand.Op)) {
	f.bringTo(func(x reg.GPVirtual, to operand.Mem) {
		f.CMPQ(x, to)
		worse(to, x)
		f.MOVQ(x, to)
	})
	f.RET()
}

// bringTo has a function bring every value to that of its group.
func (f *file) bringTo(bring func(x reg.GPVirtual, to operand.Mem)) {
	out, of, n := f.param("out"), f.param("of"), f.param("n")
	l := located{file: f, blocks: f.param("blocks"), sel: f.param("rows"), width: 8}
	f.SHRQ(operand.U8(2), n)

	f.loop("rows")
	for i := range 4 {
		from, group, x := l.value(i), f.GP64(), f.GP64()
		f.MOVL(at(of, 4*i), group.As32())
		if i%2 == 0 {
			f.PREFETCHT0(from.Offset(blocksAhead))
		}
		f.MOVQ(from, x)
		bring(x, element(out, group, 8))
	}
	f.ADDQ(operand.U8(16), l.sel)
	f.ADDQ(operand.U8(16), of)
	f.DECQ(n)
	f.JNE(operand.LabelRef("rows"))
}
