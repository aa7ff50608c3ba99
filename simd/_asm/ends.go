package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ends writes the loops that compare words with their successors. Words have the same key if they are equal once the bits of the staged
// row are set in both.
func ends(f *file) {
	f.implement("groupEndsVector")
	f.groupEnds()
	rows := f.keptRows()
	f.implement("selectEndsAVX2")
	f.selectEnds(f.broadcast64("idxMask"), rows, nil)
	keys := f.keptKeys()
	f.implement("selectEndsKeysAVX2")
	f.selectEndsKeys(rows, keys)
	f.implement("findTiesAVX2")
	f.findTies(rows)
}

// sameKey sets the four low bits of a register for the words some bytes behind a pointer whose successor has the same key. It returns
// the words, too.
func (f *file) sameKey(words reg.GPVirtual, bytes int, idxMask reg.VecVirtual) (same reg.GPVirtual, four reg.VecVirtual) {
	four, next := f.YMM(), f.YMM()
	key := f.YMM()
	f.VMOVDQU(at(words, bytes), four)
	f.VPOR(four, idxMask, key)
	f.VPOR(at(words, bytes+8), idxMask, next)
	f.VPCMPEQQ(key, next, key)
	same = f.GP32()
	f.VMOVMSKPD(key, same)
	return same, four
}

// groupEnds takes eight words at a step, and eight steps an element of ends.
func (f *file) groupEnds() {
	ends, words, steps := f.param("ends"), f.param("words"), f.param("steps")
	idxMask, groups := f.broadcast64("idxMask"), f.zero()

	f.loop("element")
	element, bit := f.GP64(), f.GP64()
	f.XORQ(element, element)
	f.MOVQ(operand.I32(-64), bit)
	f.Label("eight")
	low, _ := f.sameKey(words, 0, idxMask)
	high, _ := f.sameKey(words, 32, idxMask)
	f.SHLL(operand.U8(4), high)
	f.ORL(high, low)
	f.SHLQ(operand.U8(56), low.As64())
	f.SHRQ(operand.U8(8), element)
	f.ORQ(low.As64(), element)
	f.ADDQ(operand.U8(64), words)
	f.ADDQ(operand.U8(8), bit)
	f.JNE(operand.LabelRef("eight"))
	f.NOTQ(element)
	f.MOVQ(element, at(ends, 0))
	f.POPCNTQ(element, element)
	f.ADDQ(element, groups)
	f.ADDQ(operand.U8(8), ends)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("element"))
	f.Store(groups, f.Return("groups"))
	f.VZEROUPPER()
	f.RET()
}

// keptRows are 16 bytes for each mask of four rows: where the bytes of those come from whose bit is not set.
func (f *file) keptRows() operand.Mem {
	table := f.StaticGlobal("keptRows")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	eachKept(func(row int) { f.AppendDatum(operand.U32(0x03020100 + 0x04040404*row)) })
	return table
}

// keptKeys are 32 bytes for each mask of four keys: where the halves of those come from whose bit is not set.
func (f *file) keptKeys() operand.Mem {
	table := f.StaticGlobal("keptKeys")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	eachKept(func(key int) {
		f.AppendDatum(operand.U32(2 * key))
		f.AppendDatum(operand.U32(2*key + 1))
	})
	return table
}

// eachKept calls a function four times for each mask of four: with those whose bit is not set, and then with the first again.
func eachKept(kept func(int)) {
	for mask := range 16 {
		n := 0
		for i := range 4 {
			if mask>>i&1 == 0 {
				kept(i)
				n++
			}
		}
		for ; n < 4; n++ {
			kept(0)
		}
	}
}

