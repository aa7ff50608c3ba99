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
	"math"
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

// Standing is how this library compares with others in a cell: their figures by ours. A figure is 0 where no system was measured.
type Standing struct {
	Subject cells.Subject // this library's
	Sort    Margin        // processor time of the fastest sort
	Merger  Margin        // processor time of the fastest system that merges
	Memory  Margin        // memory of the fastest sort
}

// Margin is a system's figure by ours.
type Margin struct {
	System string
	Ratio  float64
}

// worst is the least of the margins, each by what is wanted.
func (s *Standing) worst() float64 {
	worst := math.Inf(1)
	for _, m := range []struct {
		ratio  float64
		wanted int
	}{{s.Sort.Ratio, OverSorts}, {s.Merger.Ratio, OverMergers}, {s.Memory.Ratio, UnderMemory}} {
		if m.ratio > 0 {
			worst = min(worst, m.ratio/float64(m.wanted))
		}
	}
	return worst
}

// Shortfalls returns the cells where this library has not what it wants, those first where it lacks most of the time it wants. Results in no
// order do not count, nor does memory of a system that says nothing about its own.
func Shortfalls(lines []cells.Line) []Standing {
	lines = cells.AtBest(cells.Plain(lines))
	ours := map[cells.Subject]cells.Line{}
	for _, l := range lines {
		if l.System == cells.System && l.Timed() {
			ours[place(l)] = l
		}
	}
	standings := map[cells.Subject]*Standing{}
	for _, l := range lines {
		our, ok := ours[place(l)]
		if !ok || l.System == cells.System || !l.Timed() || !l.Ordered {
			continue
		}
		s := standings[place(l)]
		if s == nil {
			s = &Standing{Subject: our.Subject()}
			standings[place(l)] = s
		}
		margin := &s.Merger
		if slices.Contains(sorts, l.System) {
			margin = &s.Sort
		}
		if ratio := l.CPU.Median / our.CPU.Median; margin.Ratio == 0 || ratio < margin.Ratio {
			*margin = Margin{l.System, ratio}
			if margin == &s.Sort && l.Beside > 0 {
				s.Memory = Margin{l.System, float64(l.Beside) / float64(max(1, our.Beside))}
			}
		}
	}
	var found []Standing
	for _, s := range standings {
		if s.worst() < 1 {
			found = append(found, *s)
		}
	}
	slices.SortFunc(found, func(a, b Standing) int {
		a.Memory, b.Memory = Margin{}, Margin{}
		return cmp.Or(cmp.Compare(a.worst(), b.worst()), cmp.Compare(a.Subject.String(), b.Subject.String()))
	})
	return found
}

// text is the margin in a table, bold if it is less than wanted.
func (m Margin) text(wanted int) string {
	text := fmt.Sprintf("%.1f %s", m.Ratio, m.System)
	switch {
	case m.Ratio == 0:
		return "-"
	case m.Ratio < float64(wanted):
		return "**" + text + "**"
	}
	return text
}

// place is what lines of several systems have in common.
func place(l cells.Line) cells.Subject {
	s := l.Subject()
	s.System, s.Tier, s.Mapped = "", "", false
	return s
}

// Figures writes the figures of lines, of each subject the last, as Markdown: where and when they were measured, the shortfalls, the tables, and the pictures, whose
// names are as the document links them.
func Figures(w io.Writer, lines []cells.Line, pictures []string) error {
	if len(lines) == 0 {
		return errors.New("there are no lines to report")
	}
	lines = cells.Latest(lines)
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n### Where braid falls short\n\n", origin(lines))
	short := Shortfalls(lines)
	if len(short) == 0 {
		fmt.Fprintf(&b, "Nowhere: every cell is %d times as fast as the best sort of the whole table and %d times as fast as every system that merges, "+
			"in a tenth of the sort's memory.\n", OverSorts, OverMergers)
	} else {
		fmt.Fprintf(&b, "The figures of others by ours. Wanted are %d times the time of the fastest sort of the whole table, %d times that of the fastest system that merges, "+
			"and %d times the sort's memory; what is less is bold.\n\n| cell | sort, time | merging, time | sort, memory |\n|---|---|---|---|\n", OverSorts, OverMergers, UnderMemory)
	}
	for _, s := range short {
		fmt.Fprintf(&b, "| `%v` | %s | %s | %s |\n", s.Subject, s.Sort.text(OverSorts), s.Merger.text(OverMergers), s.Memory.text(UnderMemory))
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
