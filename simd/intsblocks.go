//go:build (amd64 || arm64) && !purego

package simd

// The loops over 64-bit integers go in blocks of 16 rows. Where all rows have one value on a side, a block of it stands for them:
// the side advances by no bytes.
const (
	intsBlock = 16
	blockStep = 8 * intsBlock
)

// blockOf makes a block of one value.
func blockOf(x int64) (same [intsBlock]int64) {
	for i := range same {
		same[i] = x
	}
	return same
}
