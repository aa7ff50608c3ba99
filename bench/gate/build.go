package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/braidmerge/braid/bench/cells"
	"github.com/braidmerge/braid/bench/workload"
)

// ErrNotComparable means that the other commit is not there, or does not build with the benchmarks of this one.
var ErrNotComparable = errors.New("nothing to compare with")

// Build builds, into a directory, the library of a commit with the benchmarks of the checkout at root, so that both sides measure the same
// in the same way, and returns the program.
func Build(ctx context.Context, root, commit, dir string) (program string, err error) {
	source := filepath.Join(dir, "source")
	if err := extract(ctx, root, commit, source); err != nil {
		return "", err
	}
	bench := filepath.Join(source, "bench")
	if err := os.RemoveAll(bench); err != nil {
		return "", err
	}
	if err := copyTree(filepath.Join(root, "bench"), bench); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "before")
	cmd := exec.CommandContext(ctx, "go", "build", "-mod=mod", "-buildvcs=false", "-o", program, ".")
	cmd.Dir = bench
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s does not build with these benchmarks: %s", ErrNotComparable, commit, lastLine(out, err))
	}
	return program, nil
}

// extract writes the tree of a commit.
func extract(ctx context.Context, root, commit, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	var said bytes.Buffer
	git := exec.CommandContext(ctx, "git", "-C", root, "archive", "--format=tar", commit)
	tar := exec.CommandContext(ctx, "tar", "-x", "-C", to)
	git.Stderr = &said
	var err error
	if tar.Stdin, err = git.StdoutPipe(); err != nil {
		return err
	}
	if err := tar.Start(); err != nil {
		return err
	}
	gitErr, tarErr := git.Run(), tar.Wait()
	if gitErr != nil {
		return fmt.Errorf("%w: commit %s: %s", ErrNotComparable, commit, lastLine(said.Bytes(), gitErr))
	}
	return tarErr
}

// copyTree copies a folder of source, without what benchmarks have written.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && rel == "out":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o666)
	})
}

func lastLine(out []byte, err error) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return err.Error()
}

// Program measures cells with a program that bench was built as.
func Program(program string, rows int64, rounds int) Measure {
	return func(ctx context.Context, n workload.Name) (cells.Line, error) {
		cmd := exec.CommandContext(ctx, program, "run", "--cells", n.String(), "--rows", fmt.Sprint(rows), "--rounds", fmt.Sprint(rounds))
		var out, said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &said
		err := cmd.Run() // not 0 for a line without figures, too
		var l cells.Line
		if parse := json.Unmarshal(out.Bytes(), &l); parse != nil {
			if ctx.Err() != nil {
				return l, ctx.Err()
			}
			return l, fmt.Errorf("%s: %v: %s", filepath.Base(program), errors.Join(err, parse), lastLine(said.Bytes(), parse))
		}
		return l, nil
	}
}
