package report_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/report"
)

func line(system, share string, ns float64, mib int64) cells.Line {
	l := cells.Line{System: system, Version: "1", Cell: "dedup/int64/k8/" + share + "/uniform/mixed", Track: "A", Job: "dedup", Key: "int64", Runs: 8, Layout: "uniform",
		Columns: "mixed", Threads: 1, Rows: 8_000_000, Ordered: true, Beside: mib << 20, Machine: "a processor", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	l.CPU.Median = ns
	if system == cells.System {
		l.Tier = "avx2"
	}
	return l
}

func lines() []cells.Line {
	unordered, wrong := line("clickhouse", "dup0", 30, 50), line("datafusion", "dup0", 1, 1)
	unordered.Ordered, wrong.Status = false, cells.WrongAnswer
	pooled, views := line(cells.System, "dup0", 1, 1), line(cells.System, "dup0", 16, 40) // neither may stand for plain records
	pooled.Pooled, views.Views = true, true
	return []cells.Line{
		line(cells.System, "dup0", 20, 50), line("polars", "dup0", 50, 2000), line("duckdb", "dup0", 250, 100), unordered, wrong,
		line(cells.System, "dup47", 10, 300), line("polars", "dup47", 45, 2000), line("duckdb", "dup47", 90, 100), pooled, views,
	}
}

func TestShortfalls(t *testing.T) {
	got := report.Shortfalls(lines())
	want := []struct {
		system, share string
		ratio         float64
		memory        bool
	}{{"polars", "dup47", 2000. / 300, true}, {"polars", "dup0", 2.5, false}, {"duckdb", "dup47", 9, false}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		g := got[i]
		if g.System != w.system || !strings.Contains(g.Subject.Cell, w.share) || g.Ratio != w.ratio || g.Memory != w.memory {
			t.Errorf("%d: %+v, want %+v", i, g, w)
		}
	}
}

func TestFigures(t *testing.T) {
	var out bytes.Buffer
	if err := report.Figures(&out, lines(), []string{"bench/share.svg"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Measured 2026-01-02 on a processor; rows of a cell: 8.0 million.", "polars 1", "| polars | 2.5 | 3 | time |", "\n braid 20.0 (50) 10.0 (300)\n braid, pooled 1.0 (1) -\n braid, views 16.0 (40) -\n polars ",
		"\n best peer / braid 2.5 polars 4.5 polars\n best peer / braid, views 3.1 polars -\n", "![share](bench/share.svg)"} {
		if text := regexp.MustCompile(` +`).ReplaceAllString(out.String(), " "); !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	out.Reset()
	if err := report.Figures(&out, []cells.Line{line(cells.System, "dup0", 20, 5), line("polars", "dup0", 70, 2000)}, nil); err != nil || !strings.Contains(out.String(), "Nowhere") {
		t.Errorf("%v: %s", err, out.String())
	}
	if err := report.Figures(&out, nil, nil); err == nil {
		t.Error("no lines make a report")
	}
}

func TestInsert(t *testing.T) {
	const document = "# Title\n\n<!-- figures: written by bench report -->\nold\n<!-- end of figures -->\n\nMore.\n"
	once, err := report.Insert(document, "new\n")
	if err != nil {
		t.Fatal(err)
	}
	twice, err := report.Insert(once, "new\n")
	if err != nil || twice != once || strings.Contains(once, "old") || !strings.HasPrefix(once, "# Title") || !strings.HasSuffix(once, "More.\n") {
		t.Errorf("%v:\n%s", err, twice)
	}
	if _, err := report.Insert("# Title\n", "new\n"); !errors.Is(err, report.ErrMarks) {
		t.Errorf("error %v", err)
	}
}
