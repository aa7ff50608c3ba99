package command_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/command"
	"github.com/braidmerge/braid/bench/workload"
)

// bench runs a command line and returns the exit code and what it wrote.
func bench(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = command.Run(context.Background(), args, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, 0, ""},
		{[]string{"run", "--help"}, 0, ""},
		{[]string{"list", "--cells", "dedup"}, 0, ""},
		{[]string{"walk"}, 2, "bench --help"},
		{[]string{"run", "--cells", "nothing"}, 2, `no cell matches "nothing"`},
		{[]string{"run", "--rows", "1"}, 2, "--rows 1"},
		{[]string{"run", "--rounds", "0"}, 2, "bench run --help"},
		{[]string{"run", "--threads", "0"}, 2, "--threads 0"},
		{[]string{"run", "--tier", "mmx"}, 2, "mmx"},
		{[]string{"run", "--tracks", "C"}, 2, "--tracks"},
		{[]string{"peers", "--only", "oracle"}, 2, "oracle"},
		{[]string{"peers", "--rounds", "0"}, 2, "--rounds"},
		{[]string{"gate", "--rounds", "0"}, 2, "--rounds 0"},
		{[]string{"plot", "nowhere.jsonl"}, 1, "nowhere.jsonl"},
		{[]string{"report", "nowhere.jsonl"}, 1, "nowhere.jsonl"},
		{[]string{"run", "--flights", "nowhere.parquet"}, 1, "nowhere.parquet"},
		{[]string{"compare", "nowhere.jsonl", "nowhere.jsonl"}, 1, "nowhere.jsonl"},
	} {
		code, _, errs := bench(t, c.args...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit code %d, want %d; said %q, want %q", c.args, code, c.code, errs, c.says)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if code := command.Run(ctx, []string{"run", "--cells", "dedup/int64/k8/dup10", "--rows", "10000"}, &out, &errs); code != 130 {
		t.Errorf("exit code %d, said %q", code, errs.String())
	}
}

func TestGenThenRun(t *testing.T) {
	data := t.TempDir()
	const cell = "dedup/int64/k8/dup10/uniform/mixed"
	if code, out, errs := bench(t, "gen", "--cells", cell, "--rows", "10000", "--data", data); code != 0 || !strings.Contains(out, "rows of") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	dirs, err := filepath.Glob(filepath.Join(data, "*", "*", workload.ManifestFile))
	if err != nil || len(dirs) != 1 {
		t.Fatalf("manifests: %v %v", dirs, err)
	}
	lines := filepath.Join(t.TempDir(), "lines.jsonl")
	run := []string{"run", "--cells", cell, "--rows", "10000", "--data", data, "--tracks", "A,B", "--rounds", "2", "-o", lines, "--tier", "portable"}
	for range 2 {
		if code, _, errs := bench(t, run...); code != 0 {
			t.Fatalf("exit code %d: %s", code, errs)
		}
	}
	got, err := cells.Read(lines)
	if err != nil || len(got) != 6 {
		t.Fatalf("%d lines, %v", len(got), err)
	}
	if got[0].Tier != "portable" {
		t.Errorf("tier %q", got[0].Tier)
	}
	if code, out, errs := bench(t, "compare", lines, lines); code != 0 || !strings.Contains(out, cell) {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
}

// TestPeersThatAreNotThere: one line each, and this library's own figures all the same.
func TestPeersThatAreNotThere(t *testing.T) {
	dir := t.TempDir()
	lines := filepath.Join(dir, "peers.jsonl")
	code, out, errs := bench(t, "peers", "--cells", "dedup/int64/k2/dup10/uniform/mixed", "--rows", "10000", "--rounds", "1", "--data", dir, "--envs", dir,
		"-o", lines, "--only", "polars,lakesoul")
	if code != 0 || !strings.Contains(out, "lakesoul: left out") || !strings.Contains(out, "polars dedup/int64/k2/dup10/uniform/mixed A: missing") {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
	got, err := cells.Read(lines)
	if err != nil || len(got) != 2 || !got[0].Timed() || got[1].Timed() {
		t.Errorf("%d lines, %v", len(got), err)
	}
}

func TestGateWithoutTheOtherCommit(t *testing.T) {
	if code, out, errs := bench(t, "gate", "--base", "no-such-commit", "--repo", "../.."); code != 0 || !strings.Contains(out, "nothing to compare with") {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
}

func TestPlotAndReport(t *testing.T) {
	dir := t.TempDir()
	lines := filepath.Join(dir, "lines.jsonl")
	for _, cell := range []string{"dedup/int64/k2/dup10/uniform/mixed", "dedup/int64/k4/dup10/uniform/mixed"} {
		if code, _, errs := bench(t, "run", "--cells", cell, "--rows", "10000", "--rounds", "1", "-o", lines); code != 0 {
			t.Fatal(errs)
		}
	}
	if code, out, errs := bench(t, "plot", lines, "-o", dir); code != 0 || !strings.Contains(out, "runs-dedup-int64-dup10-A.svg") {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
	document := filepath.Join(dir, "doc.md")
	original, err := os.ReadFile("../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(document, original, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := bench(t, "report", lines, "--document", document, "--pictures", filepath.Join(dir, "pictures")); code != 0 {
		t.Fatal(errs)
	}
	text, err := os.ReadFile(document)
	if err != nil || !strings.Contains(string(text), "](pictures/runs-dedup-int64-dup10-A.svg)") || !strings.Contains(string(text), "## Run it again") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestWrongAnswerEndsInAnError(t *testing.T) {
	data := t.TempDir()
	const cell = "dedup/int64/k8/dup10/uniform/mixed"
	if code, _, errs := bench(t, "gen", "--cells", cell, "--rows", "10000", "--data", data, "--formats", "arrow"); code != 0 {
		t.Fatal(errs)
	}
	dirs, err := filepath.Glob(filepath.Join(data, "*", "*"))
	if err != nil || len(dirs) != 1 {
		t.Fatal(dirs, err)
	}
	m, err := workload.ReadManifest(dirs[0])
	if err != nil {
		t.Fatal(err)
	}
	job := m.Jobs["dedup"]
	job.Answer.Rows++
	m.Jobs["dedup"] = job
	if err := m.Write(dirs[0]); err != nil {
		t.Fatal(err)
	}
	code, out, _ := bench(t, "run", "--cells", cell, "--rows", "10000", "--data", data, "--tracks", "B", "--formats", "arrow", "--rounds", "1")
	if code != 1 || !strings.Contains(out, cells.WrongAnswer) {
		t.Errorf("exit code %d: %s", code, out)
	}
}

func TestGateFalls(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, ns float64) string {
		l := cells.Line{System: cells.System, Cell: "dedup/int64/k8/dup10/uniform/mixed", Track: "A", Job: "dedup", Key: "int64", Threads: 1, Rows: 10}
		l.CPU.Min, l.CPU.Median, l.CPU.Max = ns, ns, ns
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := l.WriteTo(f); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old, slow := write("old.jsonl", 10), write("new.jsonl", 11.5)
	if code, _, errs := bench(t, "compare", old, slow); code != 1 || !strings.Contains(errs, "dedup/int64 A takes 1.15 times as long") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if code, _, errs := bench(t, "compare", "--limit", "20", old, slow); code != 0 {
		t.Errorf("exit code %d: %s", code, errs)
	}
}
