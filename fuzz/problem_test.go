package fuzz_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/rungen"
)

// question is a problem and the way it is put. Its text form is a line of JSON.
type question struct {
	Spec rungen.Spec
	Way  way
}

func (q question) String() string {
	text, err := json.Marshal(q)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// merger puts a problem in a way and gives the answer as a reader, which the caller releases.
type merger func(ctx context.Context, p posed) (array.RecordReader, error)

// posed is a problem in memory and the way it is put.
type posed struct {
	way
	problem *rungen.Problem
	mem     memory.Allocator
}

// ask puts the question to merge and compares the answer with the reference. It returns "" if all is well, else what is
// wrong. A panic of merge counts as an answer, and a wrong one.
func (q question) ask(merge merger) (wrong string) {
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprintf("panic: %v\n%s", r, places(string(debug.Stack())))
		}
	}()
	mem := fuzz.NewMemory()
	spec := q.Spec
	spec.Layout = q.Way.Layout
	problem, err := rungen.Generate(mem, spec)
	if err != nil {
		return err.Error()
	}
	wrong = posed{way: q.Way, problem: problem, mem: mem}.ask(merge)
	problem.Release()
	if wrong != "" {
		return wrong
	}
	return leftIn(mem)
}

// places leaves of a stack the places in the code under test.
func places(stack string) string {
	lines := slices.DeleteFunc(strings.Split(stack, "\n"), func(line string) bool {
		return !strings.Contains(line, ".go:") || strings.Contains(line, "_test.go:") || !strings.Contains(line, "braid")
	})
	return strings.Join(lines, "\n")
}

// leftIn describes what is left in the allocator, or returns "".
func leftIn(mem *memory.CheckedAllocator) string {
	if mem.CurrentAlloc() == 0 {
		return ""
	}
	var list leaks
	mem.AssertSize(&list, 0)
	return fmt.Sprintf("%d bytes left in the allocator\n%s", mem.CurrentAlloc(), strings.Join(list, "\n"))
}

// leaks gathers what the checked allocator reports.
type leaks []string

func (l *leaks) Errorf(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }
func (l *leaks) Helper()                           {}

// ask compares what merge makes of the problem with the reference, and the inputs before and after.
func (p posed) ask(merge merger) string {
	inputs := p.fingerprints()
	rows, faults := p.reference().Faults()
	got := p.collect(merge)
	if got.broken != "" {
		return got.broken
	}
	if !slices.Equal(inputs, p.fingerprints()) {
		return "the merge has changed its inputs"
	}
	if wrong := p.compareErrors(faults, got); wrong != "" {
		return wrong
	}
	if len(faults) > 0 {
		return ""
	}
	return p.compareRows(rows, got)
}

// reference is the problem as the row merger takes it.
func (p posed) reference() rowmerge.Problem {
	problem := rowmerge.Problem{
		Schema: p.problem.Schema, PrimaryKey: p.problem.PrimaryKey, PartitionKeys: p.problem.PartitionKeys,
		Options: p.problem.Options, KeepDeletes: p.Deletes, Projection: p.Projection,
	}
	for _, r := range p.problem.Runs {
		problem.Runs = append(problem.Runs, rowmerge.Run{Records: r.Records, Sequence: r.Sequence})
	}
	return problem
}

// compareRows compares the rows of the answer with those wanted. An answer that was broken off must be right so far.
func (p posed) compareRows(want []rowmerge.Row, got answer) string {
	if got.brokenOff && len(got.rows) < len(want) {
		want = want[:len(got.rows)]
	}
	return rowmerge.Diff(want, got.rows, p.comparison())
}

// comparison says what is looked at in the rows of an answer.
func (p posed) comparison() rowmerge.Comparison {
	columns := p.columns()
	computed := make([]bool, len(columns))
	for i, name := range columns {
		computed[i] = p.computes(name)
	}
	return rowmerge.Comparison{Kinds: p.System, Keys: p.System, Sequences: p.System && p.numbered(), Columns: columns,
		AnyNaN: func(i int) bool { return computed[i] }}
}

// numbered says whether rows have sequence numbers; without, the number of a result has no meaning.
func (p posed) numbered() bool {
	return slices.ContainsFunc(p.problem.Runs, func(r rungen.Run) bool {
		return r.Sequence != nil || r.Schema.HasField("_SEQUENCE_NUMBER")
	})
}

// columns names the value columns of the answer.
func (p posed) columns() []string {
	if p.Projection != nil {
		return p.Projection
	}
	names := make([]string, p.problem.Schema.NumFields())
	for i, f := range p.problem.Schema.Fields() {
		names[i] = f.Name
	}
	return names
}

// trimmedKey names the columns of the primary key that are no partition columns.
func (p posed) trimmedKey() []string { return p.problem.PrimaryKey[len(p.problem.PartitionKeys):] }

// fingerprints reads every bit of the inputs.
func (p posed) fingerprints() []uint64 {
	var prints []uint64
	for _, r := range p.problem.Runs {
		for _, rec := range r.Records {
			prints = append(prints, fingerprint(rec))
		}
	}
	return prints
}
