package gate_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/gate"
	"github.com/braidmerge/braid/bench/measure"
	"github.com/braidmerge/braid/bench/workload"
)

// figures is a build that takes these times, one after another, the last again and again.
func figures(change func(*cells.Line), ns ...float64) gate.Measure {
	return func(_ context.Context, n workload.Name) (cells.Line, error) {
		l := cells.NewLine(cells.System, n, nil, cells.TrackMemory, "")
		l.Rows, l.CPU = 1000, measure.Spread{Min: ns[0], Median: ns[0], Max: ns[0]}
		if len(ns) > 1 {
			ns = ns[1:]
		}
		if change != nil {
			change(&l)
		}
		return l, nil
	}
}

func allocating(each int64) func(*cells.Line) {
	return func(l *cells.Line) { l.Allocations = &each }
}

func TestVerdicts(t *testing.T) {
	wrong := func(l *cells.Line) { l.Status = cells.WrongAnswer + ": 3 rows" }
	for _, c := range []struct {
		name  string
		now   gate.Measure
		fault string
	}{
		{"as before", figures(nil, 10), ""},
		{"somewhat slower", figures(nil, 14), ""},
		{"slow once", figures(nil, 20, 10), ""},
		{"slow twice", figures(nil, 20, 19), "1.90 times the processor time"},
		{"allocates nothing", figures(allocating(0), 10), ""},
		{"allocates", figures(allocating(2), 10), "2 allocations a window"},
		{"wrong", figures(wrong, 10), cells.WrongAnswer},
	} {
		var out bytes.Buffer
		err := gate.Judge(context.Background(), figures(nil, 10), c.now, workload.Small()[:1], &out)
		if c.fault == "" && err != nil || c.fault != "" && (!errors.Is(err, gate.ErrFell) || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

func TestRatiosAreWritten(t *testing.T) {
	var out bytes.Buffer
	if err := gate.Judge(context.Background(), figures(nil, 10), figures(nil, 12), workload.Small(), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "median 1.20, from 1.20 to 1.20, 18 cells") {
		t.Error(out.String())
	}
}

// TestOtherCommits: one that is not there, and one that does not build with the benchmarks of the checkout.
func TestOtherCommits(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	write("go.mod", "module example.com/lib\n\ngo 1.25.0\n")
	write("lib.go", "package lib\n\nfunc Old() {}\n")
	write("bench/go.mod", "module example.com/lib/bench\n\ngo 1.25.0\n\nreplace example.com/lib => ../\n\nrequire example.com/lib v0.0.0\n")
	write("bench/main.go", "package main\n\nimport \"example.com/lib\"\n\nfunc main() { lib.Old() }\n")
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "old")
	ctx := context.Background()
	if program, err := gate.Build(ctx, root, "HEAD", t.TempDir()); err != nil {
		t.Error(err)
	} else if err := exec.Command(program).Run(); err != nil {
		t.Error(err)
	}
	if _, err := gate.Build(ctx, root, "HEAD~7", t.TempDir()); !errors.Is(err, gate.ErrNotComparable) {
		t.Errorf("error %v", err)
	}
	write("bench/main.go", "package main\n\nimport \"example.com/lib\"\n\nfunc main() { lib.New() }\n")
	if _, err := gate.Build(ctx, root, "HEAD", t.TempDir()); !errors.Is(err, gate.ErrNotComparable) || !strings.Contains(err.Error(), "lib.New") {
		t.Errorf("error %v", err)
	}
}
