//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// packFourTier is Four.packPortable where the processor packs bits in one instruction. It returns false where it does not.
func packFourTier(f *Four, out []uint64, data []byte, from []int32, padded bool) (done bool) {
	if !cputier.HasFastPDEP() || f.lanes == 0 {
		return false
	}
	to, text, start, n := &out[0], unsafe.SliceData(data), &from[0], len(out)
	short := padded && f.at == 0 && f.longest <= 32
	switch {
	case f.lanes == 1 && short:
		packFourShort1(to, text, start, n, f.at, f)
	case f.lanes == 2 && short:
		packFourShort2(to, text, start, n, f.at, f)
	case short:
		packFourShort4(to, text, start, n, f.at, f)
	case f.lanes == 1 && padded:
		packFourPadded1(to, text, start, n, f.at, f)
	case f.lanes == 2 && padded:
		packFourPadded2(to, text, start, n, f.at, f)
	case padded:
		packFourPadded4(to, text, start, n, f.at, f)
	case f.lanes == 1:
		packFour1(to, text, start, n, f.at, f)
	case f.lanes == 2:
		packFour2(to, text, start, n, f.at, f)
	default:
		packFour4(to, text, start, n, f.at, f)
	}
	return true
}

// packFour1 is Four.packPortable for n texts, n > 0, that are not padded, where only the first word has bits to be packed.
//
//go:noescape
func packFour1(out *uint64, data *byte, from *int32, n, at int, four *Four)

// packFour2 is packFour1 for two words.
//
//go:noescape
func packFour2(out *uint64, data *byte, from *int32, n, at int, four *Four)

// packFour4 is packFour1 for four words.
//
//go:noescape
func packFour4(out *uint64, data *byte, from *int32, n, at int, four *Four)

// packFourPadded1 is packFour1 for texts that are padded.
//
//go:noescape
func packFourPadded1(out *uint64, data *byte, from *int32, n, at int, four *Four)

// packFourPadded2 is packFourPadded1 for two words.
//
//go:noescape
func packFourPadded2(out *uint64, data *byte, from *int32, n, at int, four *Four)

// packFourPadded4 is packFourPadded1 for four words.
//
//go:noescape
func packFourPadded4(out *uint64, data *byte, from *int32, n, at int, four *Four)

// packFourShort1 is packFourPadded1 for words from the beginning on of texts of up to 32 bytes.
//
//go:noescape
func packFourShort1(out *uint64, data *byte, from *int32, n, at int, four *Four)

// packFourShort2 is packFourShort1 for two words.
//
//go:noescape
func packFourShort2(out *uint64, data *byte, from *int32, n, at int, four *Four)

// packFourShort4 is packFourShort1 for four words.
//
//go:noescape
func packFourShort4(out *uint64, data *byte, from *int32, n, at int, four *Four)
