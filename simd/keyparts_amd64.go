//go:build amd64 && !purego

package simd

import "github.com/braidmerge/braid/internal/cputier"

// putNumbersTier is PutNumbers for the first keys, four at a time, where the processor does. It returns how many are done.
func putNumbersTier(dst, keys []uint64, p *KeyPart) (done int) {
	steps := len(keys) / 4
	if steps == 0 || !cputier.HasAVX2() {
		return 0
	}
	putNumbersAVX2(&dst[0], &keys[0], steps, p.Shift, p.Mask, p.Unit, p.Base)
	return 4 * steps
}

// putNumbersAVX2 is putNumbersPortable for 4 * steps keys, steps > 0.
//
//go:noescape
func putNumbersAVX2(dst, keys *uint64, steps, shift int, mask, unit, base uint64)
