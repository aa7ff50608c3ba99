package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// groups writes the loops that bring the values of groups together. A row puts what its group has so far where the next result goes; the
// bit of an end, shifted into the carry, moves that on and starts the group anew.
func groups(f *file) {
	f.implement("sumGroupsBMI")
	f.sumGroups()
	f.implement("minGroupsCMOV")
	f.extremeGroups(f.CMOVQLT)
	f.implement("maxGroupsCMOV")
	f.extremeGroups(f.CMOVQGT)
}

// fold is what the loops over groups have in registers.
type fold struct {
	out, in, ends, steps reg.GPVirtual
	acc, group           reg.GPVirtual
	bits                 reg.GPVirtual // the ends of the rows at hand that are left
}

func (f *file) fold() *fold {
	return &fold{out: f.param("out"), in: f.param("in"), ends: f.param("ends"), steps: f.param("steps"),
		acc: f.GP64(), group: f.zero(), bits: f.GP64()}
}

// each takes 64 rows at a step: eight at a time, or, where every one is an end, the first by itself and all others as they are. row brings
// the value some bytes behind in into acc and puts it out, end uses up the carry, and alone starts anew.
func (f *file) each(l *fold, row func(bytes int), end, alone func()) {
	f.loop("element")
	eights := f.GP64()
	f.MOVQ(at(l.ends, 0), l.bits)
	f.CMPQ(l.bits, operand.I8(-1))
	f.JE(operand.LabelRef("alone"))
	f.MOVQ(operand.U32(8), eights)
	f.Label("eight")
	for i := range 8 {
		row(8 * i)
		f.SHRQ(operand.U8(1), l.bits)
		end()
	}
	f.ADDQ(operand.U8(64), l.in)
	f.DECQ(eights)
	f.JNE(operand.LabelRef("eight"))

	f.Label("next")
	f.ADDQ(operand.U8(8), l.ends)
	f.DECQ(l.steps)
	f.JNE(operand.LabelRef("element"))
	f.Store(l.acc, f.Return("acc"))
	f.Store(l.group, f.Return("groups"))
	f.VZEROUPPER()
	f.RET()

	f.Label("alone")
	row(0)
	alone()
	for i := 1; i < 64; i += 4 {
		from, four := min(i, 60), f.YMM() // the last four overlap
		f.VMOVDQU(at(l.in, 8*from), four)
		f.VMOVDQU(four, operand.Mem{Base: l.out, Index: l.group, Scale: 8, Disp: 8 * from})
	}
	f.ADDQ(operand.I32(64), l.group)
	f.ADDQ(operand.I32(512), l.in)
	f.JMP(operand.LabelRef("next"))
}

// sumGroups leaves at the first overflow, which is told by the flag and, where none is met, costs a jump that is never taken.
func (f *file) sumGroups() {
	l, ended := f.fold(), f.GP64()
	f.XORQ(l.acc, l.acc)
	over := f.GP8()
	f.XORB(over, over)
	f.Store(over, f.Return("over"))
	f.each(l, func(bytes int) {
		f.ADDQ(at(l.in, bytes), l.acc)
		f.JOS(operand.LabelRef("overflow"))
		f.MOVQ(l.acc, element(l.out, l.group, 8))
	}, func() {
		f.SBBQ(ended, ended)
		f.SUBQ(ended, l.group)
		f.ANDNQ(l.acc, ended, l.acc)
	}, func() { f.XORQ(l.acc, l.acc) })
	f.Label("overflow")
	f.MOVB(operand.U8(1), over)
	f.Store(over, f.Return("over"))
	f.VZEROUPPER()
	f.RET()
}

// extremeGroups takes a value that is better by a conditional move.
func (f *file) extremeGroups(better func(from, to operand.Op)) {
	l, start, x := f.fold(), f.param("start"), f.GP64()
	f.MOVQ(start, l.acc)
	f.each(l, func(bytes int) {
		f.MOVQ(at(l.in, bytes), x)
		f.CMPQ(x, l.acc)
		better(x, l.acc)
		f.MOVQ(l.acc, element(l.out, l.group, 8))
	}, func() {
		f.CMOVQCS(start, l.acc)
		f.ADCQ(operand.I8(0), l.group)
	}, func() { f.MOVQ(start, l.acc) })
}
