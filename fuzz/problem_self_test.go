package fuzz_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/fuzz"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/rungen"
)

// referenceRows bounds the rows of problems that the reference answers again to be checked against itself.
const referenceRows = 2000

// rowMerger is the reference, or what a test puts in its place.
type rowMerger func(rowmerge.Problem) ([]rowmerge.Row, []*rowmerge.Error)

// functionOf names the aggregate function of a column, "" if it has none.
func (p posed) functionOf(column string) string {
	if name, ok := p.problem.Options["fields."+column+".aggregate-function"]; ok {
		return name
	}
	return p.problem.Options["fields.default-aggregate-function"]
}

// computes says whether values of the column are computed with: what bits a NaN has that comes of it is free.
func (p posed) computes(column string) bool {
	return slices.Contains([]string{"sum", "product"}, p.functionOf(column))
}

// checkReference wants the same answer of the reference when runs are cut into other batches and when they are split into
// several, and, where that has no influence, when some of the runs are merged before the others. It returns "" if all is
// well.
func (p posed) checkReference(rows []rowmerge.Row, faults []*rowmerge.Error, merge rowMerger) string {
	if p.problem.Rows() > referenceRows {
		return ""
	}
	problem := p.reference()
	again := problem
	again.Runs = cutRuns(problem.Runs, 3)
	defer releaseRuns(again.Runs)
	got, gotFaults := merge(again)
	if want, have := kindsOf(faults), kindsOf(gotFaults); !slices.Equal(want, have) {
		return fmt.Sprintf("the reference, runs in batches of 3 rows: faults %q, want %q", have, want)
	}
	if len(faults) > 0 {
		return ""
	}
	if d := p.diffReference(rows, got); d != "" {
		return "the reference, runs in batches of 3 rows: " + d
	}
	again.Runs = splitRuns(again.Runs)
	if d := p.againReference(rows, again, merge); d != "" {
		return "the reference, a run of every batch: " + d
	}
	if !p.mergesInSteps() {
		return ""
	}
	return p.checkSteps(merge)
}

// againReference merges the problem, which has no faults, and compares the rows.
func (p posed) againReference(want []rowmerge.Row, problem rowmerge.Problem, merge rowMerger) string {
	got, faults := merge(problem)
	if len(faults) > 0 {
		return faults[0].Error()
	}
	return p.diffReference(want, got)
}

func (p posed) diffReference(want, got []rowmerge.Row) string {
	return rowmerge.Diff(want, got, rowmerge.Comparison{Kinds: true, Keys: true, Sequences: p.numbered()})
}

