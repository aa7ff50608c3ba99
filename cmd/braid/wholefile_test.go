package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// content reads a file.
func content(t *testing.T, path string) string {
	t.Helper()
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes)
}

func TestWholeFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	w, err := createWhole(path, false)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "first")
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there before commit: %v", err)
	}
	if err := w.commit(); err != nil {
		t.Fatal(err)
	}
	w.abort() // does nothing any more
	if got := content(t, path); got != "first" {
		t.Errorf("content %q", got)
	}
	if _, err := createWhole(path, false); err == nil || !strings.Contains(err.Error(), "exists; --force replaces it") {
		t.Errorf("error %v", err)
	}
	w, err = createWhole(path, true)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "second")
	w.abort()
	if got := content(t, path); got != "first" {
		t.Errorf("content %q after abort", got)
	}
	w, err = createWhole(path, true)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "third")
	if err := w.commit(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "third" {
		t.Errorf("content %q", got)
	}
	if got := names(t, dir); got != "out" {
		t.Errorf("files %s", got)
	}
}

// TestFileThatAppears has another program make the file while it is written: that file stays.
func TestFileThatAppears(t *testing.T) {
	for name, rename := range map[string]func(string, string) error{"rename": renameNoReplace, "link": linkNoReplace} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			mine, theirs := filepath.Join(dir, "mine"), filepath.Join(dir, "theirs")
			for _, path := range []string{mine, theirs} {
				if err := os.WriteFile(path, []byte(path), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := rename(mine, theirs); !errors.Is(err, os.ErrExist) {
				t.Errorf("error %v", err)
			}
			if got := content(t, theirs); got != theirs {
				t.Errorf("content %q", got)
			}
			if err := rename(mine, filepath.Join(dir, "new")); err != nil {
				t.Error(err)
			}
			if got := names(t, dir); got != "new theirs" {
				t.Errorf("files %s", got)
			}
		})
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	w, err := createWhole(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.commit(); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("error %v", err)
	}
	if got := content(t, path) + names(t, dir); got != "theirsout" {
		t.Errorf("left %s", got)
	}
}

// TestPermissions: a new file is as the umask says, one that takes the place of another has its permissions, and a symbolic
// link stays one.
func TestPermissions(t *testing.T) {
	dir := t.TempDir()
	old, link := filepath.Join(dir, "old"), filepath.Join(dir, "link")
	if err := os.WriteFile(old, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("old", link); err != nil {
		t.Fatal(err)
	}
	w, err := createWhole(link, true)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "new")
	if err := w.commit(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(old)
	if err != nil || info.Mode() != 0o640 || content(t, old) != "new" {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, error %v", info.Mode(), err)
	}
}

func TestMergeIntoDevice(t *testing.T) {
	base, delta := twoRuns(t, ".arrow")
	if r := braid("merge", "-k", "id", base, delta, "-o", os.DevNull, "--to", "parquet"); r.code != exitDone {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is %v, error %v", os.DevNull, info.Mode(), err)
	}
}

func TestExistingOutput(t *testing.T) {
	base, delta := twoRuns(t, ".arrow")
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"merge", "-k", "id", base, delta, "-o", path}
	if r := braid(args...); r.code != exitError || !strings.Contains(r.err, "out.csv exists; --force replaces it") || content(t, path) != "precious" {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	mustBraid(t, append(args, "--force")...)
	if got := content(t, path); !strings.HasPrefix(got, "id,name,age\n") {
		t.Errorf("content %q", got)
	}
	if r := braid("merge", "-k", "id", base, "-o", filepath.Join(dir, "no", "out.csv")); r.code != exitError || !strings.Contains(r.err, filepath.Join("no", "out.csv")+": no such file or directory") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	if r := braid("merge", "-k", "id", base, "-o", dir, "--to", "csv"); r.code != exitError || !strings.Contains(r.err, "is a directory") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	// The output may be one of the inputs: it is replaced when all is read.
	mustBraid(t, "merge", "-k", "id", base, delta, "-o", base, "--force")
	if got := mustBraid(t, "merge", "-k", "id", base); got != deduplicated {
		t.Errorf("rows\n%s", got)
	}
	if got := names(t, dir); got != "out.csv" {
		t.Errorf("files %s", got)
	}
}

// stopping is an input that delivers some bytes and then waits until it is closed; it says when it begins to wait.
type stopping struct {
	bytes   *bytes.Reader
	waiting chan struct{}
	closed  chan struct{}
}

func (s *stopping) Read(p []byte) (int, error) {
	if s.bytes.Len() > 0 {
		return s.bytes.Read(p)
	}
	close(s.waiting)
	<-s.closed
	return 0, io.EOF
}

// TestInterruptedWhileWaiting cancels a merge that waits for standard input.
func TestInterruptedWhileWaiting(t *testing.T) {
	_, delta := twoRuns(t, ".arrows")
	stream := content(t, delta)
	for _, n := range []int{0, 100, len(stream) / 2, len(stream) - 8} {
		dir := t.TempDir()
		in := &stopping{bytes.NewReader([]byte(stream[:n])), make(chan struct{}), make(chan struct{})}
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-in.waiting
			cancel()
		}()
		var errs bytes.Buffer
		code := run(ctx, []string{"merge", "-k", "id", "-", "-o", filepath.Join(dir, "out.parquet")}, in, io.Discard, &errs)
		close(in.closed)
		if code != exitInterrupted || errs.String() != "braid: interrupted\n" {
			t.Errorf("after %d bytes: exit %d, %s", n, code, errs.String())
		}
		if got := names(t, dir); got != "" {
			t.Errorf("files left: %s", got)
		}
	}
}

