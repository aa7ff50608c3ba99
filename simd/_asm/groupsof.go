package main

import (
	"encoding/binary"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// groupsOf writes the loop that numbers the rows of a mask by their groups, eight rows at a step: how many groups have ended before each,
// and of these numbers those whose bit is set go to the front.
func groupsOf(f *file) {
	before, picked := f.endsBefore(), f.pickedRows()
	f.implement("groupsOfAVX2")
	of, mask, ends, steps, most := f.param("of"), f.param("mask"), f.param("ends"), f.param("steps"), f.param("most")
	done, n, group := f.zero(), f.zero(), f.zero()
	numbers, places := f.GP64(), f.GP64()
	f.LEAQ(before, numbers)
	f.LEAQ(picked, places)

	f.loop("element")
	left, ended := f.GP64(), f.GP64()
	f.MOVQ(element(mask, done, 8), left)
	f.MOVQ(element(ends, done, 8), ended)
	for range 8 {
		bits, end := f.GP32(), f.GP32()
		base, groups, order := f.YMM(), f.YMM(), f.YMM()
		f.MOVBLZX(left.As8(), bits)
		f.MOVBLZX(ended.As8(), end)
		f.SHRQ(operand.U8(8), left)
		f.SHRQ(operand.U8(8), ended)
		f.VMOVD(group.As32(), base.AsX())
		f.VPBROADCASTD(base.AsX(), base)
		f.VPMOVZXBD(element(numbers, end.As64(), 8), groups)
		f.VPADDD(base, groups, groups)
		f.VPMOVZXBD(element(places, bits.As64(), 8), order)
		f.VPERMD(groups, order, groups)
		f.VMOVDQU(groups, element(of, n, 4))
		f.POPCNTL(bits, bits)
		f.POPCNTL(end, end)
		f.ADDQ(bits.As64(), n)
		f.ADDQ(end.As64(), group)
	}
	f.untilFull(done, steps, n, most)
	f.Store(done, f.Return("done"))
	f.Store(n, f.Return("n"))
	f.Store(group, f.Return("groups"))
	f.VZEROUPPER()
	f.RET()
}

// endsBefore are eight bytes for each mask of eight rows: how many bits are set below that of each row.
func (f *file) endsBefore() operand.Mem {
	return f.bytesByMask("endsBefore", func(mask int) (before [8]byte) {
		n := byte(0)
		for i := range before {
			before[i] = n
			n += byte(mask >> i & 1)
		}
		return before
	})
}

// pickedRows are eight bytes for each mask of eight rows: the rows whose bit is set.
func (f *file) pickedRows() operand.Mem {
	return f.bytesByMask("pickedRows", func(mask int) [8]byte { return picked(mask, [8]byte{0, 1, 2, 3, 4, 5, 6, 7}) })
}

// picked returns, one after another, the places of the rows whose bit is set.
func picked(mask int, places [8]byte) (rows [8]byte) {
	n := 0
	for i, place := range places {
		if mask>>i&1 != 0 {
			rows[n] = place
			n++
		}
	}
	return rows
}

// bytesByMask makes a table of eight bytes for each mask of eight rows.
func (f *file) bytesByMask(name string, of func(mask int) [8]byte) operand.Mem {
	table := f.StaticGlobal(name)
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	for mask := range 256 {
		row := of(mask)
		f.AppendDatum(operand.U64(binary.LittleEndian.Uint64(row[:])))
	}
	return table
}
