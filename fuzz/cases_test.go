package fuzz

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/braidmerge/braid/internal/testscale"
)

// TestCases puts every case of testdata/cases, and of the files that BRAID_CASES names, to the row merger and to the kernel:
// in two ways each, in all ways with BRAID_CASE_WAYS=all. Of cases made at random, BRAID_SAMPLE makes it one in so many.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob("testdata/cases/*.json*")
	if err != nil || len(paths) == 0 {
		t.Fatal("no case files", err)
	}
	more, err := CasePaths(os.Getenv("BRAID_CASES"))
	if err != nil {
		t.Fatal("BRAID_CASES: ", err)
	}
	ways := someWays
	if os.Getenv("BRAID_CASE_WAYS") == "all" {
		ways = allWays
	}
	for _, path := range append(paths, more...) {
		file, err := LoadCases(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(filepath.Base(path), "random-") {
			file.Cases = sampled(t, file.Cases)
		}
		t.Run(file.Name, func(t *testing.T) {
			report := judged{}.report(file, ways)
			for _, failure := range report.Failures {
				t.Error(failure)
			}
			fmt.Println(report)
		})
	}
}

// sampled keeps one case in BRAID_SAMPLE.
func sampled(t *testing.T, cases []Case) []Case {
	var kept []Case
	for i := range testscale.Seeds(t, len(cases)) {
		kept = append(kept, cases[i])
	}
	return kept
}
