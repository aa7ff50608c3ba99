package simd_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"unsafe"
)

// guard fills the memory before a fenced slice.
const guard = 0xA5

// guards is how many bytes before a fenced slice are looked at.
const guards = 64

// fence is memory whose last byte is the last one that may be touched. One slice at a time lies at its end, so that a loop
// that reads or writes a byte more than it was promised fails at once.
type fence struct {
	mem   []byte
	blank []byte // guard values, as many
	used  int
}

// fenced returns n elements that end at the fence. It fills them and the bytes before them with the guard value.
func fenced[T any](f *fence, n int) []T {
	size := n * int(unsafe.Sizeof(*new(T)))
	start := len(f.mem) - size
	if f.blank == nil {
		f.blank = bytes.Repeat([]byte{guard}, len(f.mem))
	}
	copy(f.mem[start-guards:], f.blank)
	f.used = size
	if n == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&f.mem[start])), n)
}

// fencedCopy returns a copy of s that ends at the fence.
func fencedCopy[T any](f *fence, s []T) []T {
	c := fenced[T](f, len(s))
	copy(c, s)
	return c
}

// intact says whether the bytes before the slice have kept their value.
func (f *fence) intact() bool {
	start := len(f.mem) - f.used
	return bytes.Count(f.mem[start-guards:start], []byte{guard}) == guards
}

// TestFence makes sure that a fence finds a byte too many: the other tests rely on it.
func TestFence(t *testing.T) {
	f := newFence(t, 1<<16)
	s := fencedCopy(f, []byte{1, 2, 3})
	if !f.intact() {
		t.Error("a fence nobody touched is not intact")
	}
	*(*byte)(unsafe.Add(unsafe.Pointer(&s[0]), -1)) = 0
	if f.intact() {
		t.Error("a write before the slice is not seen")
	}
	if !fences {
		t.Skip("no fences on this system")
	}
	for _, offset := range []int{3, 4, 100, os.Getpagesize() + 2} {
		if err := touch(&s[0], offset); err == nil {
			t.Errorf("a read at byte %d of %d is not seen", offset, len(s))
		}
	}
}

// touch reads a byte and returns the fault.
func touch(p *byte, offset int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	sink += int(*(*byte)(unsafe.Add(unsafe.Pointer(p), offset)))
	return nil
}

// sink keeps the compiler from dropping what nobody reads.
var sink int
