package fuzz_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
)

// soaking is a soak under way: it counts rows, and tells now and then how far it has come.
type soaking struct {
	t     *testing.T
	rows  int64  // wanted, in answers without an error
	seed  uint64 // of the next problem
	start time.Time
	told  time.Time

	done, answered int64 // rows put, and those of them that are in answers without an error
}

// tellEvery is the time between two lines of a soak.
const tellEvery = 20 * time.Second

// startSoak reads how many rows a soak is to take, which BRAID_SOAK_ROWS says, a few if it does not, and the seed of its first
// problem, which BRAID_SEED says.
func startSoak(t *testing.T, otherwise int) *soaking {
	t.Helper()
	few := 20_000 / testscale.Sample(t)
	now := time.Now()
	return &soaking{t: t, rows: int64(testscale.Number(t, "BRAID_SOAK_ROWS", few)), seed: uint64(testscale.Number(t, "BRAID_SEED", otherwise)), start: now, told: now}
}

// next gives the seed of the next problem; ok is false if no more are to be put.
func (s *soaking) next() (seed uint64, ok bool) {
	if now := time.Now(); now.Sub(s.told) >= tellEvery {
		s.told = now
		s.t.Log(s)
	}
	if s.answered >= s.rows || s.t.Failed() {
		return 0, false
	}
	s.seed++
	return s.seed - 1, true
}

// add counts a problem of so many rows, whose answer may have been an error.
func (s *soaking) add(rows int64, answered bool) {
	s.done += rows
	if answered {
		s.answered += rows
	}
}

// most is the size of a problem that would have that many rows in a long soak.
func (s *soaking) most(rows int) int { return int(min(int64(rows), s.rows)) }

func (s *soaking) String() string {
	spent := time.Since(s.start)
	return fmt.Sprintf("%d rows, %d of %d wanted in answers without an error, in %v, %.0f rows/s; next seed: %d", s.done, s.answered, s.rows,
		spent.Round(time.Millisecond), float64(s.done)/spent.Seconds(), s.seed)
}

// tally counts rows and problems by what the problems have: engines, functions, modes.
type tally map[string]*tallied

type tallied struct{ rows, problems int64 }

// note counts a problem of a spec, which has so many rows.
func (c tally) note(s rungen.Spec, rows int64) {
	words := map[string]bool{"engine " + engineOf(s): true, "default mode": true}
	if s.Options["braid.strict"] == "true" {
		delete(words, "default mode")
		words["strict mode"] = true
	}
	for key, value := range s.Options {
		if strings.HasSuffix(key, "aggregate-function") {
			words["function "+value] = true
		}
	}
	for word := range words {
		c.add(word, rows)
	}
}

// add counts a problem of so many rows for a word.
func (c tally) add(word string, rows int64) {
	if c[word] == nil {
		c[word] = &tallied{}
	}
	c[word].rows += rows
	c[word].problems++
}

func (c tally) String() string {
	var b strings.Builder
	for _, word := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&b, "\n  %-40s %12d rows %9d problems", word, c[word].rows, c[word].problems)
	}
	return b.String()
}
