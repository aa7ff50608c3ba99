package ipcfile

import (
	"fmt"
	"runtime/debug"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// owner is what the bytes of a message belong to: a File, or the buffer a stream was read into.
type owner interface {
	Retain()
	Release()
}

// body is the body of a message, valid while a reference to its owner is held.
type body struct {
	bytes []byte
	owner owner
}

// lend makes a buffer over bytes that the owner holds. It takes a reference to the owner and gives it back when the buffer
// is released.
func lend(o owner, bytes []byte) *memory.Buffer {
	o.Retain()
	return memory.NewBufferWithAllocator(bytes, lender{o})
}

// lender is an owner in the place of the allocator of a buffer that was lent.
type lender struct{ owner }

// Allocate gives memory of the Go heap, which Free need not give back.
func (l lender) Allocate(size int) []byte { return make([]byte, size) }

// Reallocate gives a copy of another size. The lent bytes stay lent until Free.
func (l lender) Reallocate(size int, old []byte) []byte {
	bytes := make([]byte, size)
	copy(bytes, old)
	return bytes
}

// Free gives the reference to the owner back.
func (l lender) Free([]byte) { l.Release() }

// protect runs f and makes an error of a panic in it, and of the fault when a mapped file has become shorter.
func protect(f func() error) (err error) {
	faults := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(faults)
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", columnar.ErrCorrupt, r)
		}
	}()
	return f()
}
