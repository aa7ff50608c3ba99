package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressDelay is how long a command works before it shows how far it is.
const progressDelay = time.Second

// progress shows on a terminal how many rows are done. Anywhere else, and before a second has passed, it shows nothing. It
// is for one goroutine.
type progress struct {
	bar *progressbar.ProgressBar // nil where nothing is shown
	out late
}

// newProgress begins to count; total is the number of rows, -1 if it is not known.
func newProgress(std *streams, verb string, total int64, quiet bool) *progress {
	p := &progress{out: late{out: std.err, begin: time.Now().Add(progressDelay)}}
	if _, terminal := terminalWidth(std.err); !terminal || quiet {
		return p
	}
	p.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(&p.out),
		progressbar.OptionSetDescription(verb),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("rows"),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine that goes on drawing
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSetPredictTime(total > 0),
	)
	return p
}

// at says that this many rows are done.
func (p *progress) at(rows int64) {
	if p.bar != nil {
		_ = p.bar.Set64(rows)
	}
}

// end takes the bar away. It may be called again.
func (p *progress) end() {
	if p.bar != nil && p.out.used {
		_ = p.bar.Clear()
	}
	p.bar = nil
}

// late writes nothing before it begins.
type late struct {
	out   io.Writer
	begin time.Time
	used  bool
}

func (l *late) Write(p []byte) (int, error) {
	if time.Now().Before(l.begin) {
		return len(p), nil
	}
	l.used = true
	return l.out.Write(p)
}
