//go:build !amd64 || purego

package simd

// takePlacesTier and unequalTier say that no tier has a faster loop.
func takePlacesTier(*Texts, []byte, []uint32) (done bool) { return false }

func unequalTier(*Texts, []uint8, *Ties) (count int, done bool) { return 0, false }
