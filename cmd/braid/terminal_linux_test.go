package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// openTerminal returns the two ends of a pseudo-terminal.
func openTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	number, err := unix.IoctlGetUint32(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	return master, terminal
}

// onTerminal runs the command as a process whose standard output and standard error are a terminal, feeds it, and returns
// what the terminal was sent.
func onTerminal(t *testing.T, feed func(io.WriteCloser), args ...string) (text string, code int) {
	t.Helper()
	master, terminal := openTerminal(t)
	command := asProcess(args...)
	command.Stdout, command.Stderr = terminal, terminal
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	sent := make(chan string)
	go func() {
		var text bytes.Buffer
		io.Copy(&text, master) // ends with an error when the last user of the terminal is gone
		sent <- text.String()
	}()
	feed(in)
	in.Close()
	command.Wait()
	return strings.ReplaceAll(<-sent, "\r\n", "\n"), command.ProcessState.ExitCode()
}

func TestTerminal(t *testing.T) {
	dir := t.TempDir()
	mustBraid(t, "gen", "--rows", "100", "--runs", "1", "--duplicates", "0", "--deletes", "0", "--format", "arrows", "-o", dir)
	path := filepath.Join(dir, "run-0.arrows")
	nothing := func(io.WriteCloser) {}

	text, code := onTerminal(t, nothing, "merge", "-k", "id", path)
	if lines := strings.Split(text, "\n"); code != exitDone || !strings.HasPrefix(text, " id  quantity") || !strings.HasPrefix(lines[42], "merged 1 run: ") || !strings.Contains(text, "the table stops after 40 rows") {
		t.Errorf("exit %d:\n%s", code, text)
	}
	if text, code = onTerminal(t, nothing, "merge", "-qk", "id", path, "--limit", "50"); code != exitDone || strings.Count(text, "\n") != 52 {
		t.Errorf("exit %d:\n%s", code, text)
	}
	if text, code = onTerminal(t, nothing, "merge", "-qk", "id", path, "--to", "table"); code != exitDone || strings.Count(text, "\n") != 102 {
		t.Errorf("exit %d:\n%s", code, text)
	}
	if text, code = onTerminal(t, nothing, "merge", "-k", "id", path, "--to", "parquet"); code != exitUsage || !strings.Contains(text, "parquet is not for a terminal; say -o FILE") {
		t.Errorf("exit %d:\n%s", code, text)
	}
}

// TestProgress feeds a merge in two parts: progress shows after a second, on a terminal only, and not when told to be quiet.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	mustBraid(t, "gen", "--rows", "400000", "--runs", "1", "--duplicates", "0", "--deletes", "0", "--format", "arrows", "-o", dir)
	stream := content(t, filepath.Join(dir, "run-0.arrows"))
	slowly := func(in io.WriteCloser) {
		io.WriteString(in, stream[:len(stream)/2])
		time.Sleep(progressDelay + 300*time.Millisecond)
		io.WriteString(in, stream[len(stream)/2:])
	}
	out := filepath.Join(dir, "out.arrow")
	text, code := onTerminal(t, slowly, "merge", "-k", "id", "-", "-o", out)
	if code != exitDone || !strings.Contains(text, "merging") || !strings.HasSuffix(text, ")\n") {
		t.Errorf("exit %d: %q", code, text)
	}
	files := []string{"merge", "-k", "id", filepath.Join(dir, "run-0.arrows"), "-o", out, "--force"}
	began := time.Now()
	text, code = onTerminal(t, func(io.WriteCloser) {}, files...)
	if code != exitDone || (time.Since(began) < progressDelay && !strings.HasPrefix(text, "merged 1 run")) {
		t.Errorf("exit %d: %q", code, text)
	}
	if text, code = onTerminal(t, slowly, "merge", "-k", "id", "-", "-o", out, "--force", "--quiet"); code != exitDone || text != "" {
		t.Errorf("exit %d: %q", code, text)
	}
}
