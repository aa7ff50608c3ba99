package simd

import "unsafe"

// KeyPart is where in the key bits of words a number lies, and how it comes out of them: bits number, of bits shift to shift plus
// the width of mask, times unit, plus base. Sums and products wrap.
//
//	key bits    date 01011  country 10  number 000110
//	date        key bits >> 8 & 11111, plus the least date of the window
type KeyPart struct {
	Shift      int
	Mask       uint64
	Unit, Base uint64
}

// PutNumbers writes the numbers of a part, one a key, as far as their low bits go into the type. dst is as long as keys.
func PutNumbers[T uint8 | uint16 | uint32 | uint64](dst []T, keys []uint64, p KeyPart) {
	keys = keys[:len(dst)]
	done := 0
	if unsafe.Sizeof(*new(T)) == 8 {
		done = putNumbersTier(unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(dst))), len(dst)), keys, &p)
	}
	putNumbersPortable(dst[done:], keys[done:], &p)
}

func putNumbersPortable[T uint8 | uint16 | uint32 | uint64](dst []T, keys []uint64, p *KeyPart) {
	dst = dst[:len(keys)]
	shift, mask, unit, base := uint(p.Shift)&63, p.Mask, p.Unit, p.Base
	for i, key := range keys {
		dst[i] = T(key>>shift&mask*unit + base)
	}
}

// MaxRanked is how many values there are at most where a part of a key is the rank of a value.
const MaxRanked = 256

// PutRanked writes values by their ranks, which are the numbers of a part.
func PutRanked[T uint8 | uint16 | uint32 | uint64](dst []T, keys []uint64, p KeyPart, values *[MaxRanked]T) {
	keys = keys[:len(dst)]
	shift, mask := uint(p.Shift)&63, p.Mask
	for i, key := range keys {
		dst[i] = values[uint8(key>>shift&mask)]
	}
}

// RankedTexts are short texts by their ranks.
type RankedTexts struct {
	texts [MaxRanked][MaxRankedText]byte
	sizes [MaxRanked]uint32
	most  uint32 // at least as long as all texts that have been set since Clear
}

// MaxRankedText is how long ranked texts can be.
const MaxRankedText = 32

// Clear makes way for other texts.
func (t *RankedTexts) Clear() { t.most = 0 }

// Set sets the text of a rank.
func (t *RankedTexts) Set(rank int, text []byte) {
	t.sizes[rank] = uint32(copy(t.texts[rank][:], text))
	t.most = max(t.most, t.sizes[rank])
}

// RankedOffsets writes where the texts of the ranks begin that are the numbers of a part, and where the last one ends: one offset more than
// there are keys. It returns the last, which is of no use where it is more than an offset can be.
func RankedOffsets[O Offset](offsets []O, keys []uint64, p KeyPart, t *RankedTexts) (size int) {
	offsets = offsets[:len(keys)+1]
	offsets[0] = 0
	shift, mask := uint(p.Shift)&63, p.Mask
	for i, key := range keys {
		size += int(t.sizes[uint8(key>>shift&mask)])
		offsets[i+1] = O(size)
	}
	return size
}

// PutRankedTexts writes the texts of the ranks one after another. dst needs Slack bytes behind them.
func PutRankedTexts(dst []byte, keys []uint64, p KeyPart, t *RankedTexts) {
	if t.most <= 8 {
		putRanked[[8]byte](dst, keys, p, t)
	} else {
		putRanked[[MaxRankedText]byte](dst, keys, p, t)
	}
}

// putRanked moves as many bytes of every text as T has.
func putRanked[T [8]byte | [MaxRankedText]byte](dst []byte, keys []uint64, p KeyPart, t *RankedTexts) {
	to, texts := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(&t.texts)
	shift, mask := uint(p.Shift)&63, p.Mask
	for _, key := range keys {
		rank := uint8(key >> shift & mask)
		*(*T)(to) = *(*T)(unsafe.Add(texts, uintptr(rank)*MaxRankedText))
		to = unsafe.Add(to, t.sizes[rank])
	}
}
