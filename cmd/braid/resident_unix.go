//go:build unix

package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// peakResident returns the most bytes of memory this process has had so far, 0 if not known. Pages of mapped files count
// while they are in memory.
func peakResident() int64 {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
