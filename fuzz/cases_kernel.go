package fuzz

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/hooks"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// kernelWay is a way to put runs to the kernel. No way changes an answer.
type kernelWay struct {
	batch   int  // rows of an input batch
	sliced  bool // batches are slices of longer arrays
	split   bool // every batch is a file of its own
	output  int  // rows of an output batch, 0 for the default
	workers int  // of the merge
	views   bool // text is put out as views
}

// kernelWays are all ways there are.
func kernelWays() []kernelWay {
	var ways []kernelWay
	for _, batch := range []int{1024, 1, 2, 7} {
		for _, output := range []int{0, 1} {
			for _, sliced := range []bool{false, true} {
				for _, split := range []bool{false, true} {
					ways = append(ways, kernelWay{batch, sliced, split, output, 1 + len(ways)%3, len(ways)%5 < 2})
				}
			}
		}
	}
	return ways
}

// kernelErrors says which errors of the kernel stand for an error of each kind.
var kernelErrors = map[rowmerge.Kind][]error{
	rowmerge.KindConfig:            {kernel.ErrOption, kernel.ErrSchema},
	rowmerge.KindSchema:            {kernel.ErrSchema},
	rowmerge.KindRetract:           {kernel.ErrRetract},
	rowmerge.KindDeleteNotAccepted: {kernel.ErrRetract},
	rowmerge.KindNotNull:           {kernel.ErrNotNull},
	rowmerge.KindNullKey:           {kernel.ErrNotNull},
	rowmerge.KindUnsorted:          {kernel.ErrUnsorted},
	rowmerge.KindRowKind:           {kernel.ErrRowKind},
	rowmerge.KindCorrupt:           {kernel.ErrCorrupt},
	rowmerge.KindArithmetic:        {kernel.ErrOverflow, kernel.ErrDivideByZero, kernel.ErrInexact},
	rowmerge.KindNestedKeyNull:     {kernel.ErrNullNestedKey},
	rowmerge.KindInternalState:     {kernel.ErrInternalState},
}

// checkKernel puts a case to the kernel in some ways and compares the answers with the row merger's. asked is false if it
// cannot be put to the kernel.
func (j judged) checkKernel(c Case, ways []kernelWay) (asked bool, wrong error) {
	switch c.Type {
	case "self_merge_update":
		return true, c.checkUpdateKernel(ways)
	case "lookup_merge", "changelog":
		return c.checkLevelsKernel(ways)
	case "interval_partition":
		return true, c.checkPartitionKernel()
	}
	j = j.withDefaults()
	if c.Type == "validity_projection" {
		return true, checkProjectedBits(c)
	}
	questions, err := c.questions()
	if err != nil {
		return true, err
	}
	if c.Type == "agg" {
		if err := checkFunction(c); err != nil {
			return true, fmt.Errorf("function: %w", err)
		}
		asked = true
	}
	for _, q := range questions {
		want, faults, err := q.reference()
		if err != nil {
			return true, err
		}
		for _, w := range ways {
			got, err := j.Kernel(q, w)
			if wrong := q.compare(want, faults, got, err); wrong != nil {
				return true, fmt.Errorf("kernel, %+v, %d runs: %w", w, len(q.runs), wrong)
			}
		}
	}
	return asked || len(questions) > 0, nil
}

// compare compares the kernel's answer, rows or an error, with the row merger's, rows or faults.
func (q caseQuestion) compare(want []rowmerge.Row, faults []*rowmerge.Error, got []rowmerge.Row, err error) error {
	if err != nil || len(faults) > 0 {
		return matchError(faults, err)
	}
	if d := rowmerge.Diff(want, got, q.comparison()); d != "" {
		return errors.New(d)
	}
	return nil
}

// reference asks the row merger.
func (q caseQuestion) reference() ([]rowmerge.Row, []*rowmerge.Error, error) {
	p := q.problem
	for _, rows := range q.runs {
		rec, err := BuildRecord(memory.DefaultAllocator, q.runSchema(), rows)
		if err != nil {
			return nil, nil, err
		}
		defer rec.Release()
		p.Runs = append(p.Runs, rowmerge.Run{Records: []arrow.Record{rec}})
	}
	rows, faults := p.Faults()
	return rows, faults, nil
}

// comparison compares everything. What a computed NaN's bits are and how a bitmap's bytes are laid out is free.
func (q caseQuestion) comparison() rowmerge.Comparison {
	return rowmerge.Comparison{
		Kinds: true, Sequences: q.numbered, Columns: q.wanted(),
		AnyNaN: func(i int) bool { return q.function(i) == "sum" || q.function(i) == "product" },
		Same:   func(i int, want, got any) bool { return sameBitmap(q.function(i), want, got) },
	}
}

// wanted names the value columns of the answer.
func (q caseQuestion) wanted() []string {
	if q.problem.Projection != nil {
		return q.problem.Projection
	}
	return fieldNames(q.problem.Schema)
}

// function names the aggregate function of a column of the answer, "" if it has none of its own.
func (q caseQuestion) function(column int) string {
	return q.problem.Options["fields."+q.wanted()[column]+".aggregate-function"]
}

