package pictures

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/workload"
)

// curve is the figures of one system along an axis.
type curve struct {
	name   string
	system string
	points map[float64]float64
}

// curves collects figures by name, in the order of systems.
type curves map[string]*curve

func (c curves) add(l *cells.Line, x, y float64) {
	name := l.Name()
	if c[name] == nil {
		c[name] = &curve{name: name, system: l.System, points: map[float64]float64{}}
	}
	c[name].points[x] = y
}

func (c curves) sorted() []*curve {
	return slices.SortedFunc(maps.Values(c), func(a, b *curve) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.system), slices.Index(order, b.system)), cmp.Compare(a.name, b.name))
	})
}

// xs are the places along the axis that have a figure.
func (c curves) xs() []float64 {
	all := map[float64]bool{}
	for _, curve := range c {
		for x := range curve.points {
			all[x] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// draw adds the curves to a plot, with the figures of this library beside its points. position maps a place to the axis.
func (c curves) draw(p *plot.Plot, position func(float64) float64) error {
	for _, curve := range c.sorted() {
		var xy plotter.XYs
		var texts []string
		for _, x := range slices.Sorted(maps.Keys(curve.points)) {
			xy = append(xy, plotter.XY{X: position(x), Y: curve.points[x]})
			texts = append(texts, fmt.Sprintf("%.0f", curve.points[x]))
		}
		line, points, err := plotter.NewLinePoints(xy)
		if err != nil {
			return err
		}
		line.Color, points.Color = colorOf(curve.system), colorOf(curve.system)
		line.Width = vg.Points(1.5)
		if curve.name != curve.system {
			line.Dashes = []vg.Length{vg.Points(3), vg.Points(3)}
		}
		p.Add(line, points)
		p.Legend.Add(curve.name, line, points)
		if curve.system != cells.System {
			continue
		}
		line.Width = vg.Points(3)
		labels, err := plotter.NewLabels(plotter.XYLabels{XYs: xy, Labels: texts})
		if err != nil {
			return err
		}
		labels.Offset = vg.Point{X: vg.Points(-6), Y: vg.Points(-15)}
		p.Add(labels)
	}
	return nil
}

// family is what the curves of one picture have in common.
type family struct {
	job, key, layout, columns, track, format string
	runs, share                              int
}

func familyOf(l *cells.Line) family {
	f := family{job: l.Job, key: l.Key, layout: l.Layout, columns: l.Columns, track: l.Track, format: l.Format, runs: l.Runs, share: int(math.Round(100 * l.Share))}
	if n, err := workload.Parse(l.Cell); err == nil {
		f.share = n.Share
	}
	return f
}

// where says on which track, in words.
func (f family) where() string {
	switch {
	case f.track == cells.TrackMemory:
		return "from memory"
	case f.format == workload.Zstd:
		return "from Parquet files (zstd)"
	}
	return "from " + f.format + " files"
}

func (f family) name(prefix string, parts ...any) string {
	name := fmt.Sprintf("%s-%s-%s", prefix, f.job, f.key)
	for _, part := range parts {
		name += fmt.Sprintf("-%v", part)
	}
	name += "-" + f.track
	if f.format != "" {
		name += "-" + f.format
	}
	return name
}

const perRow = "CPU nanoseconds for an input row"

// byShare draws time by share, a picture for each job, key and number of runs that has figures for two shares.
func byShare(lines []cells.Line, dir string) ([]string, error) {
	return families(lines, dir, func(f family) (family, float64) {
		x := float64(f.share)
		f.share = 0
		return f, x
	}, func(f family, xs []float64) (*plot.Plot, string, func(float64) float64) {
		p := newPlot(fmt.Sprintf("%s, %d runs, key %s, %s", jobs[f.job], f.runs, f.key, f.where()), "rows superseded by a newer version, %", perRow)
		p.X.Tick.Marker = valueTicks{xs, func(v float64) string { return fmt.Sprintf("%.0f", v) }}
		return p, f.name("share", fmt.Sprintf("k%d", f.runs)), func(x float64) float64 { return x }
	})
}

// byRuns draws time by number of runs.
func byRuns(lines []cells.Line, dir string) ([]string, error) {
	return families(lines, dir, func(f family) (family, float64) {
		x := float64(f.runs)
		f.runs = 0
		return f, x
	}, func(f family, xs []float64) (*plot.Plot, string, func(float64) float64) {
		p := newPlot(fmt.Sprintf("%s, %d %% superseded, key %s, %s", jobs[f.job], f.share, f.key, f.where()), "sorted runs", perRow)
		var places []float64
		for _, x := range xs {
			places = append(places, math.Log2(x))
		}
		p.X.Tick.Marker = valueTicks{places, func(v float64) string { return fmt.Sprintf("%.0f", math.Exp2(v)) }}
		return p, f.name("runs", fmt.Sprintf("dup%d", f.share)), math.Log2
	})
}

// jobs are the jobs in words.
var jobs = map[string]string{
	"dedup": "Deduplicate", "first": "First row", "partial": "Partial update", "agg": "Aggregation", "groups": "Sequence groups",
	"validity": "Partial update with validity",
}

// families draws a picture for every family of lines with two places along the axis. split takes the place out of a family; begin makes
// the plot, the name of the file, and the mapping of places.
func families(lines []cells.Line, dir string, split func(family) (family, float64),
	begin func(family, []float64) (*plot.Plot, string, func(float64) float64)) ([]string, error) {
	found := map[family]curves{}
	var order []family
	lines = cells.AtBest(lines)
	for i := range lines {
		l := &lines[i]
		if !l.Timed() || l.Threads != 1 || l.Columns != "mixed" || l.Layout != "uniform" {
			continue
		}
		f, x := split(familyOf(l))
		if found[f] == nil {
			found[f] = curves{}
			order = append(order, f)
		}
		found[f].add(l, x, l.CPU.Median)
	}
	var names []string
	for _, f := range order {
		xs := found[f].xs()
		if len(xs) < 2 {
			continue
		}
		p, name, position := begin(f, xs)
		if err := found[f].draw(p, position); err != nil {
			return names, err
		}
		logarithmic(p)
		p.X.Max += 0.42 * (p.X.Max - p.X.Min) // room for the legend
		saved, err := save(p, dir, name)
		if err != nil {
			return names, err
		}
		names = append(names, saved...)
	}
	return names, nil
}
