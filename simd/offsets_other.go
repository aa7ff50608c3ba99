//go:build (!amd64 && !arm64) || purego

package simd

// rebaseTier and lengthsTier say that no tier has a faster loop.
func rebaseTier([]uint32, []int32, uint32) (signs int32, done int) { return 0, 0 }

func lengthsTier([]int32) (least, most, signs int32, done int) { return 0, 0, 0, 1 }
