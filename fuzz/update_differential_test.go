package fuzz_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/braidmerge/braid/internal/testscale"
)

// askUpdate puts a random update and shows it if the answer is wrong.
func askUpdate(t *testing.T, seed uint64, rows int) bool {
	t.Helper()
	p := newUpdateProblem(seed, rows)
	if wrong := p.ask(); wrong != "" {
		t.Errorf("seed %d, %d rows: %s\n%s", seed, rows, wrong, p)
		return false
	}
	return true
}

// TestUpdateDifferential compares the kernel with the row merger on random updates, the same at every run. BRAID_SAMPLE and
// BRAID_SEED are as for TestDifferential.
func TestUpdateDifferential(t *testing.T) {
	seed := uint64(testscale.Number(t, "BRAID_SEED", 1))
	for _, c := range []class{{8000, 12, 1}, {2000, 100, 1}, {60, 5000, 1}} {
		putAll(t, c.problems, func(i uint64) bool { return askUpdate(t, seed+i, c.rows) })
	}
	goleak.VerifyNone(t)
}

// TestUpdateSeeds asks the random updates that were answered or judged wrongly once.
func TestUpdateSeeds(t *testing.T) {
	for _, p := range []struct {
		seed uint64
		rows int
	}{
		{1040537, 625},    // an action that sets nothing, whose condition fails, before one that is never taken
		{1046628, 20_000}, // IN with NULL before a number, in frames of one row
	} {
		askUpdate(t, p.seed, p.rows)
	}
}

// TestUpdateSoak updates BRAID_SOAK_ROWS rows in problems of all sizes.
func TestUpdateSoak(t *testing.T) {
	going, problems := startSoak(t, 1_000_000), 0
	for seed, ok := going.next(); ok; seed, ok = going.next() {
		size := 20_000 >> (seed % 12)
		p := newUpdateProblem(seed, size)
		if wrong := p.ask(); wrong != "" {
			t.Errorf("seed %d, %d rows: %s", seed, size, wrong)
		}
		going.add(p.rows(), p.answered)
		problems++
	}
	t.Logf("%s, %d updates", going, problems)
}

// FuzzUpdate is the random updates for go test -fuzz.
func FuzzUpdate(f *testing.F) {
	for seed := range uint64(16) {
		f.Add(seed, uint16(seed*5))
	}
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16) { askUpdate(t, seed, int(rows%300)) })
}

// TestUpdateComparisonFails changes one value of the kernel's answers and wants that noticed.
func TestUpdateComparisonFails(t *testing.T) {
	noticed, tampered := 0, 0
	for seed := range uint64(300) {
		p := newUpdateProblem(seed, 40)
		changed := false
		wrong := p.askWith(func(row []any) {
			if changed || len(row) == 0 {
				return
			}
			if _, ok := row[0].(int64); ok {
				row[0], changed = int64(-424242), true
			}
		})
		if changed {
			tampered++
			if wrong != "" {
				noticed++
			}
		}
	}
	if tampered < 30 || noticed*10 < tampered*7 { // the first row may be a deleted one, of a range that fails, or of an error
		t.Errorf("%d of %d changes were noticed", noticed, tampered)
	}
}