// kindsOf lists the kinds of faults. How many there are of a kind may hang on batches: a record that does not fit the table
// is one fault.
func kindsOf(faults []*rowmerge.Error) []rowmerge.Kind {
	var kinds []rowmerge.Kind
	for _, f := range faults {
		kinds = append(kinds, f.Kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// cutRuns cuts the records of runs into slices of at most size rows, which the caller releases. A record without rows stays.
func cutRuns(runs []rowmerge.Run, size int64) []rowmerge.Run {
	cut := slices.Clone(runs)
	for i, run := range runs {
		cut[i].Records = nil
		for _, rec := range run.Records {
			for from := int64(0); from == 0 || from < rec.NumRows(); from += size {
				cut[i].Records = append(cut[i].Records, rec.NewSlice(from, min(from+size, rec.NumRows())))
			}
		}
	}
	return cut
}

func releaseRuns(runs []rowmerge.Run) {
	for _, run := range runs {
		releaseAll(run.Records)
	}
}

// splitRuns makes a run of every record.
func splitRuns(runs []rowmerge.Run) []rowmerge.Run {
	var split []rowmerge.Run
	for _, run := range runs {
		for _, rec := range run.Records {
			split = append(split, rowmerge.Run{Level: run.Level, Sequence: run.Sequence, Records: []arrow.Record{rec}})
		}
	}
	return split
}

// stepFunctions are the functions for which it makes no difference whether some of the versions are merged before.
var stepFunctions = []string{"", "max", "min", "bool_and", "bool_or", "first_value", "first_non_null_value",
	"first_not_null_value", "last_value", "last_non_null_value", "primary-key", "merge_map", "merge_map_with_keytime", "rbm32",
	"rbm64", "theta_sketch", "hll_sketch"}

// mergesInSteps says whether merging the first of the runs and then the result with the others must give what merging all
// of them does: all rows are adds, runs are in order of age, and every function of the table allows it.
func (p posed) mergesInSteps() bool {
	options := p.problem.Options
	if options["sequence.field"] != "" || options["rowkind.field"] != "" || !p.inOrderOfAge() {
		return false
	}
	for key := range options {
		if strings.HasSuffix(key, ".sequence-group") {
			return false
		}
	}
	return !slices.ContainsFunc(p.problem.Schema.Fields(), func(f arrow.Field) bool {
		name := p.functionOf(f.Name)
		switch name {
		case "sum", "product":
			return f.Type.ID() > arrow.INT64 // only integers have no rounding
		case "collect":
			return options["fields."+f.Name+".distinct"] == "true"
		}
		return !slices.Contains(stepFunctions, name)
	})
}

// inOrderOfAge says whether all rows are adds and no run has a sequence number below one of the run before.
func (p posed) inOrderOfAge() bool {
	newest := int64(-1 << 63)
	for _, r := range p.problem.Runs {
		last := newest
		for _, rec := range r.Records {
			rows, err := rowmerge.RowsOf(rec, nil, nil)
			if err != nil || r.Sequence != nil {
				return false
			}
			for _, row := range rows {
				if row.Kind&1 != 0 || p.numbered() && row.Sequence < last {
					return false
				}
				newest = max(newest, row.Sequence)
			}
		}
	}
	return true
}

// checkSteps merges the first half of the runs, then the result with the others, all columns.
func (p posed) checkSteps(merge rowMerger) string {
	all := p.reference()
	all.Projection, all.KeepDeletes = nil, true
	want, faults := all.Faults()
	if len(faults) > 0 {
		return ""
	}
	half := all
	half.Runs = all.Runs[:(len(all.Runs)+1)/2]
	rows, faults := merge(half)
	if len(faults) > 0 {
		return "the reference, half of the runs: " + faults[0].Error()
	}
	fields := fuzz.RunSchema(all.Schema, p.trimmedKey()).Fields()
	if !p.numbered() {
		fields = slices.DeleteFunc(slices.Clone(fields), func(f arrow.Field) bool { return f.Name == "_SEQUENCE_NUMBER" })
	}
	rec, err := fuzz.BuildRecord(memory.NewGoAllocator(), arrow.NewSchema(fields, nil), rows)
	if err != nil {
		return err.Error()
	}
	defer rec.Release()
	all.Runs = append([]rowmerge.Run{{Records: []arrow.Record{rec}}}, all.Runs[len(half.Runs):]...)
	if d := p.againReference(want, all, merge); d != "" {
		return fmt.Sprintf("the reference, %d runs merged before the others: %s", len(half.Runs), d)
	}
	return ""
}

// asCase gives the problem of the question as a case file, or says why it cannot be a case. Of the way only what becomes of
// deletes is in it: all columns are wanted.
func (q question) asCase() string {
	p, err := rungen.Generate(memory.NewGoAllocator(), q.Spec)
	if err != nil {
		return err.Error()
	}
	defer p.Release()
	if p.Rows() > caseRows {
		return fmt.Sprintf("no case: %d rows", p.Rows())
	}
	problem := posed{way: q.Way, problem: p}.reference()
	problem.Projection = nil
	c, err := fuzz.CaseOf(fmt.Sprintf("seed-%d", q.Spec.Seed), problem)
	if err != nil {
		return "no case: " + err.Error()
	}
	text, err := json.Marshal(fuzz.CaseFile{Cases: []fuzz.Case{c}})
	if err != nil {
		return err.Error()
	}
	return "as a case file for BRAID_CASES, with go test -count=1 -run TestCases ./fuzz:\n" + string(text)
}

// caseRows bounds the rows of a problem that is printed as a case.
const caseRows = 200
