package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// The section of the document about compaction has examples of its own kind:
//
//	```compact
//	changelog-producer = lookup          an option of the table; without a producer the runs are read by level
//	columns: k int, a double             its columns, with types; without this line those of the input, all of them int
//	top level: 3                         the level that a full compaction writes
//	```
//
//	| of run | level | seq | kind | k | a |    the rows of run 0, then those of run 1, and so on; the run higher is what the
//	                                         levels above have, and has no level
//
//	Changelog:                               and its rows; or "Changelog: none."
//	Stays:                                   and the rows of the result; or "Stays, deletes kept:", or "Stays: none."; of a read by
//	                                         level it is "Read:"; or "Fails: `ErrInternalState` at run 1, row 0."
type compactExample struct {
	docExample
	top       int
	changelog docTable
	stays     docTable
	kept      bool
	fault     string
	place     string
	decided   bool
}

var (
	staysLine = regexp.MustCompile(`^(?:Stays|Read)(, deletes kept)?:( none\.)?$`)
	failsLine = regexp.MustCompile("^Fails: `(Err\\w+)` at run (\\d+), row (\\d+)\\.$")
)

// readCompactExamples finds the examples of compaction.
func readCompactExamples(text string) ([]*compactExample, error) {
	var examples []*compactExample
	var e *compactExample // at hand, nil between examples
	lines := strings.Split(text, "\n")
	table := func(i int) (docTable, int) {
		for i++; i+1 < len(lines) && lines[i] == ""; i++ {
		}
		return readTable(lines, i)
	}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		var err error
		switch {
		case line == "```compact":
			e = &compactExample{docExample: docExample{line: i + 1, options: map[string]string{}, key: []string{"k"}}}
			for i++; i < len(lines) && lines[i] != "```" && err == nil; i++ {
				if top, ok := strings.CutPrefix(lines[i], "top level: "); ok {
					e.top, err = strconv.Atoi(top)
				} else {
					err = e.setting(lines[i])
				}
			}
			examples = append(examples, e)
		case e == nil:
		case strings.HasPrefix(line, "| of run |") && e.input.header == nil:
			e.input, i = readTable(lines, i)
			if e.types == nil {
				e.columns = docTable{header: e.input.header[2:]}.values()
			}
		case line == "Changelog:":
			e.changelog, i = table(i)
		case staysLine.MatchString(line):
			m := staysLine.FindStringSubmatch(line)
			if e.kept = m[1] != ""; m[2] == "" {
				e.stays, i = table(i)
			}
			e.decided, e = true, nil
		case strings.HasPrefix(line, "Fails:"):
			m := failsLine.FindStringSubmatch(line)
			if m == nil {
				return nil, fmt.Errorf("line %d: %q is no result", i+1, line)
			}
			e.fault, e.place = m[1], fmt.Sprintf("run %s, row %s", m[2], m[3])
			e.decided, e = true, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	for _, e := range examples {
		if !e.decided || e.input.header == nil {
			return nil, fmt.Errorf("line %d: an example without an input or a result", e.line)
		}
	}
	return examples, nil
}

// compactInput is the input of an example as records.
type compactInput struct {
	runs   []rowmerge.Run
	higher *rowmerge.Run
}

// build makes records of up to n rows. The caller releases them, also after an error.
func (e *compactExample) build(mem memory.Allocator, schema *arrow.Schema, n int) (in compactInput, all []arrow.Record, err error) {
	rows := map[string][][]string{}
	levels := map[string]int{}
	var names []string
	for _, row := range e.input.rows {
		name := row[0]
		if rows[name] == nil && name != "higher" {
			if name != strconv.Itoa(len(names)) {
				return in, all, fmt.Errorf("run %q stands after %d others", name, len(names))
			}
			if levels[name], err = strconv.Atoi(row[1]); err != nil {
				return in, all, err
			}
			names = append(names, name)
		}
		rows[name] = append(rows[name], row[2:])
	}
	table := docTable{header: e.input.header[2:]}
	build := func(name string) (rowmerge.Run, error) {
		records, err := table.build(mem, schema, rows[name], n)
		all = append(all, records...)
		return rowmerge.Run{Level: levels[name], Records: records}, err
	}
	for _, name := range names {
		run, err := build(name)
		if err != nil {
			return in, all, err
		}
		in.runs = append(in.runs, run)
	}
	if rows["higher"] != nil {
		run, err := build("higher")
		if err != nil {
			return in, all, err
		}
		in.higher = &run
	}
	return in, all, nil
}

// check puts the example to the kernel and to the row merger, in both modes and in batches of several sizes.
func (e *compactExample) check() error {
	for _, mode := range []string{"false", "true"} {
		for _, n := range []int{1 << 10, 1} {
			for _, find := range []bool{false, true} {
				if err := e.checkOnce(mode, n, find && n > 1); err != nil {
					return fmt.Errorf("strict %s, batches of up to %d rows: %w", mode, n, err)
				}
			}
		}
	}
	return nil
}

func (e *compactExample) checkOnce(strict string, n int, find bool) (err error) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	schema, err := e.schema()
	if err != nil {
		return err
	}
	in, records, err := e.build(mem, schema, n)
	defer func() {
		for _, rec := range records {
			rec.Release()
		}
		if left := mem.CurrentAlloc(); left != 0 && err == nil {
			err = fmt.Errorf("%d bytes are left in the allocator", left)
		}
	}()
	if err != nil {
		return err
	}
	p := rowmerge.Problem{Schema: schema, PrimaryKey: e.key, Options: maps.Clone(e.options), Runs: in.runs, KeepDeletes: e.kept}
	p.Options["braid.strict"] = strict
	if err := e.checkReference(p, in.higher); err != nil {
		return fmt.Errorf("row merger: %w", err)
	}
	got, err := e.compact(p, in.higher, mem, find)
	if e.fault == "" {
		if err != nil {
			return fmt.Errorf("kernel: %w", err)
		}
		if err := e.diff(got, schema); err != nil {
			return fmt.Errorf("kernel: %w", err)
		}
		return nil
	}
	var at *kernel.RowError
	if !errors.Is(err, docErrors[e.fault]) || !errors.As(err, &at) || placeOf(at.Run, at.Batch*n+at.Row, "") != e.place {
		return fmt.Errorf("kernel: error %v, want %s at %s", err, e.fault, e.place)
	}
	return nil
}

