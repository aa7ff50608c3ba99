package expression

import "github.com/apache/arrow/go/v17/arrow/decimal128"

// bit is 1 for true, without a branch.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// equalDecimals sets the bits of the rows with a = b, and clears the others. a is as long as there are rows.
func equalDecimals(bits []uint64, a, b []decimal128.Num) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		y := b[w*64:][:len(x)]
		word := uint64(0)
		for i := range x {
			word |= bit(x[i] == y[i]) << (i & 63)
		}
		bits[w] = word
	}
}
