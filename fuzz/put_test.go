package fuzz_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/braidmerge/braid/internal/testscale"
)

// mostFailures is how many problems that are answered wrongly end a test.
const mostFailures = 5

// putAll puts problems with numbers from 0 on, one in BRAID_SAMPLE of them, as many at a time as there are processors. put
// says whether the answer to one was right, and is called from several goroutines.
func putAll(t *testing.T, problems int, put func(i uint64) bool) {
	t.Helper()
	var wait sync.WaitGroup
	var failed atomic.Int64
	numbers := make(chan uint64)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range numbers {
				if !put(i) {
					failed.Add(1)
				}
			}
		})
	}
	for i := range testscale.Seeds(t, problems) {
		if failed.Load() >= mostFailures {
			break
		}
		numbers <- i
	}
	close(numbers)
	wait.Wait()
	if failed.Load() >= mostFailures {
		t.Fatal("more problems are not put")
	}
}
