package validity

// A block is 64 words of 64 bits. Transposed, bit c of word r is bit r of word c:
//
//	rows of patterns        columns of rows
//	r0  1 0 1               c0  1 0 1 ...
//	r1  0 0 1               c1  0 0 0
//	r2  1 0 0               c2  1 1 0
//
// Step j swaps, in every square of 2j words and 2j bits, the two quarters beside the diagonal; the steps may come in any
// order.
type block [64]uint64

// lowHalves has the lower j of every 2j bits.
func lowHalves(j int) uint64 { return ^uint64(0) / (1<<j + 1) }

// swap is step j on words [0, n).
func (b *block) swap(j, n int) {
	low := lowHalves(j)
	for base := 0; base < n; base += 2 * j {
		for k := base; k < base+j; k++ {
			t := (b[k]>>j ^ b[k+j]) & low
			b[k+j] ^= t
			b[k] ^= t << j
		}
	}
}

// toColumns transposes a block of which only words [0, n) are wanted afterwards.
func (b *block) toColumns(n int) {
	for j := 32; j > 0; j >>= 1 {
		if n > j {
			b.swap(j, n)
			continue
		}
		low := lowHalves(j)
		for k := range j {
			b[k] = b[k]&low | b[k+j]&low<<j
		}
	}
}

// toRows transposes a block of which words [n, 64) are taken to be 0.
func (b *block) toRows(n int) {
	clear(b[n:])
	for j := 1; j < 64; j <<= 1 {
		if n > j {
			b.swap(j, n)
			continue
		}
		low := lowHalves(j)
		for k := range j {
			b[k+j] = b[k] >> j & low
			b[k] &= low
		}
	}
}
