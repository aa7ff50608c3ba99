package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"go.uber.org/goleak"

	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/kernel"
	"github.com/braidmerge/braid/validity"
)

// opener reads the columns of a file that have the schema.
func (f *suppliedFile) opener(schema *arrow.Schema) func(context.Context) (array.RecordReader, error) {
	return func(context.Context) (array.RecordReader, error) {
		var records []arrow.Record
		defer func() { releaseAll(records) }()
		for _, rec := range f.records {
			var columns []arrow.Array
			for _, at := range f.reads {
				columns = append(columns, rec.Column(at))
			}
			records = append(records, array.NewRecord(schema, columns, rec.NumRows()))
		}
		return array.NewRecordReader(schema, records)
	}
}

// reference is the problem as the row merger takes it: every file with the columns of the table, its bitmaps moved.
func (p *suppliedProblem) reference() rowmerge.Problem {
	problem := rowmerge.Problem{Schema: p.table, PrimaryKey: []string{"id"}, Options: p.options, KeepDeletes: p.deletes, Projection: p.projection}
	var system []arrow.Field
	if p.numbered {
		system = append(system, arrow.Field{Name: kernel.SequenceColumn, Type: arrow.PrimitiveTypes.Int64})
	}
	if p.kinds {
		system = append(system, arrow.Field{Name: kernel.KindColumn, Type: arrow.PrimitiveTypes.Int8})
	}
	fields := slices.Clone(p.table.Fields())
	for i := range fields {
		if fields[i].Nullable = true; fields[i].Name == validity.FieldsColumn {
			fields[i].Type = arrow.BinaryTypes.Binary
		}
	}
	schema := arrow.NewSchema(append(system, fields...), nil)
	for _, files := range p.runs {
		run := rowmerge.Run{}
		for _, f := range files {
			for _, rec := range f.records {
				moved, err := fuzz.BuildRecord(memory.DefaultAllocator, schema, p.moved(f, rec))
				if err != nil {
					panic(err)
				}
				run.Records = append(run.Records, moved)
			}
		}
		problem.Runs = append(problem.Runs, run)
	}
	return problem
}

// moved are the rows of a record of a file as rows of the table.
func (p *suppliedProblem) moved(f *suppliedFile, rec arrow.Record) []rowmerge.Row {
	var names []string
	for _, field := range f.schema.Fields() {
		names = append(names, field.Name)
	}
	rows, err := rowmerge.RowsOf(rec, names, nil)
	if err != nil {
		panic(err)
	}
	inPlace := true
	for i, bit := range f.bits {
		inPlace = inPlace && (bit == i || bit == -1 && p.table.Field(i).Name == validity.FieldsColumn)
	}
	for i := range rows {
		values := make([]any, len(f.places))
		for c, at := range f.places {
			if at < 0 {
				continue
			}
			values[c] = rows[i].Values[at]
			if n, narrow := values[c].(int32); narrow {
				values[c] = int64(n)
			}
			if value, marked := values[c].([]byte); marked && !inPlace {
				if moved, ok := f.supplied(value); ok {
					values[c] = moved
				}
			}
		}
		rows[i].Values = values
	}
	return rows
}

