//go:build !amd64 || purego

package simd

// combineTier and ascendTier say that no tier has a faster loop: none of the words are done.
func combineTier([]uint64, []KeyBits, int, int) (done int) { return 0 }

func ascendTier([]uint64, uint64) (n int) { return 0 }
