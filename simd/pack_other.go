//go:build !amd64 || purego

package simd

// packTextsTier, packPaddedTier and differ4Tier say that no tier has a faster loop.
func packTextsTier(*Packer, []uint64, []byte, []int32, int, uint64, *uint64) (done bool) {
	return false
}

func packPaddedTier(*Packer, []uint64, []byte, []int32, int, uint64, *uint64) (done bool) {
	return false
}

func differ4Tier([]byte, []int32, int, *[4]uint64, *[4]uint64) (done bool) { return false }
