package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Loops over 64-bit integers go in blocks of 16 rows: in compare.go and add.go, and in the Go code that calls them.
const (
	blockRows = 16
	blockStep = 8 * blockRows // bytes
)

// compare writes the loops that compare rows, which make 16 bits of a block.
func compare(f *file) {
	f.implement("lessVector")
	f.compareBlocks(f.param("stepA"), f.VPCMPGTQ)
	f.implement("equalVector")
	f.compareBlocks(operand.I32(blockStep), f.VPCMPEQQ)
}

// compareBlocks takes the sign bits of what an instruction makes of four rows of b and of a, four times a block.
func (f *file) compareBlocks(stepA operand.Op, instruction func(ops ...operand.Op)) {
	bits, a, b, blocks, stepB := f.param("bits"), f.param("a"), f.param("b"), f.param("words"), f.param("stepB")
	f.SHLQ(operand.U8(2), blocks)

	f.loop("block")
	var four [4]reg.VecVirtual
	for i := range four {
		four[i] = f.YMM()
		f.VMOVDQU(at(b, 32*i), four[i])
		instruction(at(a, 32*i), four[i], four[i])
	}
	var signs [4]reg.GPVirtual
	for i := range signs {
		signs[i] = f.GP32()
		f.VMOVMSKPD(four[i], signs[i])
	}
	for i := 1; i < len(signs); i++ {
		f.SHLL(operand.U8(4*i), signs[i])
	}
	f.ORL(signs[1], signs[0])
	f.ORL(signs[3], signs[2])
	f.ORL(signs[2], signs[0])
	f.MOVW(signs[0].As16(), at(bits, 0))
	f.ADDQ(operand.U8(2), bits)
	f.ADDQ(stepA, a)
	f.ADDQ(stepB, b)
	f.DECQ(blocks)
	f.JNE(operand.LabelRef("block"))
	f.VZEROUPPER()
	f.RET()
}
