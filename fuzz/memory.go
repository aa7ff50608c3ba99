package fuzz

import "github.com/apache/arrow/go/v17/arrow/memory"

// NewMemory returns an allocator that notes what is not given back. What it gives is full of ones and zeros, so that bytes which
// nobody has written show.
func NewMemory() *memory.CheckedAllocator { return memory.NewCheckedAllocator(&dirty{}) }

// dirty gives memory that is not cleared.
type dirty struct{ memory.GoAllocator }

// Allocate returns size bytes that hold nothing of use.
func (d *dirty) Allocate(size int) []byte {
	b := d.GoAllocator.Allocate(size)
	for i := range b {
		b[i] = 0xA5
	}
	return b
}

// Reallocate returns size bytes that begin with those of b.
func (d *dirty) Reallocate(size int, b []byte) []byte {
	if cap(b) >= size {
		return b[:size]
	}
	out := d.Allocate(size)
	copy(out, b)
	return out
}