// selectEnds writes four staged rows at a step, those kept first, and moves on by as many as are kept. Keys go along where there is
// something that writes them, which is given where the kept ones are in its table.
func (f *file) selectEnds(idxMask reg.VecVirtual, table operand.Mem, keys func(four reg.VecVirtual, kept, m reg.GPVirtual)) {
	sel, words, steps, m := f.param("sel"), f.param("words"), f.param("steps"), f.zero()
	keptRows := f.GP64()
	f.LEAQ(table, keptRows)

	f.loop("four")
	same, four := f.sameKey(words, 0, idxMask)
	dropped, rows := f.GP32(), f.YMM()
	high := f.XMM()
	f.POPCNTL(same, dropped)
	f.SHLL(operand.U8(4), same)
	f.VPAND(idxMask, four, rows)
	f.VEXTRACTI128(operand.U8(1), rows, high)
	f.VSHUFPS(operand.U8(0x88), high, rows.AsX(), rows.AsX()) // the low halves
	f.VPSHUFB(element(keptRows, same.As64(), 1), rows.AsX(), rows.AsX())
	f.VMOVDQU(rows.AsX(), element(sel, m, 4))
	if keys != nil {
		keys(four, same.As64().(reg.GPVirtual), m)
	}
	f.ADDQ(operand.U8(4), m)
	f.SUBQ(dropped.As64(), m)
	f.ADDQ(operand.U8(32), words)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("four"))
	f.Store(m, f.Return("m"))
	f.VZEROUPPER()
	f.RET()
}

// selectEndsKeys is selectEnds with the keys: what is above the staged row.
func (f *file) selectEndsKeys(rowTable, keyTable operand.Mem) {
	keys, idxBits, mask := f.param("keys"), f.param("idxBits"), f.GP64()
	shift, idxMask := f.XMM(), f.YMM()
	f.VMOVQ(idxBits, shift)
	f.MOVQ(operand.I32(-1), mask)
	f.SHLXQ(idxBits, mask, mask)
	f.NOTQ(mask)
	f.VMOVQ(mask, idxMask.AsX())
	f.VPBROADCASTQ(idxMask.AsX(), idxMask)
	keptKeys, halves := f.GP64(), f.YMM()
	f.LEAQ(keyTable, keptKeys)
	f.selectEnds(idxMask, rowTable, func(four reg.VecVirtual, kept, m reg.GPVirtual) {
		f.VPSRLQ(shift, four, four)
		f.VMOVDQU(element(keptKeys, kept, 2), halves)
		f.VPERMD(four, halves, four)
		f.VMOVDQU(four, element(keys, m, 8))
	})
}

// findTies writes the places of four words at a step, those kept first that have the key of the word before, and moves on by as many as are
// kept.
func (f *file) findTies(table operand.Mem) {
	list, words, steps, n := f.param("list"), f.param("words"), f.param("steps"), f.zero()
	idxMask, keptRows := f.broadcast64("idxMask"), f.GP64()
	f.LEAQ(table, keptRows)
	places, four := f.XMM(), f.XMM()
	f.Comment("places 1 to 4")
	f.VPMOVZXBD(f.places(), places)
	f.VPCMPEQD(four, four, four)
	f.VPSRLD(operand.U8(31), four, four)
	f.VPSLLD(operand.U8(2), four, four)

	f.loop("tied")
	same, _ := f.sameKey(words, 0, idxMask)
	kept, tied := f.GP32(), f.XMM()
	f.POPCNTL(same, kept)
	f.XORL(operand.U8(15), same)
	f.SHLL(operand.U8(4), same)
	f.VPSHUFB(element(keptRows, same.As64(), 1), places, tied)
	f.VMOVDQU(tied, element(list, n, 4))
	f.VPADDD(four, places, places)
	f.ADDQ(kept.As64(), n)
	f.ADDQ(operand.U8(32), words)
	f.DECQ(steps)
	f.JNE(operand.LabelRef("tied"))
	f.Store(n, f.Return("n"))
	f.VZEROUPPER()
	f.RET()
}

// places are the bytes 1 to 4.
func (f *file) places() operand.Mem {
	table := f.StaticGlobal("places")
	f.DataAttributes(attr.RODATA | attr.NOPTR)
	f.AppendDatum(operand.U32(0x04030201))
	return table
}

// broadcast64 is a parameter of 64 bits, four times.
func (f *file) broadcast64(name string) reg.VecVirtual {
	y := f.YMM()
	f.VMOVQ(f.param(name), y.AsX())
	f.VPBROADCASTQ(y.AsX(), y)
	return y
}
