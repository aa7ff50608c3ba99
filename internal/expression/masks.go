package expression

import "github.com/apache/arrow/go/v17/arrow/decimal128"

// The loops of comparisons, which make a mask 64 rows at a time, eight rows to a step. a is as long as there are rows.

// bit is 1 for true, without a branch.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// lessMask sets the bits of the rows with a < b.
func lessMask(bits []uint64, a, b []int64) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		y := b[w*64:][:len(x)]
		word, i := uint64(0), 0
		for ; i+8 <= len(x); i += 8 {
			p := (*[8]int64)(x[i:])
			q := (*[8]int64)(y[i:])
			word |= (bit(p[0] < q[0]) |
				bit(p[1] < q[1])<<1 |
				bit(p[2] < q[2])<<2 |
				bit(p[3] < q[3])<<3 |
				bit(p[4] < q[4])<<4 |
				bit(p[5] < q[5])<<5 |
				bit(p[6] < q[6])<<6 |
				bit(p[7] < q[7])<<7) << (i & 63)
		}
		for ; i < len(x); i++ {
			word |= bit(x[i] < y[i]) << (i & 63)
		}
		bits[w] = word
	}
}

// lessThan is lessMask with one value for all rows of b.
func lessThan(bits []uint64, a []int64, b int64) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		word, i := uint64(0), 0
		for ; i+8 <= len(x); i += 8 {
			p := (*[8]int64)(x[i:])
			word |= (bit(p[0] < b) |
				bit(p[1] < b)<<1 |
				bit(p[2] < b)<<2 |
				bit(p[3] < b)<<3 |
				bit(p[4] < b)<<4 |
				bit(p[5] < b)<<5 |
				bit(p[6] < b)<<6 |
				bit(p[7] < b)<<7) << (i & 63)
		}
		for ; i < len(x); i++ {
			word |= bit(x[i] < b) << (i & 63)
		}
		bits[w] = word
	}
}

// greaterThan sets the bits of the rows above a value.
func greaterThan(bits []uint64, a []int64, b int64) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		word, i := uint64(0), 0
		for ; i+8 <= len(x); i += 8 {
			p := (*[8]int64)(x[i:])
			word |= (bit(p[0] > b) |
				bit(p[1] > b)<<1 |
				bit(p[2] > b)<<2 |
				bit(p[3] > b)<<3 |
				bit(p[4] > b)<<4 |
				bit(p[5] > b)<<5 |
				bit(p[6] > b)<<6 |
				bit(p[7] > b)<<7) << (i & 63)
		}
		for ; i < len(x); i++ {
			word |= bit(x[i] > b) << (i & 63)
		}
		bits[w] = word
	}
}

// equalTo sets the bits of the rows that are a value.
func equalTo(bits []uint64, a []int64, b int64) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		word, i := uint64(0), 0
		for ; i+8 <= len(x); i += 8 {
			p := (*[8]int64)(x[i:])
			word |= (bit(p[0] == b) |
				bit(p[1] == b)<<1 |
				bit(p[2] == b)<<2 |
				bit(p[3] == b)<<3 |
				bit(p[4] == b)<<4 |
				bit(p[5] == b)<<5 |
				bit(p[6] == b)<<6 |
				bit(p[7] == b)<<7) << (i & 63)
		}
		for ; i < len(x); i++ {
			word |= bit(x[i] == b) << (i & 63)
		}
		bits[w] = word
	}
}

// equalMask sets the bits of the rows with a = b.
func equalMask[T int64 | decimal128.Num](bits []uint64, a, b []T) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		y := b[w*64:][:len(x)]
		word, i := uint64(0), 0
		for ; i+8 <= len(x); i += 8 {
			p := (*[8]T)(x[i:])
			q := (*[8]T)(y[i:])
			word |= (bit(p[0] == q[0]) |
				bit(p[1] == q[1])<<1 |
				bit(p[2] == q[2])<<2 |
				bit(p[3] == q[3])<<3 |
				bit(p[4] == q[4])<<4 |
				bit(p[5] == q[5])<<5 |
				bit(p[6] == q[6])<<6 |
				bit(p[7] == q[7])<<7) << (i & 63)
		}
		for ; i < len(x); i++ {
			word |= bit(x[i] == y[i]) << (i & 63)
		}
		bits[w] = word
	}
}
