package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/braidmerge/braid/kernel"
)

// Exit codes.
const (
	exitDone        = 0
	exitError       = 1   // the data or the machine is to blame
	exitUsage       = 2   // the command line is to blame
	exitInterrupted = 130 // SIGINT or SIGTERM
)

// usageError is a mistake on the command line.
type usageError struct {
	message string
	command string // whose --help explains more; empty: the program's
}

func (e *usageError) Error() string { return e.message }

// usagef makes a usageError.
func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

// finish says what went wrong, if anything did, and returns the exit code.
func finish(ctx context.Context, err error, std *streams) int {
	var usage *usageError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		// Whoever read our output has seen enough of it.
		return exitDone
	case ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)):
		fmt.Fprintln(std.err, "braid: interrupted")
		return exitInterrupted
	case errors.As(err, &usage):
		help := "braid --help"
		if usage.command != "" {
			help = "braid " + usage.command + " --help"
		}
		fmt.Fprintf(std.err, "braid: %v\nRun \"%s\" for help.\n", err, help)
		return exitUsage
	case errors.Is(err, kernel.ErrOption):
		fmt.Fprintf(std.err, "braid: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(std.err, "braid: %v\n", err)
	return exitError
}
