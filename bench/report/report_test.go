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
	slow := line("pyarrow", "dup0", 80, 100) // no fastest sort, so that its memory does not count
	old := line(cells.System, "dup0", 99, 50)
	got := report.Shortfalls(cells.Latest(append([]cells.Line{old}, append(lines(), slow)...)))
	want := []struct {
		share string
		report.Standing
	}{
		{"dup0", report.Standing{Sort: report.Margin{System: "polars", Ratio: 2.5}, Merger: report.Margin{System: "duckdb", Ratio: 12.5}, Memory: report.Margin{System: "polars", Ratio: 40}}},
		{"dup47", report.Standing{Sort: report.Margin{System: "polars", Ratio: 4.5}, Merger: report.Margin{System: "duckdb", Ratio: 9}, Memory: report.Margin{System: "polars", Ratio: 2000. / 300}}},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		g := got[i]
		if !strings.Contains(g.Subject.Cell, w.share) || g.Sort != w.Sort || g.Merger != w.Merger || g.Memory != w.Memory {
			t.Errorf("%d: %+v, want %+v", i, g, w)
		}
	}
}

func TestFigures(t *testing.T) {
	var out bytes.Buffer
	if err := report.Figures(&out, lines(), []string{"bench/share.svg"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Measured 2026-01-02 on a processor; rows of a cell: 8.0 million.", "polars 1", "`dedup/int64/k8/dup0/uniform/mixed A` | **2.5 polars** | 12.5 duckdb | 40.0 polars |", "`dedup/int64/k8/dup47/uniform/mixed A` | 4.5 polars | **9.0 duckdb** | **6.7 polars** |", "\n braid 20.0 (50) 10.0 (300)\n braid, pooled 1.0 (1) -\n braid, views 16.0 (40) -\n polars ",
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
