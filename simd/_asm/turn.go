package main

import "github.com/mmcloughlin/avo/operand"

// turn writes the loop that turns 64 rows of 8 bits round: column by column the top bits of all rows, and then each row is moved on by one
// bit.
func turn(f *file) {
	f.implement("turnVector")
	columns, rows := f.param("columns"), f.param("rows")
	low, high := f.YMM(), f.YMM()
	f.VMOVDQU(at(rows, 0), low)
	f.VMOVDQU(at(rows, 32), high)
	for column := 7; column >= 0; column-- {
		x, y := f.GP64(), f.GP64()
		f.VPMOVMSKB(low, x.As32())
		f.VPMOVMSKB(high, y.As32())
		f.SHLQ(operand.U8(32), y)
		f.ORQ(y, x)
		f.MOVQ(x, at(columns, 8*column))
		if column > 0 {
			f.VPADDB(low, low, low)
			f.VPADDB(high, high, high)
		}
	}
	f.VZEROUPPER()
	f.RET()
}
