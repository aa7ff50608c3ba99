package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blocks writes the loops that take values of blocks of 64 rows, four rows a turn.
func blocks(f *file) {
	for _, width := range []int{4, 8, 16} {
		f.takeMost(width)
		f.takeSome(width)
		f.takeFew(width)
	}
}

// blocksAhead is how many bytes behind a value memory is asked for. Runs are read forward: the values there are taken soon, and the processor by
// itself does not go ahead in many runs at a time, nor far enough in few.
const blocksAhead = 512

// takeMost asks behind every second value, which lines have several of.
func (f *file) takeMost(width int) {
	f.implement(fmt.Sprintf("takeMost%d", width))
	f.takeRows(width, func(_ located, i int, value operand.Mem) {
		if i%2 == 0 {
			f.PREFETCHT0(value.Offset(blocksAhead))
		}
	})
}

// takeSome asks behind every value.
func (f *file) takeSome(width int) {
	f.implement(fmt.Sprintf("takeSome%d", width))
	f.takeRows(width, func(_ located, _ int, value operand.Mem) { f.PREFETCHT0(value.Offset(blocksAhead)) })
}

// fewAhead is how many rows of a selection further on memory is asked for where few rows are taken, here and there: behind a value of a run
// that has hardly any of them nothing is needed, and the next of its values is far.
const fewAhead = 64

func (f *file) takeFew(width int) {
	f.implement(fmt.Sprintf("takeFew%d", width))
	f.takeRows(width, func(l located, i int, _ operand.Mem) { f.PREFETCHT0(l.value(fewAhead + i)) })
}

// located is where the values of a selection are found.
type located struct {
	*file
	blocks, sel reg.GPVirtual
	width       int
}

// value returns where the value of row i of the selection is.
func (l located) value(i int) operand.Mem {
	row := l.GP64()
	l.MOVL(at(l.sel, 4*i), row.As32())
	block := l.blockOf(row)
	l.MOVQ(element(l.blocks, block, 8), block)
	if l.width == 16 {
		l.SHLL(operand.U8(1), row.As32())
		return element(block, row, 8)
	}
	return element(block, row, uint8(l.width))
}

// blockOf returns the number of the block of a row, of which it leaves the place in that.
func (f *file) blockOf(row reg.GPVirtual) (block reg.GPVirtual) {
	block = f.GP64()
	f.MOVL(row.As32(), block.As32())
	f.SHRL(operand.U8(6), block.As32())
	f.ANDL(operand.U8(63), row.As32())
	return block
}

// takeRows writes the loop itself. ask asks for memory, given row i of a turn and where its value is.
func (f *file) takeRows(width int, ask func(l located, i int, value operand.Mem)) {
	dst, n := f.param("dst"), f.param("n")
	l := located{file: f, blocks: f.param("blocks"), sel: f.param("sel"), width: width}
	f.SHRQ(operand.U8(2), n)

	f.loop("rows")
	for i := range 4 {
		from, to := l.value(i), at(dst, i*width)
		ask(l, i, from)
		f.movePart(width, from, to)
	}
	f.ADDQ(operand.U8(16), l.sel)
	f.ADDQ(operand.U8(4*width), dst)
	f.DECQ(n)
	f.JNE(operand.LabelRef("rows"))
	f.RET()
}
