package rungen

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// source gives the numbers that choices are made with: from the tape while it lasts, then from a generator.
type source struct {
	tape []byte
	rng  *rand.PCG
}

// stream returns the source named label of run (-1: of the whole problem). Each column of each run has its own, so that
// leaving a column out changes no other.
func stream(seed uint64, label string, run int) *source {
	h := fnv.New64a()
	h.Write([]byte(label))
	return &source{rng: rand.NewPCG(seed, h.Sum64()+uint64(run)*0x9e3779b97f4a7c15)}
}

// uint64 returns 64 random bits.
func (s *source) uint64() uint64 {
	if len(s.tape) > 0 {
		return s.fromTape(8)
	}
	return s.rng.Uint64()
}

// fromTape reads up to size bytes, little-endian.
func (s *source) fromTape(size int) uint64 {
	size = min(size, len(s.tape))
	var v uint64
	for i, b := range s.tape[:size] {
		v |= uint64(b) << (8 * i)
	}
	s.tape = s.tape[size:]
	return v
}

// below returns a number in [0, n). A tape gives the fewest bytes that can hold it. below(0) is 0.
func (s *source) below(n uint64) uint64 {
	if n <= 1 {
		return 0
	}
	if len(s.tape) > 0 {
		return s.fromTape((bits.Len64(n-1)+7)/8) % n
	}
	hi, _ := bits.Mul64(s.rng.Uint64(), n)
	return hi
}

// intn is below for an int.
func (s *source) intn(n int) int { return int(s.below(uint64(max(n, 0)))) }

// between returns a number in [lo, hi].
func (s *source) between(lo, hi int) int { return lo + s.intn(hi-lo+1) }

// oneIn is true once in n times.
func (s *source) oneIn(n int) bool { return s.intn(n) == n-1 }

// pick returns one of the choices.
func pick[T any](s *source, choices ...T) T { return choices[s.intn(len(choices))] }

// permutation returns the numbers 0 to n-1 in random order.
func (s *source) permutation(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := s.intn(i + 1)
		p[i], p[j] = p[j], i
	}
	return p
}

// sortedDistinct sorts v and drops repeats.
func sortedDistinct(v []uint64) []uint64 {
	slices.Sort(v)
	return slices.Compact(v)
}
