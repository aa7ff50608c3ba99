package pictures

import (
	"errors"
	"os"

	"github.com/braidmerge/braid/bench/cells"
)

// ErrNothing means that there are no lines that a picture could be made of.
var ErrNothing = errors.New("there is nothing to draw")

// Draw draws all pictures that the lines are enough for into a directory, and returns the names of the files. Of lines of the same
// subject the last counts.
func Draw(lines []cells.Line, dir string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	lines = cells.Plain(lines)
	var names []string
	for _, picture := range []func([]cells.Line, string) ([]string, error){byShare, byRuns, byStage, byTier, byThreads} {
		drawn, err := picture(lines, dir)
		names = append(names, drawn...)
		if err != nil {
			return names, err
		}
	}
	if len(names) == 0 {
		return nil, ErrNothing
	}
	return names, nil
}
