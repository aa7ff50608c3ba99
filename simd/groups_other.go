//go:build !amd64 || purego

package simd

// sumGroupsTier and the others say that no tier has a faster loop: none of the rows are done.
func sumGroupsTier(out, in []int64, ends []uint64) (acc int64, done, groups int, over bool) {
	return 0, 0, 0, false
}

func minGroupsTier(out, in []int64, ends []uint64, most int64) (acc int64, done, groups int) {
	return most, 0, 0
}

func maxGroupsTier(out, in []int64, ends []uint64, least int64) (acc int64, done, groups int) {
	return least, 0, 0
}
