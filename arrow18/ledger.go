package arrow18

import (
	"sync"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow/memory"

	v18arrow "github.com/apache/arrow-go/v18/arrow"
	v18array "github.com/apache/arrow-go/v18/arrow/array"
	v18memory "github.com/apache/arrow-go/v18/arrow/memory"
)

// ledger is the allocator that a decoder or an encoder is given. It knows what is allocated and not yet freed: a decoder
// that fails half way leaves memory behind, which sweep gives back. What is handed to the caller is no longer the ledger's
// to sweep, and stays until its last reference is released. It also holds the decoder to a limit.
//
// It serves both sides, whose allocators have the same methods, and any goroutines.
type ledger struct {
	mem   memory.Allocator
	limit int64

	mu   sync.Mutex
	held map[*byte]entry
	used int64 // bytes held and not handed out
}

type entry struct {
	b   []byte
	out bool // handed out
}

// overLimit is what a ledger panics with when more than its limit is asked for: an allocator cannot return an error.
type overLimit struct{ bytes, limit int64 }

func newLedger(mem memory.Allocator, limit int64) *ledger {
	if mem == nil {
		mem = memory.DefaultAllocator
	}
	return &ledger{mem: mem, limit: limit, held: make(map[*byte]entry)}
}

// Allocate is part of memory.Allocator.
func (l *ledger) Allocate(size int) []byte {
	if size <= 0 {
		return []byte{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reserve(int64(size))
	return l.enter(l.mem.Allocate(size))
}

// Reallocate is part of memory.Allocator.
func (l *ledger) Reallocate(size int, b []byte) []byte {
	if len(b) == 0 {
		return l.Allocate(size)
	}
	if size <= 0 {
		l.Free(b)
		return []byte{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	old, ok := l.held[unsafe.SliceData(b)]
	if !ok {
		return copied(size, b)
	}
	l.reserve(int64(size - len(old.b)))
	l.strike(old)
	return l.enter(l.mem.Reallocate(size, old.b))
}

// Free is part of memory.Allocator. Memory that was swept is not freed again.
func (l *ledger) Free(b []byte) {
	if len(b) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.held[unsafe.SliceData(b)]; ok {
		l.strike(e)
		l.mem.Free(e.b)
	}
}

// handOut takes the buffers of an array, its children and its dictionary out of what sweep gives back.
func (l *ledger) handOut(d v18arrow.ArrayData) {
	for _, b := range d.Buffers() {
		l.handOutBuffer(b)
	}
	for _, c := range d.Children() {
		l.handOut(c)
	}
	if values, ok := d.Dictionary().(*v18array.Data); ok && values != nil {
		l.handOut(values)
	}
}

func (l *ledger) handOutBuffer(b *v18memory.Buffer) {
	for b != nil && b.Parent() != nil {
		b = b.Parent()
	}
	if b == nil || b.Cap() == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	first := unsafe.SliceData(b.Buf())
	if e, ok := l.held[first]; ok && !e.out {
		e.out = true
		l.held[first] = e
		l.used -= int64(len(e.b))
	}
}

// sweep gives back what is held and was not handed out. Nothing may use that memory any more.
func (l *ledger) sweep() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.held {
		if !e.out {
			l.strike(e)
			l.mem.Free(e.b)
		}
	}
}

func (l *ledger) reserve(more int64) {
	if l.used+more > l.limit {
		panic(overLimit{l.used + more, l.limit})
	}
}

func (l *ledger) enter(b []byte) []byte {
	l.held[unsafe.SliceData(b)] = entry{b: b}
	l.used += int64(len(b))
	return b
}

func (l *ledger) strike(e entry) {
	delete(l.held, unsafe.SliceData(e.b))
	if !e.out {
		l.used -= int64(len(e.b))
	}
}
