package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// places writes the loops over texts that lie at several places. They read 32 bytes at a step, so up to 31 behind the end of a text,
// and of an empty text 32.
func places(f *file) {
	f.takePlaces()
	f.unequal()
}

// texts is where the texts of staged rows are found.
type texts struct {
	*file
	off, places, owners reg.GPVirtual
}

func (f *file) texts() texts {
	return texts{file: f, off: f.param("off"), places: f.param("places"), owners: f.param("owners")}
}

// find returns where the text of a row begins, and its length, whose register is the one that has the row. A place is 16 bytes: the
// address of its first text, and the staged offset of it.
func (t *texts) find(row reg.GPVirtual) (text, size reg.GPVirtual) {
	owner := t.GP64()
	t.MOVL(row.As32(), owner.As32())
	t.SHRL(operand.U8(3), owner.As32())
	t.MOVBLZX(element(t.owners, owner, 1), owner.As32())
	t.SHLL(operand.U8(4), owner.As32())
	text, size = t.GP64(), row
	t.MOVL(element(t.off, row, 4), text.As32())
	t.MOVL(element(t.off, row, 4).Offset(4), size.As32())
	t.SUBL(text.As32(), size.As32())
	t.SUBL(element(t.places, owner, 1).Offset(8), text.As32())
	t.ADDQ(element(t.places, owner, 1), text)
	return text, size
}

// takePlaces copies 32 bytes a text, and what is left of it where it has more. The next text overwrites the surplus, which of the last
// needs 32 bytes of slack.
func (f *file) takePlaces() {
	f.implement("takePlacesAVX2")
	dst, sel, n := f.param("dst"), f.param("sel"), f.param("n")
	t := f.texts()
	i := f.zero()

	f.loop("take")
	row, bytes := f.GP64(), f.YMM()
	f.MOVL(element(sel, i, 4), row.As32())
	text, size := t.find(row)
	f.PREFETCHT0(at(text, blocksAhead))
	f.VMOVDQU(at(text, 0), bytes)
	f.VMOVDQU(bytes, at(dst, 0))
	f.CMPL(size.As32(), operand.U8(32))
	f.JHI(operand.LabelRef("long"))

	f.Label("taken")
	f.ADDQ(size, dst)
	f.INCQ(i)
	f.CMPQ(i, n)
	f.JLT(operand.LabelRef("take"))
	f.VZEROUPPER()
	f.RET()

	f.Label("long")
	done := f.GP64()
	f.MOVL(operand.U32(32), done.As32())

	f.Label("more")
	f.VMOVDQU(element(text, done, 1), bytes)
	f.VMOVDQU(bytes, element(dst, done, 1))
	f.ADDL(operand.U8(32), done.As32())
	f.CMPL(done.As32(), size.As32())
	f.JLO(operand.LabelRef("more"))
	f.JMP(operand.LabelRef("taken"))
}

// unequal compares 32 bytes at a step, and gathers what differs. Of the last step it drops what lies behind the end.
func (f *file) unequal() {
	f.implement("unequalAVX2")
	out, words, ties := f.param("unequal"), f.param("words"), f.param("at")
	n, idxMask := f.param("n"), f.memory("idxMask")
	t := f.texts()
	count := f.zero()

	f.loop("tie")
	a, b := f.GP64(), f.GP64()
	f.MOVL(at(ties, 0), b.As32())
	f.MOVQ(element(words, b, 8).Offset(-8), a)
	f.MOVQ(element(words, b, 8), b)
	f.ANDQ(idxMask, a)
	f.ANDQ(idxMask, b)
	x, size := t.find(a)
	y, other := t.find(b)
	f.ADDQ(operand.U8(4), ties)
	f.CMPL(size.As32(), other.As32())
	f.JNE(operand.LabelRef("unlike"))
	differ := f.GP32()
	f.XORL(differ, differ)

	f.Label("bytes")
	bytes, same := f.YMM(), f.GP32()
	f.VMOVDQU(at(x, 0), bytes)
	f.VPCMPEQB(at(y, 0), bytes, bytes)
	f.VPMOVMSKB(bytes, same)
	f.NOTL(same)
	f.CMPL(size.As32(), operand.U8(32))
	f.JLS(operand.LabelRef("last"))
	f.ORL(same, differ)
	f.ADDQ(operand.U8(32), x)
	f.ADDQ(operand.U8(32), y)
	f.SUBL(operand.U8(32), size.As32())
	f.JMP(operand.LabelRef("bytes"))

	f.Label("last")
	is := f.GP64()
	f.BZHIL(size.As32(), same, same)
	f.XORL(is.As32(), is.As32())
	f.ORL(same, differ)
	f.SETNE(is.As8())

	f.Label("count")
	f.MOVB(is.As8(), at(out, 0))
	f.ADDQ(is, count)
	f.INCQ(out)
	f.DECQ(n)
	f.JNE(operand.LabelRef("tie"))
	f.VZEROUPPER()
	f.Store(count, f.Return("count"))
	f.RET()

	f.Label("unlike")
	f.MOVL(operand.U32(1), is.As32())
	f.JMP(operand.LabelRef("count"))
}