// matchError wants an error exactly where there are faults, and of the kind of one of them.
func matchError(faults []*rowmerge.Error, got error) error {
	switch {
	case got == nil:
		return fmt.Errorf("no error, want %w", faults[0])
	case len(faults) == 0:
		return fmt.Errorf("error %w, want rows", got)
	}
	for _, fault := range faults {
		if slices.ContainsFunc(kernelErrors[fault.Kind], func(kind error) bool { return errors.Is(got, kind) }) {
			return nil
		}
	}
	return fmt.Errorf("error %w, want %w", got, faults[0])
}

// kernelRun asks the kernel. A panic of the kernel is an error here, so that one case does not end the others.
func (q caseQuestion) kernelRun(w kernelWay) (rows []rowmerge.Row, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	plan, err := q.compile()
	if err != nil || q.setup {
		return nil, err
	}
	if q.problem.Projection != nil {
		names, err := plan.InputFields(q.problem.Projection...)
		if err != nil {
			return nil, err
		}
		if want, _ := q.problem.ReadFields(); !slices.Equal(names, want) {
			return nil, fmt.Errorf("input fields are %q, want %q", names, want)
		}
	}
	mem := NewMemory()
	rows, err = q.merge(plan, w, mem)
	if left := mem.CurrentAlloc(); left != 0 {
		return nil, fmt.Errorf("%d bytes are left in the allocator", left)
	}
	return rows, err
}

func (q caseQuestion) compile() (*kernel.Plan, error) {
	options, err := kernel.ParseOptions(q.problem.Options)
	if err != nil {
		return nil, err
	}
	hooks.MergeLoneRecords.Store(q.problem.NoLoneRecordRule)
	defer hooks.MergeLoneRecords.Store(false)
	return kernel.Compile(kernel.Table{Schema: q.problem.Schema, PrimaryKey: q.problem.PrimaryKey}, options)
}

func (q caseQuestion) merge(plan *kernel.Plan, w kernelWay, mem memory.Allocator) ([]rowmerge.Row, error) {
	runs, records, err := q.kernelRuns(w, mem)
	defer releaseAll(records)
	if err != nil {
		return nil, err
	}
	options := []kernel.MergeOption{kernel.WithAllocator(mem), kernel.KeepSystemColumns(), kernel.WithParallelism(w.workers)}
	if q.problem.KeepDeletes {
		options = append(options, kernel.KeepDeletes())
	}
	if q.problem.Projection != nil {
		options = append(options, kernel.WithProjection(q.problem.Projection...))
	}
	if w.views {
		options = append(options, kernel.WithStringViews())
	}
	if w.output > 0 {
		options = append(options, kernel.WithBatchRows(w.output))
	}
	merged, err := plan.Merge(context.Background(), runs, options...)
	if err != nil {
		return nil, err
	}
	defer merged.Release()
	return collect(merged, q.wanted())
}

func collect(merged *kernel.Reader, columns []string) ([]rowmerge.Row, error) {
	var all []rowmerge.Row
	for merged.Next() {
		rows, err := rowmerge.RowsOf(merged.Record(), columns, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, merged.Err()
}

// kernelRuns builds the runs in a way. The records are the caller's to release, also after an error.
func (q caseQuestion) kernelRuns(w kernelWay, mem memory.Allocator) (runs []kernel.Run, all []arrow.Record, err error) {
	schema := q.runSchema()
	for _, rows := range q.runs {
		var records []arrow.Record
		for chunk := range slices.Chunk(rows, w.batch) {
			rec, err := buildBatch(mem, schema, chunk, w.sliced)
			if err != nil {
				return nil, all, err
			}
			records, all = append(records, rec), append(all, rec)
		}
		runs = append(runs, kernelFiles(schema, records, w.split))
	}
	return runs, all, nil
}

// kernelFiles makes a run of records: one file, or one file each.
func kernelFiles(schema *arrow.Schema, records []arrow.Record, split bool) kernel.Run {
	file := func(records []arrow.Record) kernel.File {
		return kernel.File{Open: func(context.Context) (array.RecordReader, error) {
			return array.NewRecordReader(schema, records)
		}}
	}
	if !split {
		return kernel.Run{Files: []kernel.File{file(records)}}
	}
	var run kernel.Run
	for i := range records {
		run.Files = append(run.Files, file(records[i:i+1]))
	}
	return run
}

// buildBatch builds a record of rows, as a slice of a longer one if asked to.
func buildBatch(mem memory.Allocator, schema *arrow.Schema, rows []rowmerge.Row, sliced bool) (arrow.Record, error) {
	if !sliced {
		return BuildRecord(mem, schema, rows)
	}
	last := rows[len(rows)-1]
	longer := slices.Concat([]rowmerge.Row{last, rows[0], last}, rows, []rowmerge.Row{rows[0]})
	rec, err := BuildRecord(mem, schema, longer)
	if err != nil {
		return nil, err
	}
	defer rec.Release()
	return rec.NewSlice(3, int64(3+len(rows))), nil
}

// runSchema is the schema of the runs' records: the system columns that the rows have, then their value columns.
func (q caseQuestion) runSchema() *arrow.Schema {
	full := RunSchema(q.problem.Schema, q.problem.PrimaryKey)
	fields := slices.DeleteFunc(full.Fields(), func(f arrow.Field) bool {
		isValue := len(q.problem.Schema.FieldIndices(f.Name)) > 0
		return isValue || f.Name == kernel.SequenceColumn && !q.numbered
	})
	return arrow.NewSchema(append(fields, q.fields()...), nil)
}

func releaseAll(records []arrow.Record) {
	for _, rec := range records {
		rec.Release()
	}
}
