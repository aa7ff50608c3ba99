package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blocks writes the loops that take values of blocks of 64 rows, four rows a turn.
func blocks(f *file) {
	f.takeBlocks("takeBlocks4", 4)
	f.takeBlocks("takeBlocks8", 8)
	f.takeBlocks("takeBlocks16", 16)
}

// blocksAhead is how many bytes behind every second value memory is asked for. Runs are read forward: the values there are taken soon, and the
// processor by itself does not go ahead in many runs at a time, nor far enough in few.
const blocksAhead = 512

func (f *file) takeBlocks(name string, width int) {
	f.implement(name)
	dst, blocks, sel, n := f.param("dst"), f.param("blocks"), f.param("sel"), f.param("n")
	f.SHRQ(operand.U8(2), n)

	f.loop("rows")
	for i := range 4 {
		row, block := f.GP64(), f.GP64()
		f.rowOf(sel, i, block, row)
		f.MOVQ(element(blocks, block, 8), block)
		f.takeValue(dst, i, block, row, width, i%2 == 0)
	}
	f.ADDQ(operand.U8(16), sel)
	f.ADDQ(operand.U8(4*width), dst)
	f.DECQ(n)
	f.JNE(operand.LabelRef("rows"))
	f.RET()
}

// rowOf sets block to the number of the block that row i of a selection is in, and row to the place it has there.
func (f *file) rowOf(sel reg.GPVirtual, i int, block, row reg.GPVirtual) {
	f.MOVL(at(sel, 4*i), row.As32())
	f.MOVL(row.As32(), block.As32())
	f.SHRL(operand.U8(6), block.As32())
	f.ANDL(operand.U8(63), row.As32())
}

// takeValue moves value `row` of a block to place i of dst.
func (f *file) takeValue(dst reg.GPVirtual, i int, block, row reg.GPVirtual, width int, ahead bool) {
	scale := width
	if width == 16 {
		f.SHLL(operand.U8(1), row.As32())
		scale = 8
	}
	from, to := element(block, row, uint8(scale)), at(dst, i*width)
	if ahead {
		f.PREFETCHT0(from.Offset(blocksAhead))
	}
	switch width {
	case 4:
		value := f.GP32()
		f.MOVL(from, value)
		f.MOVL(value, to)
	case 8:
		value := f.GP64()
		f.MOVQ(from, value)
		f.MOVQ(value, to)
	case 16:
		value := f.XMM()
		f.MOVOU(from, value)
		f.MOVOU(value, to)
	}
}
