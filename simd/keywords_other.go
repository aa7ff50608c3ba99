//go:build !amd64 || purego

package simd

import "unsafe"

// putWordsTier says that no tier has a faster loop: only the first key has its word.
func putWordsTier(words []uint64, keys unsafe.Pointer, width int, signed bool, k KeyWords, start uint64) (done int, falls bool) {
	return 1, false
}
