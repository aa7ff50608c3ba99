package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blend writes the loops that choose rows by the bits of a mask. The bits at hand are in every lane; a lane shifts its own to the top, and
// the blend instruction looks at that.
func blend(f *file) {
	toTop := f.toTop32()
	f.implement("blend32Vector")
	f.blend32(toTop)
	toTop = f.toTop64()
	f.implement("blend64Vector")
	f.blend64(toTop)
}

// toTop32 are the shifts that move bits 0 to 7 of eight lanes to the top.
func (f *file) toTop32() operand.Mem {
	shifts := f.StaticGlobal("toTop32")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	for bit := range 8 {
		f.AppendDatum(operand.U32(31 - bit))
	}
	return shifts
}

// toTop64 are the shifts that move bits 0 to 3 of four lanes to the top.
func (f *file) toTop64() operand.Mem {
	shifts := f.StaticGlobal("toTop64")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	for bit := range 4 {
		f.AppendDatum(operand.U64(63 - bit))
	}
	return shifts
}

// blend32 takes half a word of the mask at a step, 32 rows.
func (f *file) blend32(toTop operand.Mem) {
	out, base, values, mask, halves := f.param("out"), f.param("base"), f.param("values"), f.param("mask"), f.param("n")
	f.SHLQ(operand.U8(1), halves)
	shifts := f.YMM()
	f.VMOVDQU(toTop, shifts)

	f.loop("half")
	bits, choice, rows := f.YMM(), f.YMM(), f.YMM()
	f.VPBROADCASTD(at(mask, 0), bits)
	for i := 0; i < 128; i += 32 {
		f.VPSLLVD(shifts, bits, choice)
		f.VMOVDQU(at(base, i), rows)
		f.VBLENDVPS(choice, at(values, i), rows, rows)
		f.VMOVDQU(rows, at(out, i))
		f.VPSRLD(operand.U8(8), bits, bits)
	}
	f.advance(128, out, base, values)
	f.ADDQ(operand.U8(4), mask)
	f.DECQ(halves)
	f.JNE(operand.LabelRef("half"))
	f.VZEROUPPER()
	f.RET()
}

// blend64 takes 16 rows at a step, and four steps a word of the mask.
func (f *file) blend64(toTop operand.Mem) {
	out, base, values, mask, n := f.param("out"), f.param("base"), f.param("values"), f.param("mask"), f.param("n")
	shifts := f.YMM()
	f.VMOVDQU(toTop, shifts)

	f.loop("word")
	bits, steps := f.YMM(), f.GP64()
	f.VPBROADCASTQ(at(mask, 0), bits)
	f.MOVQ(operand.U32(4), steps)

	f.Label("rows")
	choice, rows := f.YMM(), f.YMM()
	for i := 0; i < 128; i += 32 {
		f.VPSLLVQ(shifts, bits, choice)
		f.VMOVDQU(at(base, i), rows)
		f.VBLENDVPD(choice, at(values, i), rows, rows)
		f.VMOVDQU(rows, at(out, i))
		f.VPSRLQ(operand.U8(4), bits, bits)
	}
	f.advance(128, out, base, values)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("rows"))
	f.ADDQ(operand.U8(8), mask)
	f.DECQ(n)
	f.JNE(operand.LabelRef("word"))
	f.VZEROUPPER()
	f.RET()
}

// advance moves pointers on by some bytes.
func (f *file) advance(bytes int32, pointers ...reg.GPVirtual) {
	for _, p := range pointers {
		f.ADDQ(operand.I32(bytes), p)
	}
}
