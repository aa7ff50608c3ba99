//go:build (amd64 || arm64) && !purego

package simd

import "unsafe"

// differ4Tier is differ4Portable where the processor looks at 32 bytes at once. It returns false where it does not.
func differ4Tier(data []byte, from []int32, at int, base, differ *[4]uint64) (done bool) {
	if !hasVectors() {
		return false
	}
	differ4Vector(unsafe.SliceData(data), &from[0], len(from)-1, at, base, differ)
	return true
}

// differ4Vector is differ4Portable for n texts, n > 0.
//
//go:noescape
func differ4Vector(data *byte, from *int32, n, at int, base, differ *[4]uint64)
