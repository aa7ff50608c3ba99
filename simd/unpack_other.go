//go:build (!amd64 && !arm64) || purego

package simd

// unpackTier says that no tier has a faster loop: none of the bits are done.
func unpackTier([]byte, []byte, int, int) (done int) { return 0 }

// orBitsTier says the same of OrBits.
func orBitsTier([]byte, []byte, int, int, int) (done int) { return 0 }
