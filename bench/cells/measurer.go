package cells

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/braidmerge/braid/bench/measure"
	"github.com/braidmerge/braid/bench/workload"
	"github.com/braidmerge/braid/internal/cputier"
	"github.com/braidmerge/braid/kernel"
)

// Settings say how cells are measured.
type Settings struct {
	Rows    int64
	Seed    uint64
	Rounds  int
	Threads int      // workers of the merge
	Formats []string // of files, on track B; none leaves that track out
	Memory  bool     // measure track A
	Pooled  bool     // records are written to memory of a kernel.Pool
	Views   bool     // text is put out as views (kernel.WithStringViews)
	Mapped  bool     // the input of track A is in memory that is none of the garbage collector's
	Data    string   // directory of workloads
	Keep    bool     // leave the files that were made for a cell
}

// Measurer measures cells.
type Measurer struct {
	Settings
	copySpeed float64 // bytes a second
}

// NewMeasurer makes a measurer of these settings.
func NewMeasurer(s Settings) *Measurer { return &Measurer{Settings: s} }

// Measure measures a cell and hands its lines to emit, one a track and format. What is wrong with the cell is in the status of a line; the
// error is emit's, or the context's.
func (m *Measurer) Measure(ctx context.Context, n workload.Name, emit func(*Line) error) error {
	if m.Memory {
		if err := emitted(ctx, m.memory(ctx, n), emit); err != nil {
			return err
		}
	}
	if len(m.Formats) == 0 {
		return nil
	}
	return m.files(ctx, n, emit)
}

func emitted(ctx context.Context, l *Line, emit func(*Line) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return emit(l)
}

// memory measures track A.
func (m *Measurer) memory(ctx context.Context, n workload.Name) *Line {
	w, err := workload.Load(ctx, n, m.Rows, m.Seed, m.Mapped)
	if err != nil {
		l := NewLine(System, n, nil, TrackMemory, "")
		l.Status = statusOf(err)
		return &l
	}
	defer debug.FreeOSMemory()
	defer w.Release()
	l := NewLine(System, n, w.Manifest, TrackMemory, "")
	l.Mapped = m.Mapped
	m.time(ctx, &l, &merging{manifest: w.Manifest, job: n.Job, runs: func() ([]kernel.Run, error) { return w.KernelRuns(), nil }})
	return &l
}

// files measures track B. Files that are there already are taken if they are the same workload.
func (m *Measurer) files(ctx context.Context, n workload.Name, emit func(*Line) error) error {
	dir, w, made, err := Files(ctx, m.Data, n, m.Rows, m.Seed, m.Formats)
	if made && !m.Keep {
		defer os.RemoveAll(dir)
	}
	for _, format := range m.Formats {
		l := NewLine(System, n, w, TrackFiles, format)
		if err != nil {
			l.Status = statusOf(err)
		} else {
			m.time(ctx, &l, &merging{manifest: w, job: n.Job, runs: func() ([]kernel.Run, error) { return w.FileRuns(dir, format) }})
		}
		if err := emitted(ctx, &l, emit); err != nil {
			return err
		}
	}
	return nil
}

// time checks and times a merge.
func (m *Measurer) time(ctx context.Context, l *Line, c *merging) {
	if err := m.measure(ctx, l, c); err != nil {
		l.Status = statusOf(err)
	}
}

func (m *Measurer) measure(ctx context.Context, l *Line, c *merging) (err error) {
	l.Version, l.Go, l.Tier, l.Threads, l.Pooled, l.Ordered = Version(), runtime.Version(), cputier.Current().String(), m.Threads, m.Pooled, true
	c.options, l.Views = m.options(), m.Views
	if c.plan, err = c.manifest.Plan(c.job); err != nil {
		return err
	}
	if m.copySpeed == 0 {
		m.copySpeed = measure.CopySpeed()
	}
	debug.FreeOSMemory()
	resident := measure.Resident()
	if l.Hash, err = c.check(ctx); err != nil {
		return err
	}
	before := runtime.GOMAXPROCS(m.Threads)
	defer runtime.GOMAXPROCS(before)
	if err := c.warmUp(ctx); err != nil {
		return err
	}
	measure.ResetPeak()
	rounds := make([]round, m.Rounds)
	for i := range rounds {
		if rounds[i], err = c.round(ctx); err != nil {
			return err
		}
	}
	l.PeakRSS = measure.Peak()
	l.Beside = max(0, l.PeakRSS-resident)
	m.fill(l, c, rounds)
	if l.Track == TrackFiles {
		l.DecodeCPU, err = decode(ctx, c)
		return err
	}
	each, known, err := c.allocations(ctx)
	if known {
		l.Allocations = &each
	}
	return err
}

// options are those of the merges that are timed.
func (m *Measurer) options() []kernel.MergeOption {
	options := []kernel.MergeOption{kernel.WithParallelism(m.Threads)}
	if m.Pooled {
		options = append(options, kernel.WithAllocator(kernel.NewPool(1<<30)))
	}
	if m.Views {
		options = append(options, kernel.WithStringViews())
	}
	return options
}

// fill takes over what the rounds gave.
func (m *Measurer) fill(l *Line, c *merging, rounds []round) {
	rows := float64(l.Rows)
	var ns, cpu []float64
	for _, r := range rounds {
		ns, cpu = append(ns, float64(r.wall)/rows), append(cpu, float64(r.cpu)/rows)
	}
	l.Rounds, l.NS, l.CPU = len(rounds), measure.SpreadOf(ns), measure.SpreadOf(cpu)
	s := rounds[measure.MedianRound(cpu)].stats
	l.RowsOut, l.Windows, l.Held = s.RowsOut, s.Windows, s.MemoryHigh
	l.GBs = float64(s.BytesIn) / float64(l.Rows) / l.NS.Median
	// A copy of a byte reads it once and writes it once, as bytes in are read and bytes out are written.
	l.CopyFloor = float64(s.BytesIn+s.BytesOut) / 2 / m.copySpeed * 1e9 / float64(l.Rows)
	l.Stages = stagesOf(s.Times, l.Rows, len(c.manifest.Columns))
}

// decode reads the files alone and returns the processor time, the best of two rounds.
func decode(ctx context.Context, c *merging) (float64, error) {
	best := 0.0
	for i := range 2 {
		runs, err := c.runs()
		if err != nil {
			return 0, err
		}
		before := measure.CPU()
		for _, run := range runs {
			for _, f := range run.Files {
				if err := drain(ctx, f); err != nil {
					return 0, err
				}
			}
		}
		took := float64(measure.CPU()-before) / float64(c.manifest.Rows)
		if i == 0 || took < best {
			best = took
		}
	}
	return best, nil
}

func drain(ctx context.Context, f kernel.File) error {
	r, err := f.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Release()
	for r.Next() {
	}
	if err := r.Err(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// statusOf says in one line why a cell has no figures.
func statusOf(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	if errors.Is(err, errAnswer) {
		return text
	}
	return fmt.Sprintf("%s: %s", Failed, text)
}
