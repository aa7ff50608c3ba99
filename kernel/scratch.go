package kernel

import (
	"cmp"
	"slices"

	"github.com/braidmerge/braid/internal/invariants"
)

// scratch is an allocator for what lives no longer than a window: it keeps what is freed for the next time. It serves one
// goroutine.
type scratch struct {
	free  [][]byte
	bytes int64 // of all blocks in free

	blocks int   // bounds how many blocks are kept; 0: fewBlocks
	limit  int64 // bounds their bytes; 0: nothing does
}

// fewBlocks is how many blocks are kept where nothing is said.
const fewBlocks = 32

// Allocate returns size bytes that hold anything.
func (s *scratch) Allocate(size int) []byte {
	at := s.fitting(size)
	if at < 0 {
		return unzeroed{}.Allocate(size + size/4)[:size]
	}
	b := s.free[at][:size]
	s.free = slices.Delete(s.free, at, at+1)
	s.bytes -= int64(cap(b))
	return b
}

// fitting returns the place of the block to use for size bytes, or -1: of those that are little too large the one that was freed
// last, which is the likeliest to be in a cache still, else the smallest that is not much too large.
func (s *scratch) fitting(size int) int {
	best := -1
	for i, b := range slices.Backward(s.free) {
		switch {
		case cap(b) < size || cap(b)/4 > size+alignment:
		case cap(b)/2 <= size:
			return i
		case best < 0 || cap(b) < cap(s.free[best]):
			best = i
		}
	}
	return best
}

// Reallocate returns size bytes that begin with those of b.
func (s *scratch) Reallocate(size int, b []byte) []byte {
	if cap(b) >= size {
		return b[:size]
	}
	out := s.Allocate(size)
	copy(out, b)
	s.Free(b)
	return out
}

// Free keeps the memory if there is room for it, in the place of the smallest block there is if there are too many.
func (s *scratch) Free(b []byte) {
	if cap(b) == 0 {
		return
	}
	invariants.Mangle(b)
	if s.limit > 0 && s.bytes+int64(cap(b)) > s.limit {
		return
	}
	if most := cmp.Or(s.blocks, fewBlocks); len(s.free) < most {
		s.free = append(s.free, b[:0])
		s.bytes += int64(cap(b))
		return
	}
	least := 0
	for i, f := range s.free {
		if cap(f) < cap(s.free[least]) {
			least = i
		}
	}
	if cap(s.free[least]) < cap(b) {
		s.bytes += int64(cap(b) - cap(s.free[least]))
		s.free = append(slices.Delete(s.free, least, least+1), b[:0])
	}
}
