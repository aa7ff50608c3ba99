package simd

// A comparison makes a mask: bit i of it says whether row i of a compares as asked with row i of b, or with the one value that
// all rows are compared with. bits has a word for every 64 rows of a, begun ones too, and b at least as many rows as a. The bits
// behind the last row are 0.
//
//	a     3 1 2         a < b   1 0 0
//	b     4 1 0         a = 2   0 0 1

// LessMask sets the bits of the rows with a < b.
func LessMask(bits []uint64, a, b []int64) {
	checkMask(bits, len(a))
	b = b[:len(a)]
	done := lessTier(bits, a, b)
	lessPortable(bits[done:], a[done*64:], b[done*64:])
}

// LessThan sets the bits of the rows below b.
func LessThan(bits []uint64, a []int64, b int64) {
	checkMask(bits, len(a))
	done := lessThanTier(bits, a, b)
	lessThanPortable(bits[done:], a[done*64:], b)
}

// GreaterThan sets the bits of the rows above b.
func GreaterThan(bits []uint64, a []int64, b int64) {
	checkMask(bits, len(a))
	done := greaterThanTier(bits, a, b)
	greaterThanPortable(bits[done:], a[done*64:], b)
}

// EqualMask sets the bits of the rows with a = b.
func EqualMask(bits []uint64, a, b []int64) {
	checkMask(bits, len(a))
	b = b[:len(a)]
	done := equalTier(bits, a, b)
	equalPortable(bits[done:], a[done*64:], b[done*64:])
}

// EqualTo sets the bits of the rows that are b.
func EqualTo(bits []uint64, a []int64, b int64) {
	checkMask(bits, len(a))
	done := equalToTier(bits, a, b)
	equalToPortable(bits[done:], a[done*64:], b)
}

// checkMask panics unless a mask has the words of so many rows.
func checkMask(bits []uint64, rows int) {
	if len(bits) != (rows+63)/64 {
		panic("simd: a mask with more or fewer words than its rows have")
	}
}

// bit is 1 for true, without a branch.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func lessPortable(bits []uint64, a, b []int64) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		y := b[w*64:][:len(x)]
		word, i := uint64(0), 0
		for ; i+8 <= len(x); i += 8 {
			p, q := (*[8]int64)(x[i:]), (*[8]int64)(y[i:])
			word |= (bit(p[0] < q[0]) | bit(p[1] < q[1])<<1 | bit(p[2] < q[2])<<2 | bit(p[3] < q[3])<<3 |
				bit(p[4] < q[4])<<4 | bit(p[5] < q[5])<<5 | bit(p[6] < q[6])<<6 | bit(p[7] < q[7])<<7) << (i & 63)
		}
		for ; i < len(x); i++ {
			word |= bit(x[i] < y[i]) << (i & 63)
		}
		bits[w] = word
	}
}

func lessThanPortable(bits []uint64, a []int64, b int64) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		word, i := uint64(0), 0
		for ; i+8 <= len(x); i += 8 {
			p := (*[8]int64)(x[i:])
			word |= (bit(p[0] < b) | bit(p[1] < b)<<1 | bit(p[2] < b)<<2 | bit(p[3] < b)<<3 |
				bit(p[4] < b)<<4 | bit(p[5] < b)<<5 | bit(p[6] < b)<<6 | bit(p[7] < b)<<7) << (i & 63)
		}
		for ; i < len(x); i++ {
			word |= bit(x[i] < b) << (i & 63)
		}
		bits[w] = word
	}
}

func greaterThanPortable(bits []uint64, a []int64, b int64) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		word, i := uint64(0), 0
		for ; i+8 <= len(x); i += 8 {
			p := (*[8]int64)(x[i:])
			word |= (bit(p[0] > b) | bit(p[1] > b)<<1 | bit(p[2] > b)<<2 | bit(p[3] > b)<<3 |
				bit(p[4] > b)<<4 | bit(p[5] > b)<<5 | bit(p[6] > b)<<6 | bit(p[7] > b)<<7) << (i & 63)
		}
		for ; i < len(x); i++ {
			word |= bit(x[i] > b) << (i & 63)
		}
		bits[w] = word
	}
}

func equalPortable(bits []uint64, a, b []int64) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		y := b[w*64:][:len(x)]
		word, i := uint64(0), 0
		for ; i+8 <= len(x); i += 8 {
			p, q := (*[8]int64)(x[i:]), (*[8]int64)(y[i:])
			word |= (bit(p[0] == q[0]) | bit(p[1] == q[1])<<1 | bit(p[2] == q[2])<<2 | bit(p[3] == q[3])<<3 |
				bit(p[4] == q[4])<<4 | bit(p[5] == q[5])<<5 | bit(p[6] == q[6])<<6 | bit(p[7] == q[7])<<7) << (i & 63)
		}
		for ; i < len(x); i++ {
			word |= bit(x[i] == y[i]) << (i & 63)
		}
		bits[w] = word
	}
}

func equalToPortable(bits []uint64, a []int64, b int64) {
	for w := range bits {
		x := a[w*64 : min(w*64+64, len(a))]
		word, i := uint64(0), 0
		for ; i+8 <= len(x); i += 8 {
			p := (*[8]int64)(x[i:])
			word |= (bit(p[0] == b) | bit(p[1] == b)<<1 | bit(p[2] == b)<<2 | bit(p[3] == b)<<3 |
				bit(p[4] == b)<<4 | bit(p[5] == b)<<5 | bit(p[6] == b)<<6 | bit(p[7] == b)<<7) << (i & 63)
		}
		for ; i < len(x); i++ {
			word |= bit(x[i] == b) << (i & 63)
		}
		bits[w] = word
	}
}
