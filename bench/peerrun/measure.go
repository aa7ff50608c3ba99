package peerrun

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/measure"
	"github.com/braidmerge/braid/bench/workload"
)

const (
	notSupported = cells.NotSupported
	wrongAnswer  = cells.WrongAnswer
	missing      = cells.Missing
	leftOut      = cells.LeftOut
	failed       = cells.Failed
)

// Settings say how peers are measured.
type Settings struct {
	Rounds  int
	Threads int
	Limit   time.Duration // for one cell of one peer
}

// slow is how long a form may take before one round must do.
const slow = 8 * time.Second

// Measure asks a peer for a cell on the files of a workload and returns its lines: one, or two if a form whose rows are in no order is
// faster than those that are in order. What is wrong is in the status of a line, among it a form with a wrong answer. The error is the
// context's.
func (r Runners) Measure(ctx context.Context, s System, n workload.Name, m *workload.Manifest, dir, track, format string, set Settings) ([]*cells.Line, error) {
	base := cells.NewLine(s.Name, n, m, track, "")
	if track == cells.TrackFiles {
		base.Format = format
	}
	base.Threads = set.Threads
	lines, err := r.measure(ctx, s, n, m, dir, format, set, base)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		line := base
		line.Status = statusOf(err)
		lines = append(lines, &line)
	}
	return lines, nil
}

func statusOf(err error) string {
	var status *statusError
	text := strings.Join(strings.Fields(err.Error()), " ")
	if errors.As(err, &status) {
		return text
	}
	return failed + ": " + text
}

// form is a way to ask a peer that gave the right answer, with what one round of it took.
type form struct {
	name    string
	ordered bool
	ns, cpu float64
}

func (r Runners) measure(ctx context.Context, s System, n workload.Name, m *workload.Manifest, dir, format string, set Settings, base cells.Line) (lines []*cells.Line, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(dir, "peer-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	if s.most > 0 && m.Rows > s.most {
		return nil, statusf(leftOut, "more than %d rows take it too long", s.most)
	}
	cmd, err := r.command(s)
	if err != nil {
		return nil, err
	}
	c, err := start(ctx, cmd, set.Limit)
	if err != nil {
		return nil, statusf(missing, "%v; make peers installs it", err)
	}
	defer c.end()
	if err := c.say(request{Dir: dir, Job: n.Job, Track: base.Track, Format: format, Threads: set.Threads, Scratch: scratch}); err != nil {
		return nil, err
	}
	ready, err := c.hear("ready")
	if err != nil {
		return nil, err
	}
	base.Version = ready.Version
	var right []form
	for range ready.Forms {
		f, wrong, err := c.try(m, n.Job)
		if err != nil {
			return lines, err
		}
		if wrong != "" {
			line := base
			line.Form, line.Status = f.name, wrong
			lines = append(lines, &line)
			continue
		}
		right = append(right, f)
	}
	for _, f := range chosen(right) {
		line := base
		line.Form, line.Ordered = f.name, f.ordered
		answer := m.Jobs[n.Job].Answer
		line.RowsOut, line.Hash = answer.Rows, answer.Whole(m.ColumnNames())
		if err := c.time(f, set.Rounds, &line); err != nil {
			return lines, err
		}
		lines = append(lines, &line)
	}
	return lines, nil
}

// try has the peer write down the result of its next form, checks it, and if it is right has it run once against the clock. wrong says what
// is wrong with the result.
func (c *conversation) try(m *workload.Manifest, job string) (f form, wrong string, err error) {
	result, err := c.hear("result")
	if err != nil {
		return form{}, "", err
	}
	f.name = result.Form
	f.ordered, err = check(result.Path, m, job)
	if err := os.Remove(result.Path); err != nil {
		return f, "", err
	}
	if err != nil {
		return f, statusOf(err), c.say(map[string]bool{"time": false})
	}
	if err := c.say(map[string]bool{"time": true}); err != nil {
		return f, "", err
	}
	quick, err := c.hear("quick")
	if err != nil {
		return f, "", err
	}
	return f, "", errors.Join(json.Unmarshal(quick.NS, &f.ns), json.Unmarshal(quick.CPU, &f.cpu))
}

// chosen are the forms to measure in rounds: the fastest of those in order, and the fastest of the others if it is faster still.
func chosen(forms []form) []form {
	slices.SortFunc(forms, func(a, b form) int { return cmp.Compare(a.cpu, b.cpu) })
	var chosen []form
	for _, f := range forms {
		if f.ordered {
			return append(chosen, f)
		}
		if len(chosen) == 0 {
			chosen = append(chosen, f)
		}
	}
	return chosen
}

// time measures a form in rounds.
func (c *conversation) time(f form, rounds int, line *cells.Line) error {
	if time.Duration(f.ns) > slow {
		rounds = 1
	}
	if err := c.say(map[string]any{"form": f.name, "rounds": rounds}); err != nil {
		return err
	}
	e, err := c.hear("timed")
	if err != nil {
		return err
	}
	ns, cpu := []float64{}, []float64{}
	if err := errors.Join(json.Unmarshal(e.NS, &ns), json.Unmarshal(e.CPU, &cpu)); err != nil {
		return statusf(failed, "its figures: %v", err)
	}
	if len(ns) != rounds || len(cpu) != rounds {
		return statusf(failed, "it gave %d figures of %d", len(ns), rounds)
	}
	for i := range ns {
		ns[i] /= float64(line.Rows)
		cpu[i] /= float64(line.Rows)
	}
	line.Rounds, line.NS, line.CPU = rounds, measure.SpreadOf(ns), measure.SpreadOf(cpu)
	line.Beside = e.Beside
	return nil
}

// Estimate says about how long cells of so many rows take with these systems.
func Estimate(systems []System, cells int, rows int64, tracks int) time.Duration {
	each := 2_500.0 // the workload, its files and this library
	for _, s := range systems {
		if s.most == 0 || rows <= s.most {
			each += s.cost * float64(tracks)
		}
	}
	return time.Duration(each*float64(rows)*float64(cells)) + time.Duration(cells*len(systems)*tracks)*time.Second
}
