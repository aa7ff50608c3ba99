//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// putPatternTier is Pattern.Put where the processor unpacks bits in one instruction. It returns false where it does not.
func putPatternTier(p *Pattern, dst []byte, keys []uint64, shift int) (done bool) {
	if p.used == 0 || !cputier.HasFastPDEP() {
		return false
	}
	to, text, words := unsafe.SliceData(dst), &p.text[0], &p.words[0]
	switch {
	case p.Size <= 8:
		putPattern8BMI2(to, &keys[0], len(keys), text, words, p.used, p.Size, shift)
	case p.Size <= 16:
		putPattern16BMI2(to, &keys[0], len(keys), text, words, p.used, p.Size, shift)
	case p.Size <= 32:
		putPattern32BMI2(to, &keys[0], len(keys), text, words, p.used, p.Size, shift)
	default:
		putPattern64BMI2(to, &keys[0], len(keys), text, words, p.used, p.Size, shift)
	}
	return true
}

// putPattern8BMI2 is Pattern.putPortable for n keys, n > 0, and used words, used > 0, and for texts of up to eight bytes. So many are written
// for every key.
//
//go:noescape
func putPattern8BMI2(dst *byte, keys *uint64, n int, text *byte, words *patternWord, used, size, shift int)

// putPattern16BMI2 is putPattern8BMI2 for up to 16 bytes.
//
//go:noescape
func putPattern16BMI2(dst *byte, keys *uint64, n int, text *byte, words *patternWord, used, size, shift int)

// putPattern32BMI2 is putPattern8BMI2 for up to 32 bytes.
//
//go:noescape
func putPattern32BMI2(dst *byte, keys *uint64, n int, text *byte, words *patternWord, used, size, shift int)

// putPattern64BMI2 is putPattern8BMI2 for up to 64 bytes.
//
//go:noescape
func putPattern64BMI2(dst *byte, keys *uint64, n int, text *byte, words *patternWord, used, size, shift int)
