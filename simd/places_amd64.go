//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// takePlacesTier is Texts.Take where the processor moves 32 bytes at once. It returns false where it does not.
func takePlacesTier(t *Texts, dst []byte, sel []uint32) (done bool) {
	if !cputier.HasAVX2() {
		return false
	}
	takePlacesAVX2(unsafe.SliceData(dst), unsafe.SliceData(t.Off), t.Places, unsafe.SliceData(t.Owners), &sel[0], len(sel))
	return true
}

// unequalTier is Texts.Unequal where the processor compares 32 bytes at once. It returns false where it does not.
func unequalTier(t *Texts, unequal []uint8, ties *Ties) (count int, done bool) {
	if !cputier.HasAVX2() {
		return 0, false
	}
	return unequalAVX2(&unequal[0], unsafe.SliceData(t.Off), t.Places, unsafe.SliceData(t.Owners), &ties.Words[0], &ties.At[0], len(ties.At), ties.IdxMask), true
}

// takePlacesAVX2 is Texts.takePortable for n rows, n > 0.
//
//go:noescape
func takePlacesAVX2(dst *byte, off *uint32, places *[MaxPlaces]Place, owners *uint8, sel *uint32, n int)

// unequalAVX2 is Texts.unequalPortable for n ties, n > 0.
//
//go:noescape
func unequalAVX2(unequal *uint8, off *uint32, places *[MaxPlaces]Place, owners *uint8, words *uint64, at *uint32, n int, idxMask uint64) (count int)
