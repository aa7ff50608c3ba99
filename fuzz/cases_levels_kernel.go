package fuzz

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// levelQuestion is a case of one key whose versions have levels, as a merge of runs: one run a version.
type levelQuestion struct {
	caseQuestion
	levels []int
	lookup *rowmerge.Row // found above the levels of the runs, nil if there is none
	top    int
	find   bool // the lookup is a function and not a run
}

// levelAnswer is what the kernel makes of it.
type levelAnswer struct{ changelog, rows []rowmerge.Row }

// checkLevelsKernel puts a case of the types lookup_merge and changelog to the kernel. asked is false if it cannot be put so.
func (c Case) checkLevelsKernel(ways []kernelWay) (asked bool, wrong error) {
	q, err := c.levelQuestion()
	if err != nil || q == nil {
		return false, err
	}
	for _, w := range ways {
		for _, find := range []bool{false, true} {
			q.find = find
			got, err := q.ask(w)
			if wrong := c.compareLevels(q, got, err); wrong != nil {
				return true, fmt.Errorf("kernel, %+v, find %v: %w", w, find, wrong)
			}
		}
	}
	return true, nil
}

// levelQuestion makes the question of a case, nil if its versions are in an order that runs cannot be given in.
func (c Case) levelQuestion() (*levelQuestion, error) {
	p, err := c.problem()
	if err != nil {
		return nil, err
	}
	versions, err := c.versions(p.Schema.Fields())
	if err != nil {
		return nil, err
	}
	p.NoLoneRecordRule = c.Type == "lookup_merge"
	if c.Type == "changelog" {
		p.Options["changelog-producer"] = c.Producer
	}
	questions, err := caseQuestion{problem: p, columns: fieldNames(p.Schema)}.ofOneKey(versions)
	if err != nil || questions == nil {
		return nil, err
	}
	q := &levelQuestion{caseQuestion: questions[1], top: c.MaxLevel}
	for _, v := range versions {
		q.levels = append(q.levels, v.Level)
	}
	if c.Lookup != nil {
		row, err := c.Lookup.row(p.Schema.Fields())
		if err != nil {
			return nil, err
		}
		row.Key = q.runs[0][0].Key
		q.lookup = &row
	}
	return q, nil
}

// compareLevels compares an answer of the kernel with the one that the case expects.
func (c Case) compareLevels(q *levelQuestion, got levelAnswer, err error) error {
	if err != nil || c.Expect.Error != nil {
		var faults []*rowmerge.Error
		if c.Expect.Error != nil {
			faults = append(faults, &rowmerge.Error{Kind: rowmerge.Kind(c.Expect.ErrorKind), Message: *c.Expect.Error})
		}
		return matchError(faults, err)
	}
	comparison := c.comparison()
	comparison.Sequences = q.numbered
	want, err := rowsOf(c.Expect.Changelog, q.problem.Schema.Fields())
	if err != nil {
		return err
	}
	if d := rowmerge.Diff(want, got.changelog, comparison); d != "" {
		return errors.New("changelog: " + d)
	}
	var result []CaseRow
	if c.Expect.Result != nil {
		result = append(result, *c.Expect.Result)
	}
	if want, err = rowsOf(result, q.problem.Schema.Fields()); err != nil {
		return err
	}
	if d := rowmerge.Diff(want, got.rows, comparison); d != "" {
		return errors.New(d)
	}
	return nil
}

// ask puts the question in a way.
func (q *levelQuestion) ask(w kernelWay) (got levelAnswer, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	plan, err := q.compile()
	if err != nil {
		return got, err
	}
	mem := NewMemory()
	got, err = q.merge(plan, w, mem)
	if left := mem.CurrentAlloc(); left != 0 {
		return got, fmt.Errorf("%d bytes are left in the allocator", left)
	}
	return got, err
}

