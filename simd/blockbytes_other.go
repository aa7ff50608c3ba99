//go:build !amd64 || purego

package simd

// takeWideTier and unequalWideTier say that no tier has a faster loop.
func takeWideTier(*Blocks, []byte, []uint32) (done bool) { return false }

func unequalWideTier(*Blocks, []uint8, *Ties, int) (count int, done bool) { return 0, false }
