//go:build !unix

package main

// peakResident returns the most bytes of memory this process has had so far, 0 if not known.
func peakResident() int64 { return 0 }
