package peerrun_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/measure"
	"github.com/braidmerge/braid/bench/peerrun"
	"github.com/braidmerge/braid/bench/workload"
)

const cell = "dedup/int64/k4/dup20/uniform/mixed"

// made makes the files of the cell.
func made(t *testing.T) (workload.Name, *workload.Manifest, string) {
	t.Helper()
	n, err := workload.Parse(cell)
	if err != nil {
		t.Fatal(err)
	}
	dir, m, err := workload.Write(context.Background(), t.TempDir(), n, 10_000, 1, []string{workload.Arrow})
	if err != nil {
		t.Fatal(err)
	}
	return n, m, dir
}

// runners are runners whose Python is this test, which then behaves as it is told to.
func runners(t *testing.T, behaviour string) peerrun.Runners {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	envs := t.TempDir()
	bin := filepath.Join(envs, "engines", "bin")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "python")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BRAID_FAKE_PEER", behaviour)
	return peerrun.Runners{Dir: t.TempDir(), Envs: envs}
}

func asked(t *testing.T, behaviour string, limit time.Duration) []*cells.Line {
	t.Helper()
	n, m, dir := made(t)
	systems, err := peerrun.Find([]string{"duckdb"})
	if err != nil {
		t.Fatal(err)
	}
	set := peerrun.Settings{Rounds: 3, Threads: 1, Limit: limit}
	lines, err := runners(t, behaviour).Measure(context.Background(), systems[0], n, m, dir, cells.TrackMemory, workload.Arrow, set)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "peer-*")); err != nil || len(left) > 0 {
		t.Errorf("%s: %v stays", behaviour, left)
	}
	return lines
}

func TestRightAnswerIsTimed(t *testing.T) {
	lines := asked(t, "right", time.Minute)
	if len(lines) != 1 {
		t.Fatalf("%d lines", len(lines))
	}
	l := lines[0]
	if !l.Timed() || !l.Ordered || l.Form != "form" || l.Version != "1.2" || l.Rounds != 3 || l.Hash == "" {
		t.Errorf("line %+v", l)
	}
	want := measure.Spread{Min: 1000 / float64(l.Rows), Median: 2000 / float64(l.Rows), Max: 3000 / float64(l.Rows)}
	if l.NS != want || l.Beside != 50 {
		t.Errorf("figures %v, want %v; %d bytes", l.NS, want, l.Beside)
	}
}

func TestWhatGoesWrongIsOneLine(t *testing.T) {
	for behaviour, want := range map[string]string{
		"wrong value":   cells.WrongAnswer + `: column "v1" has the hash`,
		"lost row":      cells.WrongAnswer + ": ",
		"doubled row":   cells.WrongAnswer + ": ",
		"missing":       cells.Missing + ": no such module",
		"not supported": cells.NotSupported + ": no such merge",
		"raises":        cells.Failed + ": out of memory",
		"dies":          cells.Failed + ": exit status 3: it broke",
		"silent":        cells.Failed + ": unexpected EOF",
		"babbles":       cells.Failed + `: it wrote "hello"`,
		"out of turn":   cells.Failed + `: it said "timed", ready was expected`,
		"few figures":   cells.Failed + ": it gave 1 figures of 3",
		"no stream":     cells.Failed + ": ",
	} {
		lines := asked(t, behaviour, time.Minute)
		if len(lines) != 1 || lines[0].Timed() || !strings.HasPrefix(lines[0].Status, want) || strings.Contains(lines[0].Status, "\n") {
			for _, l := range lines {
				t.Errorf("%s: %q, want %q", behaviour, l.Status, want)
			}
		}
	}
}

func TestTimeIsUp(t *testing.T) {
	began := time.Now()
	lines := asked(t, "sleeps", 300*time.Millisecond)
	if len(lines) != 1 || lines[0].Status != cells.Failed+": its time is up" {
		t.Errorf("lines %+v", lines[0])
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestRowsInNoOrderAreToldApart(t *testing.T) {
	lines := asked(t, "two forms", time.Minute)
	if len(lines) != 2 || lines[0].Form != "unordered" || lines[0].Ordered || lines[1].Form != "form" || !lines[1].Ordered {
		t.Fatalf("lines %+v", lines)
	}
}

func TestMissingEnvironment(t *testing.T) {
	n, m, dir := made(t)
	systems, err := peerrun.Find([]string{"polars"})
	if err != nil {
		t.Fatal(err)
	}
	r := peerrun.Runners{Dir: t.TempDir(), Envs: t.TempDir()}
	lines, err := r.Measure(context.Background(), systems[0], n, m, dir, cells.TrackMemory, workload.Arrow, peerrun.Settings{Rounds: 1, Threads: 1, Limit: time.Minute})
	if err != nil || len(lines) != 1 || !strings.HasPrefix(lines[0].Status, cells.Missing) || !strings.Contains(lines[0].Status, "make peers") {
		t.Errorf("%v %v", lines, err)
	}
}

func TestInterrupted(t *testing.T) {
	n, m, dir := made(t)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	systems, err := peerrun.Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = runners(t, "sleeps").Measure(ctx, systems[0], n, m, dir, cells.TrackMemory, workload.Arrow, peerrun.Settings{Rounds: 1, Threads: 1, Limit: time.Minute})
	if err == nil {
		t.Error("no error")
	}
}

func TestFind(t *testing.T) {
	if all, err := peerrun.Find(nil); err != nil || len(all) != len(peerrun.Names()) {
		t.Errorf("%d systems, %v", len(all), err)
	}
	if _, err := peerrun.Find([]string{"polars", "oracle"}); err == nil || !strings.Contains(err.Error(), `"oracle"`) {
		t.Errorf("error %v", err)
	}
}

func TestTables(t *testing.T) {
	line := func(system string, share string, ns float64, ordered bool, status string) cells.Line {
		l := cells.Line{System: system, Cell: "dedup/int64/k8/" + share + "/uniform/mixed", Track: "A", Job: "dedup", Key: "int64", Runs: 8,
			Layout: "uniform", Columns: "mixed", Threads: 1, Rows: 10, Ordered: ordered, Status: status}
		l.CPU.Median = ns
		return l
	}
	files := line(cells.System, "dup0", 20, true, "")
	files.Track, files.Format, files.DecodeCPU = cells.TrackFiles, "parquet", 15
	var out bytes.Buffer
	err := peerrun.Tables(&out, []cells.Line{
		files, line(cells.System, "dup0", 20, true, ""), line("polars", "dup0", 50, true, ""), line("clickhouse", "dup0", 30, false, ""),
		line(cells.System, "dup47", 10, true, ""), line("polars", "dup47", 45, true, ""), line("duckdb", "dup47", 0, true, cells.WrongAnswer+": column"),
	})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"0 % 47 %", "braid 20.0 (0) 10.0 (0)", "clickhouse, no order 30.0 (0) -", "duckdb - wrong answer", "best peer / braid 2.5 polars 4.5 polars",
		"track B (parquet), 1 thread: CPU ns an input row (MiB beside the input) 0 % braid 20.0 (0) braid, decoding alone 15.0 best peer / braid -"} {
		if !strings.Contains(text, want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
}
