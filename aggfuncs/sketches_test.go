package aggfuncs_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// bytesSubject makes a subject whose values come out of a pool that build fills once: the reference is slow to make them.
// One value in so many as broken says is not what it was.
func bytesSubject(name string, broken int, build func(*rand.Rand) []byte) *subject {
	rng := rand.New(rand.NewPCG(uint64(len(name)), uint64(broken)))
	pool := make([][]byte, 60)
	for i := range pool {
		pool[i] = build(rng)
	}
	s := with(name, column(arrow.BinaryTypes.Binary, "VARBINARY(2000000)"), ignoreRetract)
	s.value = func(rng *rand.Rand) any {
		value := append([]byte{}, pool[rng.IntN(len(pool))]...)
		if broken > 0 && rng.IntN(broken) == 0 {
			return damage(rng, value)
		}
		return value
	}
	return s
}

// damage changes bytes, or cuts some off, or adds some.
func damage(rng *rand.Rand, b []byte) []byte {
	switch rng.IntN(4) {
	case 0:
		return b[:rng.IntN(len(b)+1)]
	case 1:
		return append(b, byte(rng.Uint32()))
	}
	for range 1 + rng.IntN(2) {
		if at := min(rng.IntN(48), rng.IntN(len(b)+1)); at < len(b) {
			b[at] = []byte{0, 1, 0xff, b[at] + 1, b[at] ^ 1<<rng.IntN(8)}[rng.IntN(5)]
		}
	}
	return b
}

// randomInts draws integers: dense, sparse or in a few clusters.
func randomInts(rng *rand.Rand, most int) []int64 {
	ints := make([]int64, rng.IntN(most+1))
	shift := []int{0, 10, 20, 40, 60}[rng.IntN(5)]
	start := rng.Int64N(1<<20) << shift
	for i := range ints {
		switch rng.IntN(3) {
		case 0:
			ints[i] = start + int64(i)
		case 1:
			ints[i] = start + int64(i)<<shift
		default:
			ints[i] = int64(rng.Uint64()) >> (63 - shift)
		}
	}
	return ints
}

func TestRbm32(t *testing.T) {
	build := func(rng *rand.Rand) []byte {
		if rng.IntN(4) == 0 {
			ints := make([]int64, 4000+rng.IntN(3000)) // many in one container
			for i := range ints {
				ints[i] = int64(rng.IntN(1 << 16))
			}
			return rowmerge.BuildRbm32(ints)
		}
		return rowmerge.BuildRbm32(randomInts(rng, 300))
	}
	checkAll(t, 300, bytesSubject("rbm32", 0, build), bytesSubject("rbm32", 20, build))
}

func TestRbm64(t *testing.T) {
	build := func(rng *rand.Rand) []byte {
		ints := randomInts(rng, 100)
		for range rng.IntN(3) * rng.IntN(60) { // nodes of many children
			ints = append(ints, rng.Int64N(256)<<(16+8*rng.IntN(6)))
		}
		return rowmerge.BuildRbm64(ints)
	}
	checkAll(t, 300, bytesSubject("rbm64", 0, build), bytesSubject("rbm64", 20, build))
}

func TestThetaSketch(t *testing.T) {
	build := func(rng *rand.Rand) []byte {
		most := []int{1, 2, 20, 5000}[rng.IntN(4)]
		sketch := rowmerge.BuildTheta(randomInts(rng, most), []int{16, 4096}[rng.IntN(2)])
		if sketch[0] == 3 && rng.IntN(2) == 0 {
			return tableOfTheta(rng, sketch)
		}
		return sketch
	}
	checkAll(t, 200, bytesSubject("theta_sketch", 0, build), bytesSubject("theta_sketch", 20, build))
}

// tableOfTheta gives a sketch with a preamble of three words as a table with empty slots and hashes not below theta.
func tableOfTheta(rng *rand.Rand, sketch []byte) []byte {
	hashes := sketch[24:]
	lg := 0
	for 8<<lg < 2*len(hashes) {
		lg++
	}
	table := append(append([]byte{}, sketch[:24]...), make([]byte, 8<<lg)...)
	table[2], table[4], table[5] = byte(1+rng.IntN(2)), byte(lg), 0
	for _, slot := range rng.Perm(1 << lg)[:len(hashes)/8] {
		copy(table[24+8*slot:], hashes[:8])
		hashes = hashes[8:]
	}
	if at := 24 + 8*rng.IntN(1<<lg); binary.LittleEndian.Uint64(table[at:]) == 0 {
		binary.LittleEndian.PutUint64(table[at:], 1<<63-1)
	}
	return table
}

func TestHllSketch(t *testing.T) {
	build := func(rng *rand.Rand) []byte {
		lgK := 4 + rng.IntN(9)
		most := []int{7, 30, 100, 5000}[rng.IntN(4)]
		sketch, err := rowmerge.BuildHll(randomInts(rng, most), lgK, []string{"HLL_4", "HLL_6", "HLL_8"}[rng.IntN(3)])
		if err != nil {
			t.Fatal(err)
		}
		if sketch[7]&3 == 1 && rng.IntN(2) == 0 {
			return tableOfHll(sketch)
		}
		return sketch
	}
	checkAll(t, 200, bytesSubject("hll_sketch", 0, build), bytesSubject("hll_sketch", 20, build))
}

// tableOfHll gives the coupons of a compact set as a table, put in back to front, which is another order than that of a
// table they are read into.
func tableOfHll(sketch []byte) []byte {
	lg := int(sketch[4])
	out := append(append([]byte{}, sketch[:12]...), make([]byte, 4<<lg)...)
	out[5] = 0
	for at := len(sketch) - 4; at >= 12; at -= 4 {
		coupon := binary.LittleEndian.Uint32(sketch[at:])
		slot, step := int(coupon)&(1<<lg-1), int(coupon&(1<<26-1))>>lg|1
		for binary.LittleEndian.Uint32(out[12+4*slot:]) != 0 {
			slot = (slot + step) & (1<<lg - 1)
		}
		binary.LittleEndian.PutUint32(out[12+4*slot:], coupon)
	}
	return out
}
