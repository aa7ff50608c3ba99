package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/invariants"
)

// BlockRows is how many rows lie one behind the other at each place of TakeBlocks.
const BlockRows = 64

// plainStreams is what BlockStreams returns for tiers without machine code.
const plainStreams = 8

// BlockStreams returns of how many runs at most TakeBlocks and Texts.Take read values, each run from front to back, faster where they lie
// than they can be copied side by side and be taken then.
func BlockStreams() int { return blockStreams() }

// Share says how much of a window is taken, by which it is chosen how far ahead memory is asked for.
type Share uint8

const (
	ShareMost Share = iota // of the rows
	ShareSome
	ShareFew // at most one row in three, and those not beside one another
)

// longStretch is from how many rows on that lie beside one another what is behind them is likely to be taken, too.
const longStretch = 8

// ShareOf returns the share of a window of so many rows that a selection takes.
func ShareOf(sel []uint32, rows int) Share {
	switch {
	case 4*len(sel) > 3*rows:
		return ShareMost
	case 3*len(sel) > rows || MeanStretch(sel) >= longStretch:
		return ShareSome
	}
	return ShareFew
}

// TakeBlocks sets dst[i] to the value of row sel[i] for every i: row r is value r%BlockRows of those at blocks[r/BlockRows]. dst must be as
// long as sel, which may be a part of what is taken of the window: share is that of all.
func TakeBlocks[T Fixed](dst []T, blocks []unsafe.Pointer, sel []uint32, share Share) {
	if len(sel) == 0 {
		return
	}
	_ = dst[len(sel)-1]
	checkSelection(sel, len(blocks)*BlockRows)
	checkBlocks(sel, blocks)
	done := takeBlocksTier(unsafe.Pointer(unsafe.SliceData(dst)), blocks, sel, unsafe.Sizeof(dst[0]), share)
	takeBlocksPortable(dst[done:], blocks, sel[done:])
}

func takeBlocksPortable[T Fixed](dst []T, blocks []unsafe.Pointer, sel []uint32) {
	pb, pd := unsafe.Pointer(unsafe.SliceData(blocks)), unsafe.Pointer(unsafe.SliceData(dst))
	size := unsafe.Sizeof(*new(T))
	i := 0
	for ; i+4 <= len(sel); i += 4 {
		s := (*[4]uint32)(unsafe.Pointer(&sel[i]))
		d := (*[4]T)(unsafe.Add(pd, uintptr(i)*size))
		d[0] = *(*T)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(pb, uintptr(s[0]/BlockRows)*8)), uintptr(s[0]%BlockRows)*size))
		d[1] = *(*T)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(pb, uintptr(s[1]/BlockRows)*8)), uintptr(s[1]%BlockRows)*size))
		d[2] = *(*T)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(pb, uintptr(s[2]/BlockRows)*8)), uintptr(s[2]%BlockRows)*size))
		d[3] = *(*T)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(pb, uintptr(s[3]/BlockRows)*8)), uintptr(s[3]%BlockRows)*size))
	}
	for ; i < len(sel); i++ {
		dst[i] = *(*T)(unsafe.Add(blocks[sel[i]/BlockRows], uintptr(sel[i]%BlockRows)*size))
	}
}

func checkBlocks(sel []uint32, blocks []unsafe.Pointer) {
	if invariants.Enabled {
		for i, row := range sel {
			invariants.Check(blocks[row/BlockRows] != nil, "selection %d is row %d, which is nowhere", i, row)
		}
	}
}
