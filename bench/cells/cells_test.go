package cells_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/workload"
)

func parse(t *testing.T, cell string) workload.Name {
	t.Helper()
	n, err := workload.Parse(cell)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func measured(t *testing.T, s cells.Settings, cell string) []cells.Line {
	t.Helper()
	var lines []cells.Line
	err := cells.NewMeasurer(s).Measure(context.Background(), parse(t, cell), func(l *cells.Line) error {
		lines = append(lines, *l)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func settings(t *testing.T) cells.Settings {
	return cells.Settings{Rows: 10_000, Seed: 1, Rounds: 3, Threads: 1, Memory: true, Formats: workload.Formats, Data: t.TempDir()}
}

func TestBothTracks(t *testing.T) {
	s := settings(t)
	lines := measured(t, s, "dedup/int64/k8/dup50/uniform/mixed")
	if len(lines) != 4 {
		t.Fatalf("%d lines, want one from memory and three from files", len(lines))
	}
	for _, l := range lines {
		if !l.Timed() || l.CPU.Min <= 0 || l.CPU.Min > l.CPU.Median || l.CPU.Median > l.CPU.Max || l.NS.Median <= 0 || l.GBs <= 0 || l.CopyFloor <= 0 {
			t.Errorf("%v: figures are missing: %+v", l.Subject(), l)
		}
		if l.RowsOut == 0 || l.RowsOut >= l.Rows || l.Hash == "" || l.Hash != lines[0].Hash || l.Stages == nil || l.Stages.Columns <= 0 {
			t.Errorf("%v: what was merged is missing: %+v", l.Subject(), l)
		}
		if (l.Track == cells.TrackFiles) != (l.DecodeCPU > 0) {
			t.Errorf("%v: decoding alone took %v", l.Subject(), l.DecodeCPU)
		}
	}
	if left, err := filepath.Glob(filepath.Join(s.Data, "*", "*")); err != nil || len(left) > 0 {
		t.Errorf("files stay: %v %v", left, err)
	}
}

func TestWindowsAllocateNothing(t *testing.T) {
	s := settings(t)
	s.Rows, s.Formats = 800_000, nil
	l := measured(t, s, "dedup/int64/k8/dup10/uniform/mixed")[0]
	if l.Allocations == nil || *l.Allocations != 0 {
		t.Errorf("allocations a window: %v", l.Allocations)
	}
}

func TestViews(t *testing.T) {
	s := settings(t)
	s.Formats = nil
	text := measured(t, s, "dedup/int64/k8/dup50/uniform/text100")[0]
	s.Views = true
	views := measured(t, s, "dedup/int64/k8/dup50/uniform/text100")[0]
	if !views.Timed() || !views.Views || views.Hash != text.Hash || views.CopyFloor >= text.CopyFloor || views.Subject() == text.Subject() {
		t.Errorf("views %+v\ntext %+v", views, text)
	}
}

func TestThreads(t *testing.T) {
	s := settings(t)
	s.Threads, s.Formats = 3, nil
	if l := measured(t, s, "partial/int64/k8/dup50/uniform/mixed")[0]; !l.Timed() || l.Threads != 3 {
		t.Errorf("line %+v", l)
	}
}

func TestFilesThatAreThereStay(t *testing.T) {
	s := settings(t)
	n := parse(t, "dedup/int64/k2/dup10/uniform/mixed")
	dir, _, made, err := cells.Files(context.Background(), s.Data, n, s.Rows, s.Seed, []string{workload.Zstd})
	if err != nil || !made {
		t.Fatal(made, err)
	}
	for range 2 { // the first lacks formats, the second does not
		for _, l := range measured(t, s, n.String()) {
			if !l.Timed() {
				t.Errorf("%v: %s", l.Subject(), l.Status)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, workload.ManifestFile)); err != nil {
			t.Error(err)
		}
	}
}

// TestWrongAnswerHasNoFigures tampers with the answer of a workload's files.
func TestWrongAnswerHasNoFigures(t *testing.T) {
	s := settings(t)
	s.Memory, s.Formats = false, []string{workload.Arrow}
	n := parse(t, "dedup/int64/k2/dup10/uniform/mixed")
	dir, m, _, err := cells.Files(context.Background(), s.Data, n, s.Rows, s.Seed, s.Formats)
	if err != nil {
		t.Fatal(err)
	}
	m.Jobs["dedup"].Answer.Columns["v2"] = "0123456789abcdef"
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	l := measured(t, s, n.String())[0]
	if l.Timed() || !strings.HasPrefix(l.Status, cells.WrongAnswer) || !strings.Contains(l.Status, `"v2"`) || l.CPU.Median != 0 {
		t.Errorf("status %q, %v ns", l.Status, l.CPU)
	}
}

func TestDamagedFileIsAStatus(t *testing.T) {
	s := settings(t)
	s.Memory, s.Formats = false, []string{workload.Parquet}
	n := parse(t, "dedup/int64/k2/dup10/uniform/mixed")
	dir, m, _, err := cells.Files(context.Background(), s.Data, n, s.Rows, s.Seed, s.Formats)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, m.Runs[1].Files[workload.Parquet]), []byte("PAR1 and no more"), 0o666); err != nil {
		t.Fatal(err)
	}
	if l := measured(t, s, n.String())[0]; !strings.HasPrefix(l.Status, cells.Failed) || strings.Contains(l.Status, "\n") {
		t.Errorf("status %q", l.Status)
	}
}

func TestNoDiskLeftIsAStatus(t *testing.T) {
	s := settings(t)
	s.Memory, s.Rows = false, workload.MaxRows
	for _, l := range measured(t, s, "dedup/user/k8/dup40/zipf/ycsb") {
		if l.Timed() || !strings.Contains(l.Status, cells.ErrDisk.Error()) || strings.Contains(l.Status, "\n") {
			t.Errorf("status %q", l.Status)
		}
	}
}

func TestLinesReadBack(t *testing.T) {
	s := settings(t)
	lines := measured(t, s, "first/int64/k8/dup50/uniform/mixed")
	path := filepath.Join(t.TempDir(), "lines.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if _, err := l.WriteTo(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	back, err := cells.Read(path)
	if err != nil || len(back) != len(lines) || back[0].Subject() != lines[0].Subject() || back[0].CPU != lines[0].CPU {
		t.Errorf("read %d lines of %d, %v", len(back), len(lines), err)
	}
	for _, text := range []string{"{", `{"cell": ""}`, "[]"} {
		if err := os.WriteFile(path, []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := cells.Read(path); err == nil || !strings.Contains(err.Error(), ":1:") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}
