package cputier

import "github.com/klauspost/cpuid/v2"

const (
	// defaultL2 is a size in bytes that the L2 cache of a current server core
	// does not fall below.
	defaultL2 = 512 << 10
	// defaultLine is the usual cache line in bytes.
	defaultLine = 64
)

// L2Bytes returns the size in bytes of the L2 cache that one core uses, and
// 512 KiB where the processor does not say.
func L2Bytes() int { return knownOr(cpuid.CPU.Cache.L2, defaultL2) }

// CacheLine returns the size in bytes of a cache line, and 64 where the
// processor does not say.
func CacheLine() int { return knownOr(cpuid.CPU.CacheLine, defaultLine) }

// knownOr returns size, or fallback when size is 0 or negative, which is how
// an undetected size is reported.
func knownOr(size, fallback int) int {
	if size <= 0 {
		return fallback
	}
	return size
}
