package main

import "github.com/braidmerge/braid/kernel"

// pooledBytes bounds the memory of batches that have been written which is kept for those to come.
const pooledBytes = 256 << 20

// memoryOf says what memory a merge takes whose batches are written one after another: no more than a limit, or without one that of
// batches that have been written again.
func memoryOf(limit byteSize) kernel.MergeOption {
	if limit > 0 {
		return kernel.WithMemoryLimit(int64(limit))
	}
	return kernel.WithAllocator(kernel.NewPool(pooledBytes))
}
