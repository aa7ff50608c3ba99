package fuzz_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/testscale"
)

// askChangelog puts a random problem and shows it if the answer is wrong.
func askChangelog(t *testing.T, seed uint64, rows int) bool {
	t.Helper()
	q := newChangelogQuestion(seed, rows)
	if wrong := q.ask(nil); wrong != "" {
		t.Errorf("seed %d, %d rows: %s\n%s", seed, rows, wrong, q)
		return false
	}
	return true
}

// TestChangelogDifferential compares changelogs and merges by level with those of the row merger, on random problems that are
// the same at every run. BRAID_SAMPLE and BRAID_SEED are as for TestDifferential.
func TestChangelogDifferential(t *testing.T) {
	seed := uint64(testscale.Number(t, "BRAID_SEED", 1))
	for _, c := range []class{{3000, 20, 1}, {1000, 120, 1}, {60, 2000, 1}, {3, 100_000, 1}} {
		putAll(t, c.problems, func(i uint64) bool { return askChangelog(t, seed+i, c.rows) })
	}
	goleak.VerifyNone(t)
}

// changelogSizes are the rows of problems of TestChangelogSoak, in turn: most are small, and the largest have several windows.
var changelogSizes = []int{100_000, 15, 10_000, 400, 4_000, 60, 30_000, 1_000, 150, 15_000, 30}

// TestChangelogSoak compacts BRAID_SOAK_ROWS rows in problems of all sizes.
func TestChangelogSoak(t *testing.T) {
	going, shares := startSoak(t, 1_000_000), tally{}
	for seed, ok := going.next(); ok; seed, ok = going.next() {
		size := going.most(changelogSizes[seed%uint64(len(changelogSizes))])
		q := newChangelogQuestion(seed, size)
		if wrong := q.ask(nil); wrong != "" {
			t.Errorf("seed %d, %d rows: %s\n%s", seed, size, wrong, q)
		}
		going.add(q.rows, q.answered)
		shares.note(q.Spec, q.rows)
		shares.add("producer "+q.producer, q.rows)
	}
	t.Logf("%s%s", going, shares)
}

// TestChangelogComparisonSees wants the comparison to notice changes and rows that are wrong.
func TestChangelogComparisonSees(t *testing.T) {
	for name, spoil := range map[string]func(*rowmerge.Compaction) bool{
		"kind": func(c *rowmerge.Compaction) bool {
			if len(c.Changelog) > 0 {
				c.Changelog[0].Kind ^= 3
			}
			return len(c.Changelog) > 0
		},
		"a change too few": func(c *rowmerge.Compaction) bool {
			had := len(c.Changelog) > 0
			c.Changelog = c.Changelog[:max(0, len(c.Changelog)-1)]
			return had
		},
		"a row too few": func(c *rowmerge.Compaction) bool {
			had := len(c.Rows) > 0
			c.Rows = c.Rows[:max(0, len(c.Rows)-1)]
			return had
		},
	} {
		spoiled := 0
		for seed := range uint64(100) {
			did := false
			wrong := newChangelogQuestion(seed, 30).ask(func(c *rowmerge.Compaction) { did = spoil(c) })
			if did {
				spoiled++
				if wrong == "" {
					t.Errorf("%s: seed %d: nothing is noticed", name, seed)
				}
			}
		}
		if spoiled < 20 {
			t.Errorf("%s: only %d problems were spoiled", name, spoiled)
		}
	}
}

// FuzzChangelog is the random problems for go test -fuzz.
func FuzzChangelog(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(seed, uint16(20))
	}
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16) { askChangelog(t, seed, int(rows%500)) })
}
