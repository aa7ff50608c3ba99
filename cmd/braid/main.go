// Command braid merges sorted runs of Arrow and Parquet files into one sorted table, and shows what is in such files.
//
//	braid merge --key id base.parquet delta.parquet -o merged.parquet
//	braid inspect --key id merged.parquet
//	braid validity summary base.parquet delta.parquet
//	braid gen --rows 1000000 --runs 4 -o runs
//	braid demo
//
// It exits with 0 when it is done, with 1 after an error in the data or at run time, with 2 after a mistake on the command
// line, and with 130 when it was interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/braidmerge/braid/kernel"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal ends the work in an orderly way; a second one ends the process.
	context.AfterFunc(ctx, stop)
	// A reader that went away shows as EPIPE from the write, not as the end of the process.
	signal.Ignore(syscall.SIGPIPE)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// streams are the standard streams of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run runs the command line and returns the exit code. It ends early, and leaves nothing half-written, when ctx is
// cancelled.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	std := &streams{in: stdin, out: stdout, err: stderr}
	err := withFaults(func() error { return execute(ctx, args, std) })
	return finish(ctx, err, std)
}

// withFaults runs f and makes an error of the fault that reading a mapped file raises when the file has become shorter.
func withFaults(f func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer func() {
		r := recover()
		panicked, _ := r.(error)
		var fault interface{ Addr() uintptr }
		if errors.As(panicked, &fault) {
			err = fmt.Errorf("%w: a file has changed while it was read", kernel.ErrCorrupt)
		} else if r != nil {
			panic(r)
		}
	}()
	return f()
}
