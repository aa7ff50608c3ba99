package peerrun

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// request is what a peer is asked for.
type request struct {
	Dir     string `json:"dir"`
	Job     string `json:"job"`
	Track   string `json:"track"`
	Format  string `json:"format"`
	Threads int    `json:"threads"`
	Scratch string `json:"scratch"`
}

// event is a line that a peer writes.
type event struct {
	Event   string          `json:"event"`
	Version string          `json:"version"`
	Forms   []string        `json:"forms"`
	Form    string          `json:"form"`
	Path    string          `json:"path"`
	NS      json.RawMessage `json:"ns"`
	CPU     json.RawMessage `json:"cpu_ns"`
	Beside  int64           `json:"beside"`
	Why     string          `json:"why"`
}

// statusError is why a peer has no figures: a status of a line.
type statusError struct{ status string }

func (e *statusError) Error() string { return e.status }

func statusf(status, format string, args ...any) error {
	return &statusError{status + ": " + fmt.Sprintf(format, args...)}
}

// conversation is a peer's process, and the lines to it and from it.
type conversation struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	errs    tail
	cancel  context.CancelFunc
	late    context.Context
}

// start starts a peer's process in a process group of its own, which ends when the time is up.
func start(ctx context.Context, cmd *exec.Cmd, limit time.Duration) (*conversation, error) {
	c := &conversation{process: cmd}
	c.late, c.cancel = context.WithTimeout(ctx, limit)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stderr = &c.errs
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.out = in, bufio.NewScanner(out)
	if err := cmd.Start(); err != nil {
		c.cancel()
		return nil, err
	}
	context.AfterFunc(c.late, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	return c, nil
}

// end ends the process.
func (c *conversation) end() {
	c.in.Close()
	c.cancel()
	_ = c.process.Wait() // it has been killed or has nothing left to say
}

func (c *conversation) say(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(text, '\n'))
	if err != nil {
		return c.fault(err)
	}
	return nil
}

// hear reads the next line, which must be one of these events.
func (c *conversation) hear(wanted ...string) (event, error) {
	if !c.out.Scan() {
		return event{}, c.fault(errors.Join(c.out.Err(), io.ErrUnexpectedEOF))
	}
	var e event
	if err := json.Unmarshal(c.out.Bytes(), &e); err != nil {
		return event{}, statusf(failed, "it wrote %.80q", c.out.Text())
	}
	switch e.Event {
	case "not supported":
		return event{}, statusf(notSupported, "%s", e.Why)
	case "missing":
		return event{}, statusf(missing, "%s", e.Why)
	case "failed":
		return event{}, statusf(failed, "%s", e.Why)
	}
	for _, w := range wanted {
		if e.Event == w {
			return e, nil
		}
	}
	return event{}, statusf(failed, "it said %q, %s was expected", e.Event, strings.Join(wanted, " or "))
}

// fault says why the process is gone.
func (c *conversation) fault(err error) error {
	switch {
	case errors.Is(c.late.Err(), context.DeadlineExceeded):
		return statusf(failed, "its time is up")
	case c.late.Err() != nil:
		return c.late.Err()
	}
	c.in.Close()
	if wait := c.process.Wait(); wait != nil {
		err = wait
	}
	return statusf(failed, "%v: %s", err, c.errs.line())
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	const most = 4096
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-most):]
	return len(p), nil
}

// line is the last line with something in it.
func (t *tail) line() string {
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return string(bytes.TrimSpace(lines[len(lines)-1]))
}
