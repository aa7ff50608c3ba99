// Package compare says what became faster or slower between two sets of lines.
package compare

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/measure"
)

// Change is a cell in both sets. Figures are processor time.
type Change struct {
	Subject  cells.Subject
	Old, New measure.Spread
}

// Ratio is how much longer the new one takes.
func (c Change) Ratio() float64 { return c.New.Median / c.Old.Median }

// Moved says whether the two differ beyond the noise: no round of one was as fast, or as slow, as any of the other.
func (c Change) Moved() bool { return c.New.Min > c.Old.Max || c.New.Max < c.Old.Min }

// low and high bound the ratio, if every round could have been the true one.
func (c Change) low() float64  { return c.New.Min / c.Old.Max }
func (c Change) high() float64 { return c.New.Max / c.Old.Min }

// Gate is a set of cells that is judged by the median of its ratios.
type Gate struct {
	Name    string
	Cells   int
	Ratio   float64
	Slowest Change
}

// Report is what comparing gives.
type Report struct {
	Changes          []Change
	OnlyOld, OnlyNew []cells.Subject
	Gates            []Gate
}

// Compare matches the lines of two sets, of the same subject the last of each, and judges each gate: the cells of one job and key on one
// track.
func Compare(old, fresh []cells.Line) Report {
	before, after := timed(old), timed(fresh)
	var r Report
	gates := map[string][]Change{}
	for _, subject := range sorted(after) {
		was, ok := before[subject]
		if !ok {
			r.OnlyNew = append(r.OnlyNew, subject)
			continue
		}
		c := Change{Subject: subject, Old: was.CPU, New: after[subject].CPU}
		r.Changes = append(r.Changes, c)
		l := after[subject]
		name := fmt.Sprintf("%s/%s %s", l.Job, l.Key, l.Track)
		if l.System != cells.System {
			name = l.System + " " + name
		}
		gates[name] = append(gates[name], c)
	}
	for _, subject := range sorted(before) {
		if _, ok := after[subject]; !ok {
			r.OnlyOld = append(r.OnlyOld, subject)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		r.Gates = append(r.Gates, newGate(name, gates[name]))
	}
	return r
}

func newGate(name string, changes []Change) Gate {
	var ratios []float64
	for _, c := range changes {
		ratios = append(ratios, c.Ratio())
	}
	slowest := slices.MaxFunc(changes, func(a, b Change) int { return cmp.Compare(a.Ratio(), b.Ratio()) })
	return Gate{Name: name, Cells: len(changes), Ratio: measure.SpreadOf(ratios).Median, Slowest: slowest}
}

// Fallen returns the gates whose ratio is above the limit.
func (r Report) Fallen(limit float64) []Gate {
	var fallen []Gate
	for _, g := range r.Gates {
		if g.Ratio > limit {
			fallen = append(fallen, g)
		}
	}
	return fallen
}

func timed(lines []cells.Line) map[cells.Subject]*cells.Line {
	found := map[cells.Subject]*cells.Line{}
	for i := range lines {
		if lines[i].Timed() {
			found[lines[i].Subject()] = &lines[i]
		}
	}
	return found
}

func sorted(lines map[cells.Subject]*cells.Line) []cells.Subject {
	return slices.SortedFunc(maps.Keys(lines), func(a, b cells.Subject) int {
		return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.Track, b.Track), cmp.Compare(a.Cell, b.Cell),
			cmp.Compare(a.Format, b.Format), cmp.Compare(a.Tier, b.Tier), cmp.Compare(a.Threads, b.Threads))
	})
}

// Write writes the report as a table.
func (r Report) Write(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "cell\told ns\tnew ns\tratio\tspread\t")
	for _, c := range r.Changes {
		mark := ""
		if c.Moved() {
			mark = "slower"
			if c.Ratio() < 1 {
				mark = "faster"
			}
		}
		fmt.Fprintf(table, "%v\t%.1f\t%.1f\t%.2f\t%.2f to %.2f\t%s\n", c.Subject, c.Old.Median, c.New.Median, c.Ratio(), c.low(), c.high(), mark)
	}
	for _, s := range r.OnlyOld {
		fmt.Fprintf(table, "%v\t\t\t\t\tonly in the old\n", s)
	}
	for _, s := range r.OnlyNew {
		fmt.Fprintf(table, "%v\t\t\t\t\tonly in the new\n", s)
	}
	fmt.Fprintln(table)
	fmt.Fprintln(table, "gate\tcells\tmedian ratio\tslowest\t")
	for _, g := range r.Gates {
		fmt.Fprintf(table, "%s\t%d\t%.2f\t%.2f\t%v\n", g.Name, g.Cells, g.Ratio, g.Slowest.Ratio(), g.Slowest.Subject)
	}
	return table.Flush()
}
