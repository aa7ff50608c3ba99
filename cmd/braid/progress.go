package main

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressDelay is how long a command works before it shows how far it is.
const progressDelay = time.Second

// progress shows on a terminal how many rows are done. Anywhere else, and before a second has passed, it shows nothing.
type progress struct {
	std      *streams
	verb     string
	total    int64 // rows, -1 if not known
	started  time.Time
	terminal bool
	bar      *progressbar.ProgressBar
}

func newProgress(std *streams, verb string, total int64, quiet bool) *progress {
	_, terminal := terminalWidth(std.err)
	return &progress{std: std, verb: verb, total: total, started: time.Now(), terminal: terminal && !quiet}
}

// at says that this many rows are done.
func (p *progress) at(rows int64) {
	if !p.terminal || time.Since(p.started) < progressDelay {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(p.total,
			progressbar.OptionSetWriter(p.std.err),
			progressbar.OptionSetDescription(p.verb),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString("rows"),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetElapsedTime(true),
			progressbar.OptionSetPredictTime(p.total > 0),
		)
	}
	_ = p.bar.Set64(rows)
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
