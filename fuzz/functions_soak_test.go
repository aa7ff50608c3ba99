package fuzz_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/braidmerge/braid/internal/rungen"
)

// referenceSizes are the rows of problems of soaks that the reference answers, in turn; 0 is the size that the spec was drawn
// with, which is mostly a small one.
var referenceSizes = []int{100_000, 0, 4_000, 0, 30_000, 1_000, 0, 60_000, 300, 0, 10_000, 0}

// mostCells bounds the rows of large problems times their columns, of which nested ones count nestedCells times.
const (
	mostCells   = 300_000
	nestedCells = 4
)

// drawnRows bounds the rows that specs of soaks are drawn with, and wholeRows those of problems whose batches may have a few
// rows each: what batches cost hides what merges do.
const (
	drawnRows = 20_000
	wholeRows = 2_000
)

// hotRows bounds the rows of problems in which one key has half of the rows and a function makes a list of them, which the
// reference copies row by row.
const hotRows = 4_000

// soakSpec draws a problem that the reference answers.
func soakSpec(seed uint64, going *soaking) rungen.Spec {
	spec := rungen.Random(seed, drawnRows)
	if size := referenceSizes[seed%uint64(len(referenceSizes))]; size > 0 {
		enlarge(&spec, min(going.most(size), mostCells/width(spec)))
	}
	if lists(spec) && spec.Shape == rungen.Hot {
		spec.Rows = min(spec.Rows, hotRows)
	}
	switch spec.Batch {
	case "1", "2", "7", rungen.BatchTiny:
		if spec.Rows > wholeRows {
			spec.Batch = []string{"", rungen.BatchMixed, "1000", "1024", "4096"}[seed%5]
		}
	}
	return spec
}

// width counts the columns of a problem by what their values cost.
func width(s rungen.Spec) int {
	n := len(s.Keys) + s.Partitions
	for _, c := range slices.Concat(s.Values, s.Sequence) {
		if n++; strings.Contains(c.Type, "<") {
			n += nestedCells - 1
		}
	}
	return n
}

// enlarge gives a spec another number of rows. Keys become as many times more, so that each comes about as often, but not all
// of them do.
func enlarge(s *rungen.Spec, rows int) {
	if s.Universe > 0 && (lists(*s) || s.Seed%4 > 0) {
		s.Universe = min(max(1, s.Universe*rows/max(1, s.Rows)), 4*rows)
	}
	s.Rows = rows
}

// lists reports whether a problem has a function that puts one after another what the rows of a key have.
func lists(s rungen.Spec) bool {
	for _, value := range s.Options {
		switch value {
		case "listagg", "collect", "nested_update":
			return true
		}
	}
	return false
}

// TestFunctionSoak merges BRAID_SOAK_ROWS rows of every engine and function, all answered by the reference. Three problems in four
// have an engine that computes: functions, sequence groups or supplied columns.
func TestFunctionSoak(t *testing.T) {
	going := startSoak(t, 2_000_000)
	s, picking := soak{going: going}, 0
	for seed, ok := going.next(); ok; seed, ok = going.next() {
		spec := soakSpec(seed, going)
		if spec.Fault != rungen.NoFault {
			continue
		}
		if !computes(spec) {
			if picking++; picking%4 != 0 {
				continue
			}
		}
		for _, w := range waysOf(spec, 1) {
			s.put(t, question{spec, w}, question.ask)
		}
	}
	t.Logf("%s\nby the reference: %s", going, &s)
}

// computes reports whether a problem has an engine or option that makes values out of several rows.
func computes(s rungen.Spec) bool {
	for key, value := range s.Options {
		if value == "aggregation" || value == "partial-update-validity" || strings.HasSuffix(key, ".sequence-group") {
			return true
		}
	}
	return false
}
