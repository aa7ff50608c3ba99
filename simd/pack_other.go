//go:build !amd64 || purego

package simd

// packTextsTier and packPaddedTier say that no tier has a faster loop.
func packTextsTier(*Packer, []uint64, []byte, []int32, int, uint64, *uint64) (done bool) {
	return false
}

func packPaddedTier(*Packer, []uint64, []byte, []int32, int, uint64, *uint64) (done bool) {
	return false
}
