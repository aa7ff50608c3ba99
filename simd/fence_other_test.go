//go:build !linux

package simd_test

import "testing"

const fences = false

// newFence is plain memory where there is no way to forbid what lies behind it: the guard values still find stray writes.
func newFence(_ testing.TB, size int) *fence {
	return &fence{mem: make([]byte, (size+4095)&^4095)}
}
