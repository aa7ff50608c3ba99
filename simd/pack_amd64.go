//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/braidmerge/braid/internal/cputier"
)

// packTextsTier is PackTexts where the processor packs bits in one instruction. It returns false where it does not.
func packTextsTier(p *Packer, out []uint64, data []byte, from []int32, at int, base uint64, differ *uint64) (done bool) {
	if !cputier.HasFastPDEP() || p.scale == 0 {
		return false
	}
	*differ = packTextsBMI2(&out[0], unsafe.SliceData(data), &from[0], len(out), at, base, p.mask, uint64(p.count()))
	return true
}

func packPaddedTier(p *Packer, out []uint64, data []byte, from []int32, at int, base uint64, differ *uint64) (done bool) {
	if !cputier.HasFastPDEP() || p.scale == 0 {
		return false
	}
	*differ = packPaddedBMI2(&out[0], unsafe.SliceData(data), &from[0], len(out), at, base, p.mask, uint64(p.count()))
	return true
}

// packTextsBMI2 is packTextsPortable for n texts, n > 0, and less than 64 bits.
//
//go:noescape
func packTextsBMI2(out *uint64, data *byte, from *int32, n, at int, base, mask, count uint64) (differ uint64)

// packPaddedBMI2 is packPaddedPortable for n texts, n > 0, and less than 64 bits.
//
//go:noescape
func packPaddedBMI2(out *uint64, data *byte, from *int32, n, at int, base, mask, count uint64) (differ uint64)
