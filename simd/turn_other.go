//go:build (!amd64 && !arm64) || purego

package simd

// turnTier says that no tier has a faster loop.
func turnTier(*[8]uint64, *[64]byte) (done bool) { return false }

// turnsInOrder says that bytes are turned faster apart.
func turnsInOrder() bool { return false }
