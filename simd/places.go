package simd

import (
	"encoding/binary"
	"unsafe"
)

// Place is where texts lie one behind the other: the one whose staged offset is At begins at Text.
type Place struct {
	Text unsafe.Pointer
	At   uint32
}

// MaxPlaces is how many places there can be.
const MaxPlaces = 256

// Texts are staged texts that lie at several places: row i is Off[i+1]-Off[i] bytes at Places[Owners[i/8]]. Behind each text
// Slack bytes can be read.
type Texts struct {
	Off    []uint32
	Places *[MaxPlaces]Place
	Owners []uint8
}

// Take copies the bytes of the selected rows one after another into dst, which needs Slack bytes behind what is used.
func (t *Texts) Take(dst []byte, sel []uint32) {
	if len(sel) == 0 {
		return
	}
	checkSelection(sel, t.rows())
	if !takePlacesTier(t, dst, sel) {
		t.takePortable(dst, sel)
	}
}

// rows is how many staged rows can be looked up.
func (t *Texts) rows() int { return min(len(t.Off)-1, 8*len(t.Owners)) }

func (t *Texts) takePortable(dst []byte, sel []uint32) {
	pd := unsafe.Pointer(unsafe.SliceData(dst))
	at := 0
	for _, row := range sel {
		src, n := t.find(row)
		to := unsafe.Add(pd, at)
		*(*[16]byte)(to) = *(*[16]byte)(src)
		for z := 16; z < n; z += 16 {
			*(*[16]byte)(unsafe.Add(to, z)) = *(*[16]byte)(unsafe.Add(src, z))
		}
		at += n
	}
}

// find returns where a text is, and its length.
func (t *Texts) find(row uint32) (text unsafe.Pointer, n int) {
	p := &t.Places[load[uint8](unsafe.Pointer(unsafe.SliceData(t.Owners)), uintptr(row>>3))]
	o := (*[2]uint32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(t.Off)), uintptr(row)*4))
	return unsafe.Add(p.Text, uintptr(o[0]-p.At)), int(o[1] - o[0])
}

// Unequal sets unequal[i] to 1 where the texts of the rows of a tie are not the same, else to 0, and returns how many are not.
func (t *Texts) Unequal(unequal []uint8, ties *Ties) int {
	if len(ties.At) == 0 {
		return 0
	}
	_ = unequal[len(ties.At)-1]
	ties.check(t.rows())
	if n, done := unequalTier(t, unequal, ties); done {
		return n
	}
	return t.unequalPortable(unequal, ties)
}

func (t *Texts) unequalPortable(unequal []uint8, ties *Ties) (count int) {
	for i := range ties.At {
		x, y := ties.Rows(i)
		a, n := t.find(x)
		b, m := t.find(y)
		differ := uint64(n ^ m)
		if differ == 0 {
			z := 0
			for ; z+8 < n; z += 8 {
				differ |= word(a, z) ^ word(b, z)
			}
			differ |= (word(a, z) ^ word(b, z)) << uint(8*(z+8-n)) // without the bytes behind the end
		}
		unequal[i] = uint8((differ | -differ) >> 63)
		count += int(unequal[i])
	}
	return count
}

// word reads eight bytes, the first in the lowest.
func word(p unsafe.Pointer, at int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, at))[:])
}