// byKernel merges and returns all rows.
func (p *suppliedProblem) byKernel() (rows []rowmerge.Row, err error) {
	var runs []kernel.Run
	for r, files := range p.runs {
		run := kernel.Run{}
		for i, f := range files {
			file, err := f.file(p, fmt.Sprintf("run %d, file %d", r, i))
			if err != nil {
				return nil, err
			}
			run.Files = append(run.Files, file)
		}
		runs = append(runs, run)
	}
	merged, err := p.plan.Merge(context.Background(), runs, append(p.ways, kernel.WithAllocator(p.mem))...)
	if err != nil {
		return nil, err
	}
	defer merged.Release()
	for merged.Next() {
		if wrong := checkRecord(merged.Record(), merged.Schema(), 0); wrong != "" {
			return nil, errors.New(wrong)
		}
		more, err := rowmerge.RowsOf(merged.Record(), p.columns(), []string{"id"})
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	if high := merged.Stats().MemoryHigh; p.limit > 0 && high > p.limit+limitSlack(p.limit) {
		return nil, fmt.Errorf("%d bytes held, %d were allowed", high, p.limit)
	}
	return rows, merged.Err()
}

// columns names the columns of the answer.
func (p *suppliedProblem) columns() []string {
	if p.projection != nil {
		return p.projection
	}
	var names []string
	for _, f := range p.table.Fields() {
		names = append(names, f.Name)
	}
	return names
}

// check compares the kernel's answer with the row merger's and returns what is wrong, or "", and what the answer was: "rows",
// "positions" that cannot be, or a kind of fault.
func (p *suppliedProblem) check() (wrong, answer string) {
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprintf("panic: %v\n%s", r, places(string(debug.Stack())))
		}
	}()
	want, faults := p.reference().Faults()
	got, err := p.byKernel()
	switch {
	case p.limit > 0 && errors.Is(err, kernel.ErrMemoryLimit):
		return "", "memory limit"
	case p.spoilt:
		if !errors.Is(err, kernel.ErrSchema) && !p.isFault(faults, err) {
			return fmt.Sprintf("error: %v; positions cannot be", err), ""
		}
		return "", "positions"
	case len(faults) > 0:
		if !p.isFault(faults, err) {
			return fmt.Sprintf("error: %v\nwant %v, or one of %d others", err, faults[0], len(faults)-1), ""
		}
		return "", string(faults[0].Kind)
	case err != nil:
		return fmt.Sprintf("error: %v", err), ""
	}
	c := rowmerge.Comparison{Kinds: p.system, Keys: p.system, Sequences: p.system && p.numbered, Columns: p.columns()}
	return rowmerge.Diff(want, got, c), "rows"
}

// isFault says whether an error is one of the faults, of its kind and in its place.
func (p *suppliedProblem) isFault(faults []*rowmerge.Error, err error) bool {
	return slices.ContainsFunc(faults, func(fault *rowmerge.Error) bool {
		if !slices.ContainsFunc(errorKinds[fault.Kind], func(kind error) bool { return errors.Is(err, kind) }) {
			return false
		}
		var at *kernel.RowError
		if !errors.As(err, &at) || at.Run != fault.Run || at.Row < 0 {
			return false
		}
		row, batch := at.Row, at.Batch
		for _, f := range p.runs[at.Run] {
			for _, rec := range f.records[:min(batch, len(f.records))] {
				row += int(rec.NumRows())
			}
			batch -= min(batch, len(f.records))
		}
		return row == fault.Row && (fault.Column == "" || at.Column == fault.Column)
	})
}

func (p *suppliedProblem) String() string {
	s := fmt.Sprintf("%v by %v, projection %v, system %v, deletes %v\ntable %v\n", p.options, p.by, p.projection, p.system, p.deletes, p.table)
	for r, files := range p.runs {
		for _, f := range files {
			s += fmt.Sprintf("run %d: mapped %v, bits %v, reads %v, told %v\n%v\n", r, f.mapped, f.bits, f.reads, f.positions(), f.schema)
			for _, rec := range f.records {
				if rec.NumRows() <= 20 {
					s += fmt.Sprintln(rec)
				}
			}
		}
	}
	return s
}

// suppliedAnswers counts what the answers to problems were, and the rows of all. Problems may be put from several goroutines.
type suppliedAnswers struct {
	mu    sync.Mutex
	kinds map[string]int
	rows  int64
	given int64 // rows of problems whose answer is rows
}

// ask puts a random problem and tells what is wrong with the answer, or "".
func (a *suppliedAnswers) ask(seed uint64, rows int) string {
	mem := fuzz.NewMemory()
	p := newSuppliedProblem(seed, rows, mem)
	wrong, answer := p.check()
	a.count(p, answer)
	if wrong != "" {
		wrong = fmt.Sprintf("seed %d, %d rows: %s", seed, rows, wrong)
		if rows <= 40 {
			wrong += "\n" + p.String()
		}
		return wrong
	}
	p.release()
	return leftIn(mem)
}