// TestInterruptedCommands cancels before the work begins.
func TestInterruptedCommands(t *testing.T) {
	base, delta := twoRuns(t, ".parquet")
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range []string{
		"merge -k id " + base + " " + delta + " -o " + filepath.Join(dir, "out.arrow"),
		"inspect -k id " + base,
		"gen --rows 1000000 -o " + dir,
		"demo",
	} {
		var errs bytes.Buffer
		if code := run(ctx, strings.Fields(args), nil, io.Discard, &errs); code != exitInterrupted {
			t.Errorf("%s: exit %d, %s", args, code, errs.String())
		}
	}
	if got := names(t, dir); got != "" {
		t.Errorf("files left: %s", got)
	}
}

// TestSignals sends signals to the command as a process of its own.
func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		dir := t.TempDir()
		command := asProcess("merge", "-k", "id", "-", "-o", filepath.Join(dir, "out.parquet"))
		in, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		command.Stderr = &errs
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		_, delta := twoRuns(t, ".arrows")
		stream := content(t, delta)
		io.WriteString(in, stream[:len(stream)-8])
		// The command has begun its file, and waits for more, when there is something in the directory.
		for begun := time.Now(); names(t, dir) == "" && time.Since(begun) < time.Minute; {
			time.Sleep(10 * time.Millisecond)
		}
		if err := command.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		err = command.Wait()
		in.Close()
		if command.ProcessState.ExitCode() != exitInterrupted || errs.String() != "braid: interrupted\n" {
			t.Errorf("%v: %v, %s", signal, err, errs.String())
		}
		if got := names(t, dir); got != "" {
			t.Errorf("%v: files left: %s", signal, got)
		}
	}
}

// TestReaderThatGoesAway closes the pipe that a process of the command writes to.
func TestReaderThatGoesAway(t *testing.T) {
	dir := t.TempDir()
	mustBraid(t, "gen", "--rows", "200000", "--runs", "1", "--duplicates", "0", "--deletes", "0", "--format", "arrow", "-o", dir)
	for _, to := range []string{"jsonl", "csv", "table", "arrows", "parquet"} {
		command := asProcess("merge", "-k", "id", filepath.Join(dir, "run-0.arrow"), "--to", to)
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		command.Stderr = &errs
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		out.Close()
		if err := command.Wait(); err != nil || errs.String() != "" {
			t.Errorf("%s: %v, %s", to, err, errs.String())
		}
	}
}

// full is an output that takes some bytes and then is full.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.left {
		return f.left, syscall.ENOSPC
	}
	f.left -= len(p)
	return len(p), nil
}

func TestOutputErrors(t *testing.T) {
	base, delta := twoRuns(t, ".arrow")
	for _, to := range []string{"jsonl", "csv", "table", "arrow", "arrows", "parquet"} {
		for _, left := range []int{0, 40} {
			var errs bytes.Buffer
			code := run(context.Background(), []string{"merge", "-k", "id", base, delta, "--to", to}, nil, &full{left}, &errs)
			if code != exitError || !strings.Contains(errs.String(), "no space left on device") {
				t.Errorf("%s after %d bytes: exit %d, %s", to, left, code, errs.String())
			}
		}
	}
}
