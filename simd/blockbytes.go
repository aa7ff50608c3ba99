package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/invariants"
)

// Blocks are values of one width, MinBlockWidth to MaxBlockWidth bytes: row r is value r%BlockRows of those at Of[r/BlockRows]. Widths need be
// no power of two: of a value, the first and the last 4, 8, 16 or 32 bytes are moved, which may have some in common.
//
//	text of 13 bytes   ........-----
//	                   -----........
type Blocks struct {
	Of    []unsafe.Pointer
	Width int
}

// The widths that values of Blocks may have.
const (
	MinBlockWidth = 4
	MaxBlockWidth = 64
)

// part returns how many bytes are moved at once.
func (b *Blocks) part() int {
	switch {
	case b.Width >= 32:
		return 32
	case b.Width >= 16:
		return 16
	case b.Width >= 8:
		return 8
	}
	return 4
}

// row returns where a value is.
func (b *Blocks) row(row uint32) unsafe.Pointer {
	return unsafe.Add(b.Of[row/BlockRows], uintptr(row%BlockRows)*uintptr(b.Width))
}

// Take writes the values of the selected rows one after another into dst, which has room for no more.
func (b *Blocks) Take(dst []byte, sel []uint32) {
	if len(sel) == 0 {
		return
	}
	_ = dst[len(sel)*b.Width-1]
	checkSelection(sel, len(b.Of)*BlockRows)
	checkBlocks(sel, b.Of)
	if takeWideTier(b, dst, sel) {
		return
	}
	switch b.part() {
	case 4:
		takeParts[uint32](b, dst, sel)
	case 8:
		takeParts[uint64](b, dst, sel)
	case 16:
		takeParts[[16]byte](b, dst, sel)
	case 32:
		takeParts[[32]byte](b, dst, sel)
	}
}

func takeParts[T Fixed](b *Blocks, dst []byte, sel []uint32) {
	to, last := unsafe.Pointer(unsafe.SliceData(dst)), b.Width-int(unsafe.Sizeof(*new(T)))
	for _, row := range sel {
		from := b.row(row)
		*(*T)(to), *(*T)(unsafe.Add(to, last)) = *(*T)(from), *(*T)(unsafe.Add(from, last))
		to = unsafe.Add(to, b.Width)
	}
}

// Unequal sets unequal[i] to 1 where the values of the rows of a tie are not the same, else to 0, and returns how many are not. Of the bytes
// of values, so many first ones are known to be the same.
func (b *Blocks) Unequal(unequal []uint8, ties *Ties, known int) int {
	if len(ties.At) == 0 {
		return 0
	}
	_ = unequal[len(ties.At)-1]
	ties.check(len(b.Of) * BlockRows)
	if invariants.Enabled {
		for i := range ties.At {
			x, y := ties.Rows(i)
			checkBlocks([]uint32{x, y}, b.Of)
		}
	}
	first := min(known, b.Width-b.part())
	if n, done := unequalWideTier(b, unequal, ties, first); done {
		return n
	}
	switch b.part() {
	case 4:
		return unequalParts[uint32](b, unequal, ties, first)
	case 8:
		return unequalParts[uint64](b, unequal, ties, first)
	case 16:
		return unequalParts[[16]byte](b, unequal, ties, first)
	}
	return unequalParts[[32]byte](b, unequal, ties, first)
}

func unequalParts[T Fixed](b *Blocks, unequal []uint8, ties *Ties, first int) (count int) {
	last := b.Width - int(unsafe.Sizeof(*new(T)))
	for i := range ties.At {
		r, s := ties.Rows(i)
		x, y := b.row(r), b.row(s)
		unequal[i] = 0
		if *(*T)(unsafe.Add(x, first)) != *(*T)(unsafe.Add(y, first)) || *(*T)(unsafe.Add(x, last)) != *(*T)(unsafe.Add(y, last)) {
			unequal[i] = 1
			count++
		}
	}
	return count
}
