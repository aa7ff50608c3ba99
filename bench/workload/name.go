package workload

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// ErrName means that a name of a cell or a workload cannot be understood, or asks for what cannot be.
var ErrName = errors.New("not a workload")

// Name is the name of a cell. Without a job it is that of a workload.
type Name struct {
	Job     string
	Key     string
	Runs    int
	Share   int // of the rows that are superseded, in percent
	Layout  string
	Columns string
}

// Parse makes sense of the name of a cell.
func Parse(cell string) (Name, error) {
	if strings.HasPrefix(cell, "/") {
		return Name{}, fmt.Errorf("%w: %q has no job", ErrName, cell)
	}
	return parse(cell)
}

// parse is Parse for the name of a workload, too, which has nothing before its first slash.
func parse(cell string) (Name, error) {
	parts := strings.Split(cell, "/")
	if len(parts) != 6 {
		return Name{}, fmt.Errorf("%w: %q is not job/key/k8/dup50/layout/columns", ErrName, cell)
	}
	n := Name{Job: parts[0], Key: parts[1], Layout: parts[4], Columns: parts[5]}
	var err error
	if n.Runs, err = number(parts[2], "k", 1, 1024); err != nil {
		return Name{}, fmt.Errorf("%w: %q: %w", ErrName, cell, err)
	}
	if n.Share, err = number(parts[3], "dup", 0, 99); err != nil {
		return Name{}, fmt.Errorf("%w: %q: %w", ErrName, cell, err)
	}
	if err := n.check(); err != nil {
		return Name{}, fmt.Errorf("%w: %q: %w", ErrName, cell, err)
	}
	return n, nil
}

func number(text, prefix string, least, most int) (int, error) {
	digits, ok := strings.CutPrefix(text, prefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < least || n > most || strconv.Itoa(n) != digits {
		return 0, fmt.Errorf("%q is not %s and a number from %d to %d", text, prefix, least, most)
	}
	return n, nil
}

func (n Name) check() error {
	set, known := columnSets[n.Columns]
	switch {
	case !known:
		return fmt.Errorf("no columns %q; there are %s", n.Columns, listed(columnSets))
	case keyKinds[n.Key] == nil:
		return fmt.Errorf("no key %q; there are %s", n.Key, listed(keyKinds))
	case layouts[n.Layout] == nil:
		return fmt.Errorf("no layout %q; there are %s", n.Layout, listed(layouts))
	case n.Runs*n.Share > 100*(n.Runs-1):
		return fmt.Errorf("%d runs can supersede at most %d %% of their rows", n.Runs, 100*(n.Runs-1)/n.Runs)
	case n.Layout == "refresh" && n.Share > 30:
		return errors.New("a refresh supersedes at most 30 % of the rows")
	case n.Job != "" && !slices.Contains(set.jobs, n.Job):
		return fmt.Errorf("columns %s have the jobs %s", n.Columns, strings.Join(set.jobs, ", "))
	}
	return nil
}

func listed[T any](m map[string]T) string { return strings.Join(slices.Sorted(maps.Keys(m)), ", ") }

// Data is the name of the workload that the cell merges.
func (n Name) Data() string {
	return fmt.Sprintf("%s/k%d/dup%d/%s/%s", n.Key, n.Runs, n.Share, n.Layout, n.Columns)
}

// Dir is the name of the workload as a file name.
func (n Name) Dir() string { return strings.ReplaceAll(n.Data(), "/", "-") }

// String is the name of the cell.
func (n Name) String() string { return n.Job + "/" + n.Data() }

// Jobs are the jobs that the columns of the workload are for.
func (n Name) Jobs() []string { return columnSets[n.Columns].jobs }

// Select returns the cells of the list that match one of the patterns, which are divided by commas and match as file names do:
// an asterisk stands for anything but a slash. A pattern of fewer parts than a cell has matches its first ones. A pattern
// without an asterisk that names a cell outside the list selects it all the same.
func Select(cells []Name, patterns string) ([]Name, error) {
	var selected []Name
	add := func(n Name) {
		if !slices.Contains(selected, n) {
			selected = append(selected, n)
		}
	}
	for _, pattern := range strings.Split(patterns, ",") {
		matched := false
		for _, cell := range cells {
			ok, err := matches(pattern, cell.String())
			if err != nil {
				return nil, fmt.Errorf("%w: pattern %q: %w", ErrName, pattern, err)
			}
			if ok {
				add(cell)
				matched = true
			}
		}
		if matched {
			continue
		}
		cell, err := Parse(pattern)
		if err != nil {
			return nil, fmt.Errorf("%w: no cell matches %q", ErrName, pattern)
		}
		add(cell)
	}
	return selected, nil
}

// Matches says whether a cell matches one of the patterns of Select.
func Matches(patterns, cell string) (bool, error) {
	for _, pattern := range strings.Split(patterns, ",") {
		if ok, err := matches(pattern, cell); err != nil || ok {
			return ok, err
		}
	}
	return false, nil
}

func matches(pattern, cell string) (bool, error) {
	parts := strings.Split(cell, "/")
	given := strings.Count(pattern, "/") + 1
	return path.Match(pattern, strings.Join(parts[:min(given, len(parts))], "/"))
}
