package fuzz

import "github.com/apache/arrow/go/v17/arrow/memory"

// NewMemory returns an allocator that notes what is not given back. What it gives, and what has been given back, is full of ones and
// zeros, so that bytes show which nobody has written, or which nobody may read any more.
func NewMemory() *memory.CheckedAllocator { return memory.NewCheckedAllocator(&dirty{}) }

// dirty gives memory that is not cleared.
type dirty struct{ memory.GoAllocator }

// Allocate returns size bytes that hold nothing of use.
func (d *dirty) Allocate(size int) []byte {
	b := d.GoAllocator.Allocate(size)
	soil(b)
	return b
}

// Free fills memory with nothing of use.
func (d *dirty) Free(b []byte) { soil(b) }

func soil(b []byte) {
	for i := range b {
		b[i] = 0xA5
	}
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
