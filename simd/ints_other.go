//go:build !amd64 || purego

package simd

// No tier has faster loops over 64-bit integers and words of bits: none of the words, or rows, are done.

func lessTier([]uint64, []int64, []int64) (words int)      { return 0 }
func lessThanTier([]uint64, []int64, int64) (words int)    { return 0 }
func greaterThanTier([]uint64, []int64, int64) (words int) { return 0 }
func equalTier([]uint64, []int64, []int64) (words int)     { return 0 }
func equalToTier([]uint64, []int64, int64) (words int)     { return 0 }

func addTier([]int64, []int64, []int64) (rows int, overflows bool)       { return 0, false }
func addConstantTier([]int64, []int64, int64) (rows int, overflows bool) { return 0, false }
func subtractTier([]int64, []int64, []int64) (rows int, overflows bool)  { return 0, false }

func blend32Tier([]uint32, []uint32, []uint32, []uint64) (words int) { return 0 }
func blend64Tier([]uint64, []uint64, []uint64, []uint64) (words int) { return 0 }

func turnTier(*[8]uint64, *[64]byte) (done bool) { return false }

func extractTier([]uint64, []uint64, []uint64) (done bool) { return false }
