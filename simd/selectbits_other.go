//go:build !amd64 || purego

package simd

// selectBitsTier says that no tier has a faster loop: no element of pick is done.
func selectBitsTier([]uint32, []uint64, []uint64, int) (done, m int) { return 0, 0 }
