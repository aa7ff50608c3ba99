package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/workload"
	"github.com/braidmerge/braid/internal/cputier"
)

// runCommand is the command line of run.
type runCommand struct {
	selection
	Rounds  int      `default:"5" help:"Rounds of each cell."`
	Tier    string   `placeholder:"TIER" help:"Use no more of the processor than this tier: portable, neon, avx2, avx512."`
	Threads int      `default:"1" help:"Workers of the merge."`
	Tracks  []string `enum:"A,B" default:"A" help:"A: from memory. B: from files."`
	Formats []string `enum:"arrow,parquet,zstd" default:"parquet,zstd" help:"Formats of the files of track B."`
	Data    string   `default:"out/data" placeholder:"DIR" help:"Directory of the workloads."`
	Keep    bool     `help:"Leave the files that were made for a cell."`
	Pooled  bool     `help:"Write records to memory that is used again when they are released (kernel.Pool)."`
	Views   bool     `help:"Put text out as views of the bytes of the input (kernel.WithStringViews)."`
	Mapped  bool     `help:"Keep the input of track A in memory that the garbage collector does not manage, as that of mapped files."`
	Output  string   `short:"o" placeholder:"FILE" help:"Append the lines to this file. Without it they go to standard output."`
}

// Help is what --help says beside the flags.
func (*runCommand) Help() string {
	return `Every cell is checked against the answer of its workload before it is timed. A line has nanoseconds of wall and processor time for an input row, and the stages of the merge. A wrong answer ends in exit code 1.

  bench run --cells 'dedup/int64/k8' --rounds 9 -o out/new.jsonl
  bench run --cells '*/int64/k8/dup10' --tracks A,B --tier portable`
}

func (c *runCommand) check() error {
	switch {
	case c.Rounds < 1 || c.Rounds > 1000:
		return usagef("--rounds %d is not between 1 and 1000", c.Rounds)
	case c.Threads < 1 || c.Threads > 256:
		return usagef("--threads %d is not between 1 and 256", c.Threads)
	}
	return nil
}

// Run measures.
func (c *runCommand) Run(ctx context.Context, std *streams) (err error) {
	selected, err := c.cells(ctx, workload.Catalog)
	if err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	restore, err := useTier(c.Tier)
	if err != nil {
		return err
	}
	defer restore()
	out, err := openLines(c.Output, std)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	m := cells.NewMeasurer(c.settings())
	wrong := 0
	for _, cell := range selected {
		err := m.Measure(ctx, cell, func(l *cells.Line) error {
			if strings.HasPrefix(l.Status, cells.WrongAnswer) || strings.HasPrefix(l.Status, cells.Failed) {
				wrong++
			}
			fmt.Fprintln(std.err, brief(l))
			_, err := l.WriteTo(out)
			return err
		})
		if err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of the lines have no figures because something is wrong", wrong)
	}
	return nil
}

func (c *runCommand) settings() cells.Settings {
	s := cells.Settings{Rows: c.Rows, Seed: c.Seed, Rounds: c.Rounds, Threads: c.Threads, Data: c.Data, Keep: c.Keep, Pooled: c.Pooled, Mapped: c.Mapped, Views: c.Views}
	for _, track := range c.Tracks {
		if track == cells.TrackMemory {
			s.Memory = true
		} else {
			s.Formats = c.Formats
		}
	}
	return s
}

// useTier lowers the processor tier to the one of that name; none leaves it.
func useTier(name string) (restore func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	tier, err := cputier.Parse(name)
	if err != nil {
		return nil, &usageError{message: err.Error()}
	}
	if restore, err = cputier.Set(tier); err != nil {
		return nil, &usageError{message: err.Error()}
	}
	return restore, nil
}

// brief is a line for people.
func brief(l *cells.Line) string {
	subject := l.Subject()
	if l.Status != "" {
		return fmt.Sprintf("%v: %s", subject, l.Status)
	}
	text := fmt.Sprintf("%v: %.1f CPU ns a row (%.1f to %.1f), copy floor %.1f", subject, l.CPU.Median, l.CPU.Min, l.CPU.Max, l.CopyFloor)
	if l.Track == cells.TrackFiles {
		text += fmt.Sprintf(", decoding alone %.1f", l.DecodeCPU)
	}
	return text
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// openLines opens the file that lines are appended to; without a name it is standard output.
func openLines(path string, std *streams) (io.WriteCloser, error) {
	if path == "" {
		return nopCloser{std.out}, nil
	}
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
}