// count counts a problem and what the answer was, "" if it was wrong.
func (a *suppliedAnswers) count(p *suppliedProblem, answer string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rows += p.rows()
	if answer == "" {
		return
	}
	if a.kinds == nil {
		a.kinds = map[string]int{}
	}
	a.kinds[answer]++
	if answer == "rows" {
		a.given += p.rows()
	}
}

// TestSuppliedDifferential compares the kernel with the row merger on random files of random schemas, the same at every run.
// BRAID_SAMPLE and BRAID_SEED are as for TestDifferential.
func TestSuppliedDifferential(t *testing.T) {
	seed := uint64(testscale.Number(t, "BRAID_SEED", 1))
	var answers suppliedAnswers
	for _, c := range []class{{2500, 8, 1}, {400, 60, 1}, {25, 2000, 1}} {
		putAll(t, c.problems, func(i uint64) bool {
			wrong := answers.ask(seed+i, c.rows)
			if wrong != "" {
				t.Error(wrong)
			}
			return wrong == ""
		})
	}
	t.Logf("%d rows, answers %v", answers.rows, answers.kinds)
	for _, kind := range []string{"rows", "positions", "delete-not-accepted", "not-null", "corrupt"} {
		if testscale.Sample(t) == 1 && answers.kinds[kind] < 10 {
			t.Errorf("%d answers are %s", answers.kinds[kind], kind)
		}
	}
	goleak.VerifyNone(t)
}

// TestSuppliedSeeds asks the random problems that were answered wrongly once, by the kernel or by the row merger.
func TestSuppliedSeeds(t *testing.T) {
	for _, p := range []struct {
		seed uint64
		rows int
	}{
		{1005639, 24}, // a projection that lacks the sequence field only, which is the last column
	} {
		var answers suppliedAnswers
		if wrong := answers.ask(p.seed, p.rows); wrong != "" {
			t.Error(wrong)
		}
	}
}

// TestSuppliedSoak merges BRAID_SOAK_ROWS rows in problems of all sizes.
func TestSuppliedSoak(t *testing.T) {
	going := startSoak(t, 1_000_000)
	var answers suppliedAnswers
	for seed, ok := going.next(); ok; seed, ok = going.next() {
		rows, given := answers.rows, answers.given
		if wrong := answers.ask(seed, 50_000>>(seed%13)); wrong != "" {
			t.Error(wrong)
		}
		going.add(answers.rows-rows, answers.given > given)
	}
	t.Logf("%s, answers %v", going, answers.kinds)
}

// TestSuppliedComparisonFails has the kernel read two columns of a file by each other's bits and wants that noticed.
func TestSuppliedComparisonFails(t *testing.T) {
	t.Parallel()
	mem := memory.NewGoAllocator()
	tampered, noticed := 0, 0
	problems := testscale.Few(t, 300, 60)
	for seed := range uint64(problems) {
		p := newSuppliedProblem(seed, 60, mem)
		if wrong, answer := p.check(); wrong != "" || answer != "rows" || len(p.columns()) < 4 {
			continue
		}
		for _, f := range slices.Concat(p.runs...) {
			f.given = true
			f.spoil = func(bits []int) []int {
				i, k := (f.own+1)%len(bits), (f.own+2)%len(bits)
				bits[i], bits[k] = bits[k], bits[i]
				return bits
			}
		}
		tampered++
		if wrong, _ := p.check(); wrong != "" {
			noticed++
		}
	}
	if tampered < problems/6 || 10*noticed < 6*tampered { // columns that the projection leaves out, or that the same rows supply
		t.Errorf("%d of %d swaps were noticed", noticed, tampered)
	}
}

// FuzzSupplied is the random problems for go test -fuzz.
func FuzzSupplied(f *testing.F) {
	for seed := range uint64(16) {
		f.Add(seed, uint16(seed*5))
	}
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16) {
		var answers suppliedAnswers
		if wrong := answers.ask(seed, int(rows%300)); wrong != "" {
			t.Error(wrong)
		}
	})
}
