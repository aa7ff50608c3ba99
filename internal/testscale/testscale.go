// Package testscale says how much tests do, where that is not the same everywhere. A build that is slow, of the race detector or
// under an emulator, runs one random problem in so many; everything else about a test stays as it is.
//
// The sample is a number from 1 on, which the environment variable BRAID_SAMPLE names; without it, it is 1 and tests are
// whole. Of problems numbered from 0 a sample of 4 keeps these:
//
//	0  1  2  3  4  5  6  7  8  9
//	*           *           *
//
// What a test wants to have seen of its problems has to shrink with them.
package testscale

import (
	"iter"
	"os"
	"strconv"
	"testing"
)

// Sample is the sample that is asked for.
func Sample(t testing.TB) int {
	t.Helper()
	return Number(t, "BRAID_SAMPLE", 1)
}

// Seeds gives every Sample-th number from 0 to below problems.
func Seeds(t testing.TB, problems int) iter.Seq[uint64] {
	t.Helper()
	sample := Sample(t)
	return func(yield func(uint64) bool) {
		for seed := 0; seed < problems && yield(uint64(seed)); seed += sample {
		}
	}
}

// Few is the Sample-th part of n, but at least the least number that is worth a test.
func Few(t testing.TB, n, least int) int {
	t.Helper()
	return max(n/Sample(t), min(n, least))
}

// Number reads an environment variable that is a number from 1 on. Anything else in it fails the test.
func Number(t testing.TB, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, no number from 1 on", name, text)
	}
	return n
}
