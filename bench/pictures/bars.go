package pictures

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/braidmerge/braid/bench/cells"
)

// stages are the stages of a merge, in their order, from the bottom of a bar.
var stages = []struct {
	name string
	of   func(*cells.Stages) float64
}{
	{"read", func(s *cells.Stages) float64 { return s.Read }},
	{"cut", func(s *cells.Stages) float64 { return s.Cut }},
	{"order", func(s *cells.Stages) float64 { return s.Order }},
	{"groups", func(s *cells.Stages) float64 { return s.Groups }},
	{"masks", func(s *cells.Stages) float64 { return s.Masks }},
	{"columns", func(s *cells.Stages) float64 { return s.Columns }},
	{"assemble", func(s *cells.Stages) float64 { return s.Assemble }},
}

// mostBars is how many bars a picture can have and still be read.
const mostBars = 12

// byStage draws where the time goes, a bar a cell, a picture for each job, key and track.
func byStage(lines []cells.Line, dir string) ([]string, error) {
	tier := cells.BestTier(lines)
	found := map[family][]*cells.Line{}
	var order []family
	for i := range lines {
		l := &lines[i]
		if !l.Timed() || l.System != cells.System || l.Stages == nil || l.Tier != tier || l.Threads != 1 || l.Columns != "mixed" || l.Layout != "uniform" {
			continue
		}
		f := family{job: l.Job, key: l.Key, track: l.Track, format: l.Format}
		if found[f] == nil {
			order = append(order, f)
		}
		if len(found[f]) < mostBars {
			found[f] = append(found[f], l)
		}
	}
	var names []string
	for _, f := range order {
		slices.SortStableFunc(found[f], func(a, b *cells.Line) int {
			return cmp.Or(cmp.Compare(a.Runs, b.Runs), cmp.Compare(a.Share, b.Share))
		})
		p := newPlot(fmt.Sprintf("Where the time of a merge goes: %s, key %s, %s", strings.ToLower(jobs[f.job]), f.key, f.where()), "runs, rows superseded",
			"nanoseconds for an input row")
		if err := stack(p, found[f]); err != nil {
			return names, err
		}
		saved, err := save(p, dir, f.name("stages"))
		if err != nil {
			return names, err
		}
		names = append(names, saved...)
	}
	return names, nil
}

// stack adds a bar of stages for every line.
func stack(p *plot.Plot, lines []*cells.Line) error {
	barWidth := vg.Points(min(40, 300/float64(len(lines))))
	var below *plotter.BarChart
	var labels []string
	for _, l := range lines {
		labels = append(labels, fmt.Sprintf("%d\n%d %%", l.Runs, familyOf(l).share))
	}
	for i, stage := range stages {
		var values plotter.Values
		for _, l := range lines {
			values = append(values, stage.of(l.Stages))
		}
		bars, err := plotter.NewBarChart(values, barWidth)
		if err != nil {
			return err
		}
		bars.Color, bars.LineStyle.Width = palette[(i+1)%len(palette)], 0
		if below != nil {
			bars.StackOn(below)
		}
		below = bars
		p.Add(bars)
		p.Legend.Add(stage.name, bars)
	}
	p.NominalX(labels...)
	p.Y.Min, p.Y.Tick.Marker = 0, evenTicks{}
	p.X.Max += 0.3 * float64(len(lines))
	return nil
}

// byTier draws each cell under the processor tiers it was measured with.
func byTier(lines []cells.Line, dir string) ([]string, error) {
	return grouped(lines, dir, grouping{
		name: "tiers", title: "Processor tiers", y: perRow,
		of:    func(l *cells.Line) (string, bool) { return l.Tier, l.Threads == 1 },
		value: func(l *cells.Line) float64 { return l.CPU.Median },
		order: cells.Tiers,
	})
}

// byThreads draws each cell by the number of workers.
func byThreads(lines []cells.Line, dir string) ([]string, error) {
	tier := cells.BestTier(lines)
	return grouped(lines, dir, grouping{
		name: "threads", title: "Workers of a merge, each on a thread of its own", y: "wall nanoseconds for an input row",
		of:    func(l *cells.Line) (string, bool) { return fmt.Sprint(l.Threads), l.Tier == tier },
		value: func(l *cells.Line) float64 { return l.NS.Median },
	})
}

// grouping is a picture of bars side by side.
type grouping struct {
	name, title, y string
	of             func(*cells.Line) (bar string, ok bool) // which bar of its cell a line is
	value          func(*cells.Line) float64
	order          []string // of the bars; none stands for that of their names
}

// grouped draws, for the cells on track A that have two bars at least, all of them side by side.
func grouped(lines []cells.Line, dir string, g grouping) ([]string, error) {
	found := map[string]map[string]float64{}
	var order []string
	bars := map[string]bool{}
	for i := range lines {
		l := &lines[i]
		bar, ok := g.of(l)
		if !ok || !l.Timed() || l.System != cells.System || l.Track != cells.TrackMemory {
			continue
		}
		if found[l.Cell] == nil {
			found[l.Cell] = map[string]float64{}
			order = append(order, l.Cell)
		}
		found[l.Cell][bar] = g.value(l)
		bars[bar] = true
	}
	order = slices.DeleteFunc(order, func(cell string) bool { return len(found[cell]) < 2 })
	if len(order) == 0 {
		return nil, nil
	}
	order = order[:min(len(order), mostBars/2)]
	p := newPlot(g.title, "cell", g.y)
	if err := g.draw(p, order, found, g.sorted(bars)); err != nil {
		return nil, err
	}
	return save(p, dir, g.name)
}

// sorted are the bars in their order.
func (g grouping) sorted(bars map[string]bool) []string {
	if g.order == nil {
		return slices.SortedFunc(maps.Keys(bars), func(a, b string) int { return len(a)*1000 - len(b)*1000 + strings.Compare(a, b) })
	}
	return slices.DeleteFunc(slices.Clone(g.order), func(bar string) bool { return !bars[bar] })
}

func (g grouping) draw(p *plot.Plot, order []string, found map[string]map[string]float64, bars []string) error {
	barWidth := vg.Points(min(30, 240/float64(len(order)*len(bars))))
	for i, bar := range bars {
		var values plotter.Values
		for _, cell := range order {
			values = append(values, found[cell][bar])
		}
		chart, err := plotter.NewBarChart(values, barWidth)
		if err != nil {
			return err
		}
		chart.Color, chart.LineStyle.Width = palette[i%len(palette)], 0
		chart.Offset = barWidth * vg.Length(float64(i)-float64(len(bars)-1)/2)
		p.Add(chart)
		p.Legend.Add(bar, chart)
	}
	var labels []string
	for _, cell := range order {
		parts := strings.SplitN(cell, "/", 5)
		labels = append(labels, strings.Join(parts[:4], "\n"))
	}
	p.NominalX(labels...)
	p.Y.Min, p.Y.Tick.Marker = 0, evenTicks{}
	p.X.Max += 0.3 * float64(len(order))
	return nil
}
