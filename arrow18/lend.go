package arrow18

import (
	"github.com/apache/arrow/go/v17/arrow/memory"

	v18memory "github.com/apache/arrow-go/v18/arrow/memory"
)

// lender18 is a v18 buffer in the place of the allocator of a v17 buffer that reads the same bytes. The v17 buffer calls
// Free once, when its last reference is released; that gives back the reference lend17 took.
type lender18 v18memory.Buffer

// lend17 makes a v17 buffer over the bytes of b and takes a reference to b. The caller owns the result. A nil buffer is nil
// on both sides.
func lend17(b *v18memory.Buffer) *memory.Buffer {
	if b == nil {
		return nil
	}
	b.Retain()
	return memory.NewBufferWithAllocator(b.Bytes(), (*lender18)(b))
}

// Allocate is part of memory.Allocator. It gives memory of the Go heap, which Free need not give back.
func (l *lender18) Allocate(size int) []byte { return make([]byte, size) }

// Reallocate gives a copy of b with another size. The lent bytes stay as they are, and lent until Free.
func (l *lender18) Reallocate(size int, b []byte) []byte { return copied(size, b) }

// Free gives the reference to the v18 buffer back.
func (l *lender18) Free([]byte) { (*v18memory.Buffer)(l).Release() }

// lender17 is a v17 buffer in the place of the allocator of a v18 buffer: lender18 the other way round.
type lender17 memory.Buffer

// lend18 makes a v18 buffer over the bytes of b and takes a reference to b. The caller owns the result. A nil buffer is nil
// on both sides.
func lend18(b *memory.Buffer) *v18memory.Buffer {
	if b == nil {
		return nil
	}
	b.Retain()
	return v18memory.NewBufferWithAllocator(b.Bytes(), (*lender17)(b))
}

// Allocate is part of memory.Allocator. It gives memory of the Go heap, which Free need not give back.
func (l *lender17) Allocate(size int) []byte { return make([]byte, size) }

// Reallocate gives a copy of b with another size. The lent bytes stay as they are, and lent until Free.
func (l *lender17) Reallocate(size int, b []byte) []byte { return copied(size, b) }

// Free gives the reference to the v17 buffer back.
func (l *lender17) Free([]byte) { (*memory.Buffer)(l).Release() }

func copied(size int, b []byte) []byte {
	out := make([]byte, size)
	copy(out, b)
	return out
}
