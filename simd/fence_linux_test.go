package simd_test

import (
	"runtime/debug"
	"syscall"
	"testing"
)

// fences says whether memory can be forbidden on this system.
const fences = true

// newFence maps memory for size bytes and, right behind them, a page that nothing may touch. size is rounded up to whole
// pages. A touch is a panic.
func newFence(t testing.TB, size int) *fence {
	t.Helper()
	page := syscall.Getpagesize()
	size = (size + page - 1) / page * page
	mem, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mprotect(mem[size:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	before := debug.SetPanicOnFault(true)
	t.Cleanup(func() {
		debug.SetPanicOnFault(before)
		if err := syscall.Munmap(mem); err != nil {
			t.Error(err)
		}
	})
	return &fence{mem: mem[:size:size]}
}
