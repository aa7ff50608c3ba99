//go:build !amd64 || purego

package simd

import "unsafe"

func blockStreams() int { return plainStreams }

// takeBlocksTier says that no value has been taken.
func takeBlocksTier(dst unsafe.Pointer, blocks []unsafe.Pointer, sel []uint32, width uintptr, share Share) (done int) {
	return 0
}
