//go:build !amd64 || purego

package simd

// putNumbersTier says that no tier has a faster loop: none of the keys are done.
func putNumbersTier(_, _ []uint64, _ *KeyPart) (done int) { return 0 }
