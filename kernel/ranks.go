package kernel

import (
	"math/bits"
	"slices"

	"github.com/braidmerge/braid/simd"
)

// ranks replaces the integers of a column that has only few values in a window by their ranks, which have few bits:
//
//	country   brazil  de  fr  brazil  us       28 bits vary
//	rank      0       1   2   0       3        2 bits
type ranks struct {
	keys   [4 * maxRanks]uint64 // a hash table of values
	codes  [4 * maxRanks]uint16 // their codes, from 1 on; 0 where the table is free
	values [maxRanks]uint64     // by code - 1, in the order in which they came
	sorted []uint64
	n      int
}

const (
	maxRanks  = simd.MaxRanked
	rankBits  = 10 // a column of fewer bits is not worth ranking
	rankAgain = 64 // so many windows pass before a column that had too many values is looked at again
)

// rank ranks a field. It returns false, and leaves the integers as they are, if they have too many values.
func (r *ranks) rank(w *window, f *keyField) (done bool) {
	if f.bits < rankBits {
		return false
	}
	if f.rest > 0 {
		f.rest--
		return false
	}
	clear(r.codes[:])
	r.n = 0
	for i := range w.pieces {
		p := &w.pieces[i]
		normals := f.normals[p.start : p.start+p.to-p.from]
		if coded := r.encode(normals); coded < len(normals) {
			r.restore(normals[:coded])
			for i--; i >= 0; i-- {
				p := &w.pieces[i]
				r.restore(f.normals[p.start : p.start+p.to-p.from])
			}
			f.rest = rankAgain
			return false
		}
	}
	r.order()
	for i := range w.pieces {
		p := &w.pieces[i]
		r.apply(f.normals[p.start : p.start+p.to-p.from])
	}
	f.least, f.shift, f.most, f.bits = 0, 0, 0, bits.Len(uint(r.n-1))
	f.ranked, f.values = true, f.values[:0]
	for _, x := range r.sorted {
		f.values = append(f.values, x*f.factor+f.base)
	}
	return true
}

// encode replaces integers by their codes, as far as there are codes, and returns how far.
func (r *ranks) encode(normals []uint64) int {
	for i, x := range normals {
		slot := hash(x)
		for r.codes[slot] != 0 && r.keys[slot] != x {
			slot = (slot + 1) % uint64(len(r.keys))
		}
		if r.codes[slot] == 0 {
			if r.n == maxRanks {
				return i
			}
			r.values[r.n] = x
			r.n++
			r.keys[slot], r.codes[slot] = x, uint16(r.n)
		}
		normals[i] = uint64(r.codes[slot])
	}
	return len(normals)
}

// hash spreads integers over the table.
func hash(x uint64) uint64 { return x * 0x9e3779b97f4a7c15 >> (64 - 10) }

// restore puts integers back in the place of their codes.
func (r *ranks) restore(codes []uint64) {
	for i, code := range codes {
		codes[i] = r.values[code-1]
	}
}

// order makes values by code their ranks.
func (r *ranks) order() {
	r.sorted = append(r.sorted[:0], r.values[:r.n]...)
	slices.Sort(r.sorted)
	for i, x := range r.values[:r.n] {
		at, _ := slices.BinarySearch(r.sorted, x)
		r.values[i] = uint64(at)
	}
}

// apply replaces codes by ranks.
func (r *ranks) apply(codes []uint64) {
	for i, code := range codes {
		codes[i] = r.values[(code-1)%maxRanks]
	}
}
