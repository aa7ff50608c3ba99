// Package report writes what was measured into a document: first the cells where this library is not as far ahead as it wants to be, then
// all tables.
package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/peerrun"
)

// What this library wants: so many times faster than a sort of the whole table and a filter, than a system that merges, and so much less
// memory than such a sort.
const (
	OverSorts   = 3
	OverMergers = 10
	UnderMemory = 10
)

// sorts are the systems that sort the whole table; all others merge, or group.
var sorts = []string{"polars", "pyarrow"}

// Shortfall is a cell where this library falls short against a system.
type Shortfall struct {
	Subject cells.Subject // this library's
	System  string
	Ratio   float64 // the system's figure by ours
	Wanted  float64
	Memory  bool // the figure is memory, else processor time
}

// Shortfalls returns all shortfalls, the worst first. Results in no order do not count.
func Shortfalls(lines []cells.Line) []Shortfall {
	lines = cells.AtBest(cells.Plain(lines))
	ours := map[cells.Subject]cells.Line{}
	for _, l := range lines {
		if l.System == cells.System && l.Timed() {
			ours[place(l)] = l
		}
	}
	var found []Shortfall
	for _, l := range lines {
		our, ok := ours[place(l)]
		if !ok || l.System == cells.System || !l.Timed() || !l.Ordered {
			continue
		}
		isSort := slices.Contains(sorts, l.System)
		wanted := float64(OverMergers)
		if isSort {
			wanted = OverSorts
		}
		if ratio := l.CPU.Median / our.CPU.Median; ratio < wanted {
			found = append(found, Shortfall{our.Subject(), l.System, ratio, wanted, false})
		}
		if ratio := float64(l.Beside) / float64(max(1, our.Beside)); isSort && l.Beside > 0 && ratio < UnderMemory {
			found = append(found, Shortfall{our.Subject(), l.System, ratio, UnderMemory, true})
		}
	}
	slices.SortStableFunc(found, func(a, b Shortfall) int { return cmp.Compare(a.Ratio/a.Wanted, b.Ratio/b.Wanted) })
	return found
}

// place is what lines of several systems have in common.
func place(l cells.Line) cells.Subject {
	s := l.Subject()
	s.System, s.Tier, s.Mapped = "", "", false
	return s
}

// Figures writes the figures of lines as Markdown: where and when they were measured, the shortfalls, the tables, and the pictures, whose
// names are as the document links them.
func Figures(w io.Writer, lines []cells.Line, pictures []string) error {
	if len(lines) == 0 {
		return errors.New("there are no lines to report")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n### Where braid falls short\n\n", origin(lines))
	short := Shortfalls(lines)
	if len(short) == 0 {
		fmt.Fprintf(&b, "Nowhere: every cell is %d times as fast as the best sort of the whole table and %d times as fast as every system that merges, "+
			"in a tenth of the sort's memory.\n", OverSorts, OverMergers)
	} else {
		b.WriteString("| cell | against | ratio | wanted | of |\n|---|---|---|---|---|\n")
	}
	for _, s := range short {
		of := "time"
		if s.Memory {
			of = "memory"
		}
		fmt.Fprintf(&b, "| `%v` | %s | %.1f | %.0f | %s |\n", s.Subject, s.System, s.Ratio, s.Wanted, of)
	}
	b.WriteString("\n### Tables\n\n```text")
	if err := peerrun.Tables(&b, cells.AtBest(lines)); err != nil {
		return err
	}
	b.WriteString("```\n")
	if len(pictures) > 0 {
		b.WriteString("\n### Pictures\n\n")
	}
	for _, name := range pictures {
		fmt.Fprintf(&b, "![%s](%s)\n", strings.TrimSuffix(name[strings.LastIndex(name, "/")+1:], ".svg"), name)
	}
	_, err := b.WriteTo(w)
	return err
}

// origin says when and where the lines were measured, and with what.
func origin(lines []cells.Line) string {
	first, last := lines[0].Date, lines[0].Date
	machines, versions, rows := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, l := range lines {
		if l.Date.Before(first) {
			first = l.Date
		}
		if l.Date.After(last) {
			last = l.Date
		}
		machines[l.Machine] = true
		if l.Timed() {
			rows[fmt.Sprintf("%.1f million", float64(l.Rows)/1e6)] = true
		}
		if l.Version != "" {
			versions[l.System+" "+l.Version] = true
		}
	}
	days := first.Format("2006-01-02")
	if end := last.Format("2006-01-02"); end != days {
		days += " to " + end
	}
	return fmt.Sprintf("Measured %s on %s; rows of a cell: %s. %s.", days, joined(machines), joined(rows), joined(versions))
}

func joined(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }

// The marks between which a document has its figures.
const (
	begin = "<!-- figures: written by bench report -->\n"
	end   = "<!-- end of figures -->\n"
)

// ErrMarks means that a document has no place for figures.
var ErrMarks = errors.New("the document has no marks for figures")

// Insert puts figures into a document, in place of those that are there.
func Insert(document, figures string) (string, error) {
	before, rest, ok := strings.Cut(document, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("%w: %q and %q", ErrMarks, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + "\n" + figures + "\n" + end + after, nil
}
