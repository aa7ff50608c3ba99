//go:build (!amd64 && !arm64) || purego

package simd

// The comparisons have no faster loop: none of the words are done.

func lessTier([]uint64, []int64, []int64) (words int)      { return 0 }
func lessThanTier([]uint64, []int64, int64) (words int)    { return 0 }
func greaterThanTier([]uint64, []int64, int64) (words int) { return 0 }
func equalTier([]uint64, []int64, []int64) (words int)     { return 0 }
func equalToTier([]uint64, []int64, int64) (words int)     { return 0 }
