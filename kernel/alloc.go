package kernel

import (
	"strings"
	"unsafe"
)

// unzeroed allocates garbage-collected memory without clearing it, which output buffers do not need as every byte of theirs
// that counts is written. Blocks are aligned to 64 bytes.
type unzeroed struct{}

const alignment = 64

// Allocate returns size bytes that hold anything.
func (unzeroed) Allocate(size int) []byte {
	if size == 0 {
		return []byte{}
	}
	var b strings.Builder
	b.Grow(size + alignment) // the one way to ask the runtime for memory that is not cleared
	b.WriteByte(0)
	p := unsafe.StringData(b.String())
	shift := int(-uintptr(unsafe.Pointer(p)) & (alignment - 1))
	return unsafe.Slice(p, size+alignment)[shift : shift+size : shift+size]
}

// Reallocate returns size bytes that begin with those of b.
func (u unzeroed) Reallocate(size int, b []byte) []byte {
	if cap(b) >= size {
		return b[:size]
	}
	out := u.Allocate(size)
	copy(out, b)
	return out
}

// Free leaves the memory to the garbage collector.
func (unzeroed) Free([]byte) {}
