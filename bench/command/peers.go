package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/peerrun"
	"github.com/braidmerge/braid/bench/workload"
)

// peersCommand is the command line of peers.
type peersCommand struct {
	selection
	Only    []string      `placeholder:"NAMES" help:"Only these systems."`
	Rounds  int           `default:"3" help:"Rounds of each cell."`
	Threads int           `default:"1" help:"Threads a peer may use."`
	Tracks  []string      `enum:"A,B" default:"A" help:"A: from memory. B: from files."`
	Formats []string      `enum:"parquet,zstd" default:"parquet,zstd" help:"Formats of the files of track B."`
	Data    string        `default:"out/data" placeholder:"DIR" help:"Directory of the workloads."`
	Keep    bool          `help:"Leave the files that were made for a cell."`
	Mapped  bool          `help:"Keep the input of track A in memory that the garbage collector does not manage, as that of mapped files."`
	Runners string        `default:"peers" placeholder:"DIR" help:"Directory of the runners."`
	Envs    string        `default:"out/peers" placeholder:"DIR" help:"Directory of the Python environments that make peers makes."`
	Limit   time.Duration `default:"10m" help:"Time for one cell of one system."`
	Output  string        `short:"o" default:"out/peers.jsonl" placeholder:"FILE" help:"Append the lines to this file."`
}

// Help is what --help says beside the flags.
func (*peersCommand) Help() string {
	return `The same generated files go to every system, in its best documented ways. Each result is written down once and checked, number of rows and a hash of each column; only right ones are timed, drained through the Arrow C stream. A missing system or a wrong result is one line, and the rest goes on.

"make peers" installs the systems. Without --cells a line through the grid is taken in every direction; --cells '*/*/*/*/uniform/mixed' is the whole grid.

  bench peers --only polars,duckdb --rows 1000000`
}

// Run asks the peers.
func (c *peersCommand) Run(ctx context.Context, std *streams) (err error) {
	list := workload.Catalog
	if c.Cells == "*" {
		list = workload.Compared
	}
	selected, err := c.cells(ctx, list)
	if err != nil {
		return err
	}
	systems, err := peerrun.Find(c.Only)
	if err != nil {
		return &usageError{message: err.Error()}
	}
	if c.Rounds < 1 || c.Threads < 1 || c.Limit <= 0 {
		return usagef("--rounds, --threads and --limit are at least 1")
	}
	if err := os.MkdirAll(filepath.Dir(c.Output), 0o777); err != nil {
		return err
	}
	out, err := openLines(c.Output, std)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	tracks := 0
	for _, track := range c.Tracks {
		if tracks++; track == cells.TrackFiles {
			tracks += len(c.Formats) - 1
		}
	}
	systems = slices.DeleteFunc(slices.Clone(systems), func(system peerrun.System) bool {
		if slices.ContainsFunc(c.Tracks, system.Has) {
			return false
		}
		fmt.Fprintf(std.out, "%s: left out: it is not on track %s\n", system.Name, strings.Join(c.Tracks, ", "))
		return true
	})
	estimate := peerrun.Estimate(systems, len(selected), c.Rows, tracks).Round(time.Minute)
	fmt.Fprintf(std.out, "%d cells, %d systems: about %v on a quiet machine\n", len(selected), len(systems), max(time.Minute, estimate))
	a := asking{peersCommand: c, systems: systems, std: std, out: out}
	// Cells of one workload one after another, so that its files are made once.
	slices.SortStableFunc(selected, func(x, y workload.Name) int { return strings.Compare(x.Data(), y.Data()) })
	for len(selected) > 0 {
		n := 1
		for n < len(selected) && selected[n].Data() == selected[0].Data() {
			n++
		}
		if err := a.workload(ctx, selected[:n]); err != nil {
			return err
		}
		selected = selected[n:]
	}
	if err := peerrun.Tables(std.out, a.lines); err != nil {
		return err
	}
	if a.wrong > 0 {
		return fmt.Errorf("%d lines of this library have no figures because something is wrong", a.wrong)
	}
	return nil
}

// asking is peers at work.
type asking struct {
	*peersCommand
	systems []peerrun.System
	std     *streams
	out     io.Writer
	lines   []cells.Line
	wrong   int
}

// formats are the formats of files that the tracks want.
func (a *asking) formats() []string {
	var formats []string
	for _, track := range a.Tracks {
		if track == cells.TrackMemory {
			formats = append(formats, workload.Arrow)
		} else {
			formats = append(formats, a.Formats...)
		}
	}
	return formats
}

// workload asks everyone for the cells of one workload.
func (a *asking) workload(ctx context.Context, names []workload.Name) error {
	dir, m, made, err := cells.Files(ctx, a.Data, names[0], a.Rows, a.Seed, a.formats())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		fmt.Fprintf(a.std.out, "%s: left out: %v\n", names[0].Data(), err)
		return nil
	}
	if made && !a.Keep {
		defer os.RemoveAll(dir)
	}
	for _, n := range names {
		if err := a.cell(ctx, n, m, dir); err != nil {
			return err
		}
	}
	return nil
}

// cell asks everyone for a cell, this library first.
func (a *asking) cell(ctx context.Context, n workload.Name, m *workload.Manifest, dir string) error {
	s := cells.Settings{Rows: a.Rows, Seed: a.Seed, Rounds: a.Rounds, Threads: a.Threads, Data: a.Data, Keep: true, Mapped: a.Mapped,
		Memory: slices.Contains(a.Tracks, cells.TrackMemory)}
	if slices.Contains(a.Tracks, cells.TrackFiles) {
		s.Formats = a.Formats
	}
	if err := cells.NewMeasurer(s).Measure(ctx, n, a.took); err != nil {
		return err
	}
	runners := peerrun.Runners{Dir: a.Runners, Envs: a.Envs}
	set := peerrun.Settings{Rounds: a.Rounds, Threads: a.Threads, Limit: a.Limit}
	for _, track := range a.Tracks {
		formats := []string{workload.Arrow}
		if track == cells.TrackFiles {
			formats = a.Formats
		}
		for _, format := range formats {
			for _, system := range a.systems {
				if !system.Has(track) {
					continue
				}
				lines, err := runners.Measure(ctx, system, n, m, dir, track, format, set)
				if err != nil {
					return err
				}
				for _, l := range lines {
					if err := a.took(l); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// took takes a line.
func (a *asking) took(l *cells.Line) error {
	if l.System == cells.System && (strings.HasPrefix(l.Status, cells.WrongAnswer) || strings.HasPrefix(l.Status, cells.Failed)) {
		a.wrong++
	}
	a.lines = append(a.lines, *l)
	if _, err := fmt.Fprintln(a.std.out, briefPeer(l)); err != nil {
		return err
	}
	_, err := l.WriteTo(a.out)
	return err
}

// briefPeer is a line of any system for people.
func briefPeer(l *cells.Line) string {
	if l.System == cells.System {
		return brief(l)
	}
	form := ""
	if l.Form != "" {
		form = " (" + l.Form + ")"
	}
	if l.Status != "" {
		return fmt.Sprintf("%v%s: %s", l.Subject(), form, l.Status)
	}
	order := ""
	if !l.Ordered {
		order = ", rows in no order"
	}
	return fmt.Sprintf("%v%s: %.1f CPU ns a row (%.1f to %.1f), %d MiB beside the input%s",
		l.Subject(), form, l.CPU.Median, l.CPU.Min, l.CPU.Max, l.Beside>>20, order)
}
