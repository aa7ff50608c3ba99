package compare_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/compare"
	"github.com/braidmerge/braid/bench/measure"
)

func line(cell string, low, median, high float64) cells.Line {
	job, rest, _ := strings.Cut(cell, "/")
	key, _, _ := strings.Cut(rest, "/")
	return cells.Line{System: cells.System, Cell: cell, Track: "A", Job: job, Key: key, Threads: 1, Rows: 10, CPU: measure.Spread{Min: low, Median: median, Max: high}}
}

func TestMovesAndGates(t *testing.T) {
	old := []cells.Line{
		line("dedup/int64/a", 10, 11, 12), line("dedup/int64/b", 10, 11, 12), line("dedup/int64/c", 10, 11, 12),
		line("dedup/uuid/a", 20, 21, 22), line("first/int64/gone", 1, 1, 1),
	}
	fresh := []cells.Line{
		line("dedup/int64/a", 12.5, 13, 14), line("dedup/int64/b", 11, 12.5, 13), line("dedup/int64/c", 8, 9, 9.5),
		line("dedup/uuid/a", 20, 21.5, 22), line("first/int64/new", 1, 1, 1),
	}
	r := compare.Compare(old, fresh)
	moved := map[string]bool{"dedup/int64/a": true, "dedup/int64/b": false, "dedup/int64/c": true, "dedup/uuid/a": false}
	if len(r.Changes) != len(moved) {
		t.Fatalf("%d changes", len(r.Changes))
	}
	for _, c := range r.Changes {
		if c.Moved() != moved[c.Subject.Cell] {
			t.Errorf("%v: moved %v", c.Subject, c.Moved())
		}
	}
	// Of three ratios 1.18, 1.14 and 0.82 the median is 1.14.
	fallen := r.Fallen(1.1)
	if len(fallen) != 1 || fallen[0].Name != "dedup/int64 A" || fallen[0].Slowest.Subject.Cell != "dedup/int64/a" {
		t.Errorf("fallen: %+v", fallen)
	}
	if len(r.Fallen(1.2)) != 0 {
		t.Error("a gate falls that is within the limit")
	}
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"slower", "faster", "first/int64/gone A", "only in the old", "only in the new", "dedup/int64 A"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
}

func TestLinesWithoutFiguresDoNotCount(t *testing.T) {
	bad := line("dedup/int64/a", 1, 1, 1)
	bad.Status = cells.NotSupported
	if r := compare.Compare([]cells.Line{bad}, []cells.Line{line("dedup/int64/a", 1, 1, 1)}); len(r.Changes) != 0 || len(r.OnlyNew) != 1 {
		t.Errorf("%+v", r)
	}
}