func (q *levelQuestion) merge(plan *kernel.Plan, w kernelWay, mem memory.Allocator) (got levelAnswer, err error) {
	runs, records, err := q.kernelRuns(w, mem)
	defer func() { releaseAll(records) }()
	if err != nil {
		return got, err
	}
	for i := range runs {
		runs[i].Level = q.levels[i]
	}
	options := []kernel.MergeOption{kernel.WithAllocator(mem), kernel.KeepSystemColumns(), kernel.WithParallelism(w.workers)}
	if q.problem.KeepDeletes {
		options = append(options, kernel.KeepDeletes())
	}
	if w.output > 0 {
		options = append(options, kernel.WithBatchRows(w.output))
	}
	if q.problem.Options["changelog-producer"] == "" {
		options = append(options, kernel.ByLevel())
	} else {
		changelog := kernel.Changelog{TopLevel: q.top}
		if q.lookup != nil {
			rec, err := buildBatch(mem, q.runSchema(), []rowmerge.Row{*q.lookup}, w.sliced)
			if err != nil {
				return got, err
			}
			records = append(records, rec)
			q.setLookup(&changelog, rec, w)
		}
		options = append(options, kernel.WithChangelog(changelog))
	}
	merged, err := plan.Merge(context.Background(), runs, options...)
	if err != nil {
		return got, err
	}
	defer merged.Release()
	return collectChanges(merged, q.wanted())
}

// setLookup has the changelog look rows up in a record, as a run or by a function.
func (q *levelQuestion) setLookup(c *kernel.Changelog, rec arrow.Record, w kernelWay) {
	if q.find {
		c.Find = func(context.Context, arrow.Record) (arrow.Record, error) {
			rec.Retain()
			return rec, nil
		}
		return
	}
	run := kernelFiles(rec.Schema(), []arrow.Record{rec}, w.split)
	c.Higher = &run
}

// collectChanges reads a merge with a changelog, or without one, to its end.
func collectChanges(merged *kernel.Reader, columns []string) (got levelAnswer, err error) {
	read := func(all *[]rowmerge.Row, rec arrow.Record) error {
		rows, err := rowmerge.RowsOf(rec, columns, nil)
		*all = append(*all, rows...)
		return err
	}
	for merged.Next() {
		if err := read(&got.rows, merged.Record()); err != nil {
			return got, err
		}
		if rec := merged.Changelog(); rec != nil {
			if !rec.Schema().Equal(merged.ChangelogSchema()) {
				return got, fmt.Errorf("the changelog has schema %v, want %v", rec.Schema(), merged.ChangelogSchema())
			}
			if err := read(&got.changelog, rec); err != nil {
				return got, err
			}
		}
	}
	return got, merged.Err()
}

// checkPartitionKernel has the kernel divide the files of a case into sections and runs.
func (c Case) checkPartitionKernel() error {
	field := arrow.Field{Name: "k", Type: arrow.PrimitiveTypes.Int64}
	plan, err := kernel.Compile(kernel.Table{Schema: arrow.NewSchema([]arrow.Field{field}, nil), PrimaryKey: []string{"k"}}, kernel.Options{})
	if err != nil {
		return err
	}
	mem := NewMemory()
	var keys []arrow.Record
	key := func(n int) arrow.Record {
		b := array.NewRecordBuilder(mem, arrow.NewSchema([]arrow.Field{field}, nil))
		defer b.Release()
		b.Field(0).(*array.Int64Builder).Append(int64(n))
		keys = append(keys, b.NewRecord())
		return keys[len(keys)-1]
	}
	var ranges []kernel.KeyRange
	for _, i := range c.Intervals {
		ranges = append(ranges, kernel.KeyRange{Min: key(i[0]), Max: key(i[1])})
	}
	sections, err := plan.Partition(ranges)
	releaseAll(keys)
	if err != nil {
		return err
	}
	if left := mem.CurrentAlloc(); left != 0 {
		return fmt.Errorf("%d bytes are left in the allocator", left)
	}
	var got [][][]rowmerge.Interval
	for _, section := range sections {
		var runs [][]rowmerge.Interval
		for _, run := range section {
			var files []rowmerge.Interval
			for _, file := range run {
				files = append(files, rowmerge.Interval{Min: c.Intervals[file][0], Max: c.Intervals[file][1]})
			}
			runs = append(runs, files)
		}
		got = append(got, runs)
	}
	return c.comparePartition(got)
}