func (e *compactExample) checkReference(p rowmerge.Problem, higher *rowmerge.Run) error {
	var got rowmerge.Compaction
	var faults []*rowmerge.Error
	if e.options["changelog-producer"] == "" {
		got.Rows, faults = p.ByLevel()
	} else {
		got, faults = p.Compact(e.top, higher)
	}
	switch {
	case e.fault != "" && len(faults) == 0:
		return fmt.Errorf("no error, want %s", e.fault)
	case e.fault == "ErrInternalState" && faults[0].Kind != rowmerge.KindInternalState:
		return faults[0]
	case e.fault != "":
		return nil
	case len(faults) > 0:
		return faults[0]
	}
	return e.diff(got, p.Schema)
}

// compact puts the problem to the kernel.
func (e *compactExample) compact(p rowmerge.Problem, higher *rowmerge.Run, mem memory.Allocator, find bool) (got rowmerge.Compaction, err error) {
	options, err := kernel.ParseOptions(p.Options)
	if err != nil {
		return got, err
	}
	plan, err := kernel.Compile(kernel.Table{Schema: p.Schema, PrimaryKey: p.PrimaryKey}, options)
	if err != nil {
		return got, err
	}
	var runs []kernel.Run
	for _, r := range p.Runs {
		run := kernel.FromRecords(r.Records...)
		run.Level = r.Level
		runs = append(runs, run)
	}
	how := []kernel.MergeOption{kernel.WithAllocator(mem), kernel.KeepSystemColumns(), kernel.ByLevel()}
	if options.Changelog != kernel.ChangelogNone {
		changelog := kernel.Changelog{TopLevel: e.top}
		switch {
		case higher != nil && find:
			changelog.Find = func(context.Context, arrow.Record) (arrow.Record, error) {
				higher.Records[0].Retain()
				return higher.Records[0], nil
			}
		case higher != nil:
			run := kernel.FromRecords(higher.Records...)
			changelog.Higher = &run
		}
		how[2] = kernel.WithChangelog(changelog)
	}
	if p.KeepDeletes {
		how = append(how, kernel.KeepDeletes())
	}
	merged, err := plan.Merge(context.Background(), runs, how...)
	if err != nil {
		return got, err
	}
	defer merged.Release()
	for merged.Next() {
		rows, err := rowmerge.RowsOf(merged.Record(), e.columns, nil)
		if err != nil {
			return got, err
		}
		got.Rows = append(got.Rows, rows...)
		if rec := merged.Changelog(); rec != nil {
			if rows, err = rowmerge.RowsOf(rec, e.columns, nil); err != nil {
				return got, err
			}
			got.Changelog = append(got.Changelog, rows...)
		}
	}
	return got, merged.Err()
}

