//go:build (!amd64 && !arm64) || purego

package simd

// blend32Tier and blend64Tier say that no tier has a faster loop: none of the words are done.
func blend32Tier([]uint32, []uint32, []uint32, []uint64) (words int) { return 0 }
func blend64Tier([]uint64, []uint64, []uint64, []uint64) (words int) { return 0 }
