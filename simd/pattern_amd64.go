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
	putPatternBMI2(unsafe.SliceData(dst), &keys[0], len(keys), &p.text[0], &p.words[0], p.used, p.Size, shift)
	return true
}

// putPatternBMI2 is Pattern.putPortable for n keys, n > 0, and used words, used > 0. It writes 32 bytes of text for every key, 64 where
// size is more than 32.
//
//go:noescape
func putPatternBMI2(dst *byte, keys *uint64, n int, text *byte, words *patternWord, used, size, shift int)
