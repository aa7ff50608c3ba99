package kernel

import "sync"

// Pool is an allocator that keeps what is freed for the next time, so that the records of a merge are written to memory that is
// mapped and in the cache already: fresh memory costs about as much as a stage of a merge. It pays where records are released soon
// after they have been handed out. Give it to merges with WithAllocator; it serves any number of them, and of goroutines, at once.
//
// Memory it gives holds anything, and goes back to it when a record that has been released for the last time was made of it: who
// keeps a slice of values beyond that, as garbage collection usually lets one, reads the values of another record.
type Pool struct {
	mu   sync.Mutex
	kept scratch // guarded by mu
}

// NewPool makes a pool that keeps up to so many bytes. What is freed beyond them is left to the garbage collector.
func NewPool(bytes int64) *Pool { return &Pool{kept: scratch{blocks: maxPooled, limit: max(1, bytes)}} }

// maxPooled bounds how many blocks a pool keeps: the buffers of some records of many columns.
const maxPooled = 1 << 10

// Allocate returns size bytes that hold anything, aligned to 64.
func (p *Pool) Allocate(size int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept.Allocate(size)
}

// Reallocate returns size bytes that begin with those of b, which it takes over.
func (p *Pool) Reallocate(size int, b []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept.Reallocate(size, b)
}

// Free takes b, which Allocate or Reallocate has returned, back.
func (p *Pool) Free(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept.Free(b)
}

// Kept returns how many bytes wait to be used again.
func (p *Pool) Kept() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept.bytes
}