// diff compares an answer with the example's.
func (e *compactExample) diff(got rowmerge.Compaction, schema *arrow.Schema) error {
	for _, part := range []struct {
		name string
		want docTable
		got  []rowmerge.Row
	}{{"changelog", e.changelog, got.Changelog}, {"result", e.stays, got.Rows}} {
		var want []rowmerge.Row
		records, err := part.want.build(memory.DefaultAllocator, schema, part.want.rows, len(part.want.rows)+1)
		if err != nil {
			return err
		}
		for _, rec := range records {
			if want, err = rowmerge.RowsOf(rec, e.columns, nil); err != nil {
				return err
			}
		}
		if d := rowmerge.Diff(want, part.got, rowmerge.Comparison{Columns: e.columns, Kinds: true, Sequences: true}); d != "" {
			return fmt.Errorf("%s: %s", part.name, d)
		}
	}
	return nil
}

func TestSemanticsCompactExamples(t *testing.T) {
	examples, err := readCompactExamples(semantics(t))
	if err != nil || len(examples) == 0 {
		t.Fatal(len(examples), err)
	}
	for _, e := range examples {
		t.Run(fmt.Sprintf("line %d", e.line), func(t *testing.T) {
			if err := e.check(); err != nil {
				t.Errorf("%s:%d: %v", semanticsPage, e.line, err)
			}
		})
	}
}

// TestSemanticsCompactCheckerFails shows the checker examples that are wrong, next to the right one they are made from.
func TestSemanticsCompactCheckerFails(t *testing.T) {
	const right = "```compact\nchangelog-producer = lookup\n```\n\n| of run | level | seq | kind | k | v |\n|---|---|---|---|---|---|\n" +
		"| 0 | 2 | 1 | +I | 1 | 10 |\n| 1 | 0 | 2 | +U | 1 | 11 |\n\nChangelog:\n\n| seq | kind | k | v |\n|---|---|---|---|\n" +
		"| 1 | -U | 1 | 10 |\n| 2 | +U | 1 | 11 |\n\nStays:\n\n| seq | kind | k | v |\n|---|---|---|---|\n| 2 | +U | 1 | 11 |\n"
	for _, c := range []struct{ name, old, new, want string }{
		{"right", "", "", ""},
		{"a kind", "| 1 | -U |", "| 1 | -D |", "changelog: row 0: kind"},
		{"a number", "| 2 | +U | 1 | 11 |\n\nStays", "| 1 | +U | 1 | 11 |\n\nStays", "sequence number"},
		{"a change too few", "| 2 | +U | 1 | 11 |\n\nStays", "\nStays", "2 rows, want 1"},
		{"another result", "| 2 | +U | 1 | 11 |\n", "| 2 | +U | 1 | 12 |\n", "changelog: row 1"},
		{"no result", "Stays:", "Stay:", "without an input or a result"},
		{"a level", "| 1 | 0 |", "| 1 | 1 |", "0 rows, want 2"},
		{"an error for rows", "Stays:", "Fails: `ErrInternalState` at run 0, row 0.", "want ErrInternalState"},
	} {
		t.Run(c.name, func(t *testing.T) {
			examples, err := readCompactExamples(strings.Replace(right, c.old, c.new, 1))
			for _, e := range examples {
				if err == nil {
					err = e.check()
				}
			}
			switch {
			case err == nil && c.want != "":
				t.Errorf("no error, want one with %q", c.want)
			case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}
