package pictures_test

import (
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/measure"
	"github.com/braidmerge/braid/bench/pictures"
	"github.com/braidmerge/braid/bench/workload"
)

func line(t *testing.T, system, cell string, ns float64) cells.Line {
	t.Helper()
	n, err := workload.Parse(cell)
	if err != nil {
		t.Fatal(err)
	}
	l := cells.NewLine(system, n, nil, cells.TrackMemory, "")
	l.Rows, l.Ordered = 1000, true
	l.CPU = measure.Spread{Min: ns, Median: ns, Max: ns}
	l.NS = l.CPU
	if system == cells.System {
		l.Tier, l.Stages = "avx2", &cells.Stages{Cut: 1, Order: ns / 2, Columns: ns / 3}
	}
	return l
}

// lines are a grid of figures.
func lines(t *testing.T) []cells.Line {
	var all []cells.Line
	for _, k := range []int{2, 8, 64} {
		for _, share := range []int{0, 10, 47} {
			cell := fmt.Sprintf("dedup/int64/k%d/dup%d/uniform/mixed", k, share)
			all = append(all, line(t, cells.System, cell, 23), line(t, "polars", cell, 50+float64(k)))
			unordered := line(t, "clickhouse", cell, 130)
			unordered.Ordered = false
			all = append(all, unordered)
		}
	}
	portable, two := line(t, cells.System, "dedup/int64/k8/dup10/uniform/mixed", 99), line(t, cells.System, "dedup/int64/k8/dup10/uniform/mixed", 14)
	portable.Tier, two.Threads = "portable", 2
	return append(all, portable, two)
}

func TestEveryPictureIsDrawn(t *testing.T) {
	dir := t.TempDir()
	names, err := pictures.Draw(lines(t), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"share-dedup-int64-k8-A", "runs-dedup-int64-dup10-A", "stages-dedup-int64-A", "tiers", "threads"} {
		for _, ext := range []string{".svg", ".png"} {
			if !slices.Contains(names, filepath.Join(dir, name+ext)) {
				t.Errorf("no picture %s%s among %v", name, ext, names)
			}
		}
		f, err := os.Open(filepath.Join(dir, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(f)
		f.Close()
		if err != nil || picture.Bounds().Dx() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAPictureSaysWhatItShows(t *testing.T) {
	dir := t.TempDir()
	if _, err := pictures.Draw(lines(t), dir); err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"share-dedup-int64-k8-A": {"Deduplicate, 8 runs, key int64, from memory", "braid", "polars", "clickhouse, no order", ">23<", ">47<"},
		"stages-dedup-int64-A":   {"Where the time of a merge goes", "order", "columns"},
		"tiers":                  {"portable", "avx2"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		if name != "tiers" && strings.Contains(string(text), ">99<") {
			t.Errorf("%s shows the figure of a lower tier", name)
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	failed := line(t, cells.System, "dedup/int64/k8/dup10/uniform/mixed", 20)
	failed.Status = cells.NotSupported
	for _, lines := range [][]cells.Line{nil, {failed}} {
		if _, err := pictures.Draw(lines, t.TempDir()); !errors.Is(err, pictures.ErrNothing) {
			t.Errorf("error %v", err)
		}
	}
}
