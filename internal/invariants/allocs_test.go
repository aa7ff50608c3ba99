//go:build !invariants

package invariants_test

import (
	"testing"

	"github.com/braidmerge/braid/internal/invariants"
)

func TestNothingAllocatesWhenOff(t *testing.T) {
	words := make([]int64, 100)
	rows := 100_000
	allocs := testing.AllocsPerRun(100, func() {
		rows++
		invariants.Check(rows > 0, "rows %d of %d words", rows, len(words))
		invariants.Mangle(words)
		if invariants.Sometimes(100) {
			rows = 0
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations a run, want none", allocs)
	}
}
