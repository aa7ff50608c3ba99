//go:build !amd64 || purego

package simd

// mergesFours says that no tier has steps of four words, so that mergeFoursTier is never called.
func mergesFours() bool { return false }

func mergeFoursTier(out, a, b []uint64, f *fours, n int) {}
