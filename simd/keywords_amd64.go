//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// putWordsTier is PutWords for as many keys behind the first, which has its word, as the processor takes four at a time: of eight bytes, or of
// four with a sign. It returns how many have their words, the first with them.
func putWordsTier(words []uint64, keys unsafe.Pointer, width int, signed bool, k KeyWords, start uint64) (done int, falls bool) {
	steps := (len(words) - 1) / 4
	if steps == 0 || !cputier.HasAVX2() {
		return 1, false
	}
	switch {
	case width == 8:
		falls = putWords64(&words[1], (*int64)(unsafe.Add(keys, 8)), steps, k.Least, start+1, uint64(k.Drop), uint64(k.IdxBits))
	case width == 4 && signed:
		falls = putWords32(&words[1], (*int32)(unsafe.Add(keys, 4)), steps, k.Least, start+1, uint64(k.Drop), uint64(k.IdxBits))
	default:
		return 1, false
	}
	return 1 + 4*steps, falls
}

// putWords64 writes 4 * steps words, steps > 0. It reads the key before the first, too.
//
//go:noescape
func putWords64(words *uint64, keys *int64, steps int, least, start, drop, idxBits uint64) (falls bool)

// putWords32 is putWords64 for keys of half the size.
//
//go:noescape
func putWords32(words *uint64, keys *int32, steps int, least, start, drop, idxBits uint64) (falls bool)
