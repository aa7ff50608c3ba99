//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNamedPipe reads a run from a pipe that has a name.
func TestNamedPipe(t *testing.T) {
	base, delta := twoRuns(t, ".arrows")
	rows := []byte(content(t, delta))
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	written := make(chan error)
	go func() { written <- os.WriteFile(pipe, rows, 0o600) }()
	if got := mustBraid(t, "merge", "-k", "id", base, pipe); got != deduplicated {
		t.Errorf("rows\n%s", got)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}
