//go:build !amd64 || purego

package simd

// mergesFours and mergeFoursTier say that no tier has steps of four words.
func mergesFours() bool { return false }

func mergeFoursTier(out, a, b []uint64, f *fours, n int) (done bool) { return false }
