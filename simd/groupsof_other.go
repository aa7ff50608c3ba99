//go:build !amd64 || purego

package simd

// groupsOfTier says that no tier has a faster loop: none of the elements are done.
func groupsOfTier(of []uint32, mask, ends []uint64) (done, n, groups int) { return 0, 0, 0 }
