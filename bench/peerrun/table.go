package peerrun

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/workload"
)

// question is what the lines of one table are about: all but the system and the share.
type question struct {
	job, key, layout, columns, track, format string
	runs, threads                            int
}

func (q question) String() string {
	text := fmt.Sprintf("%s, key %s, %d runs, %s, %s, track %s", q.job, q.key, q.runs, q.layout, q.columns, q.track)
	if q.format != "" {
		text += " (" + q.format + ")"
	}
	if q.threads == 1 {
		return text + ", 1 thread"
	}
	return fmt.Sprintf("%s, %d threads", text, q.threads)
}

// compare brings tables into order: by track, then as their titles are read.
func (q question) compare(r question) int {
	return cmp.Or(cmp.Compare(q.track, r.track), cmp.Compare(q.format, r.format), cmp.Compare(q.job, r.job), cmp.Compare(q.key, r.key), cmp.Compare(q.runs, r.runs),
		cmp.Compare(q.layout, r.layout), cmp.Compare(q.columns, r.columns), cmp.Compare(q.threads, r.threads))
}

// Tables writes lines as tables, one a question: systems by share, and under them how many times as long the best peer takes as this library,
// and as this library with views of text where that was measured. Figures are processor time.
func Tables(w io.Writer, lines []cells.Line) error {
	byQuestion := map[question][]cells.Line{}
	var order []question
	for _, l := range lines {
		q := question{l.Job, l.Key, l.Layout, l.Columns, l.Track, l.Format, l.Runs, l.Threads}
		if byQuestion[q] == nil {
			order = append(order, q)
		}
		byQuestion[q] = append(byQuestion[q], l)
	}
	slices.SortStableFunc(order, question.compare)
	for _, q := range order {
		if _, err := fmt.Fprintf(w, "\n%v: CPU ns an input row (MiB beside the input)\n\n", q); err != nil {
			return err
		}
		if err := table(w, byQuestion[q]); err != nil {
			return err
		}
	}
	return nil
}

// table writes one table.
func table(w io.Writer, lines []cells.Line) error {
	shares := map[int]bool{}
	var rows []cells.Line // one of each row
	found := map[string]map[int]cells.Line{}
	for _, l := range lines {
		name := l.Name()
		if found[name] == nil {
			rows, found[name] = append(rows, l), map[int]cells.Line{}
		}
		share := shareOf(l)
		shares[share] = true
		if known, ok := found[name][share]; !ok || l.Timed() || !known.Timed() {
			found[name][share] = l
		}
	}
	peers := func(l cells.Line) bool { return l.System != cells.System }
	rows = slices.Concat(slices.DeleteFunc(slices.Clone(rows), peers), slices.DeleteFunc(rows, func(l cells.Line) bool { return !peers(l) }))
	columns := slices.Sorted(maps.Keys(shares))
	out := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "\t")
	for _, share := range columns {
		fmt.Fprintf(out, "%d %%\t", share)
	}
	fmt.Fprintln(out)
	for _, row := range rows {
		fmt.Fprintf(out, "%s\t", row.Name())
		for _, share := range columns {
			fmt.Fprintf(out, "%s\t", figure(found[row.Name()], share))
		}
		fmt.Fprintln(out)
		if row.DecodeCPU == 0 {
			continue
		}
		fmt.Fprintf(out, "%s, decoding alone\t", row.Name())
		for _, share := range columns {
			fmt.Fprintf(out, "%s\t", decoding(found[row.Name()], share))
		}
		fmt.Fprintln(out)
	}
	for _, row := range rows {
		if peers(row) || row.Pooled {
			continue
		}
		fmt.Fprintf(out, "best peer / %s\t", row.Name())
		for _, share := range columns {
			fmt.Fprintf(out, "%s\t", margin(found, row.Name(), share))
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

func shareOf(l cells.Line) int {
	n, err := workload.Parse(l.Cell)
	if err != nil {
		return int(100 * l.Share)
	}
	return n.Share
}

func figure(found map[int]cells.Line, share int) string {
	l, ok := found[share]
	if !ok {
		return "-"
	}
	if !l.Timed() {
		status, _, _ := strings.Cut(l.Status, ":")
		return status
	}
	return fmt.Sprintf("%.1f (%d)", l.CPU.Median, l.Beside>>20)
}

func decoding(found map[int]cells.Line, share int) string {
	if l, ok := found[share]; ok && l.DecodeCPU > 0 {
		return fmt.Sprintf("%.1f", l.DecodeCPU)
	}
	return "-"
}

// margin is how many times as long as a row of this library the best peer takes whose rows are in order.
func margin(found map[string]map[int]cells.Line, row string, share int) string {
	ours, ok := found[row][share]
	if !ok || !ours.Timed() {
		return "-"
	}
	best := ""
	least := 0.0
	for _, name := range slices.Sorted(maps.Keys(found)) {
		l, ok := found[name][share]
		if l.System == cells.System || !ok || !l.Timed() || !l.Ordered {
			continue
		}
		if best == "" || l.CPU.Median < least {
			best, least = name, l.CPU.Median
		}
	}
	if best == "" {
		return "-"
	}
	return fmt.Sprintf("%.1f %s", least/ours.CPU.Median, best)
}
