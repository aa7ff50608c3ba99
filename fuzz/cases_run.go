package fuzz

import (
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// judged is what cases are put to. A nil member means the row merger's own.
type judged struct {
	Merge    func(rowmerge.Problem) ([]rowmerge.Row, error)
	Group    func(rowmerge.Problem, []rowmerge.Version) (*rowmerge.Row, error)
	Function func(name string, field arrow.Field, options map[string]string) (*rowmerge.Function, error)
	Kernel   func(caseQuestion, kernelWay) ([]rowmerge.Row, error) // nil: the kernel
}

// withDefaults puts the row merger in the place of what is not set.
func (j judged) withDefaults() judged {
	if j.Merge == nil {
		j.Merge = rowmerge.Problem.Merge
	}
	if j.Group == nil {
		j.Group = rowmerge.Problem.MergeGroup
	}
	if j.Function == nil {
		j.Function = rowmerge.NewFunction
	}
	if j.Kernel == nil {
		j.Kernel = caseQuestion.kernelRun
	}
	return j
}

// check puts a case and gives what is wrong with the answer, nil if it is the expected one.
func (j judged) check(c Case) error {
	j = j.withDefaults()
	checks := map[string]func(Case) error{
		"merge":      j.checkMerge,
		"projection": j.checkProjection,
		"sort_merge": j.checkSortMerge,
		"setup":      j.checkSetup,
		"compare":    j.checkCompare,
		"agg":        j.checkAgg,

		"lookup_merge":        j.checkLookupMerge,
		"changelog":           j.checkChangelog,
		"interval_partition":  checkPartition,
		"validity":            j.checkValidity,
		"validity_projection": checkValidityProjection,
		"sketch":              checkSketch,
		"self_merge_update":   checkSelfMerge,
	}
	check, ok := checks[c.Type]
	if !ok {
		return fmt.Errorf("no case type %q", c.Type)
	}
	return check(c)
}

// checkMerge feeds all rows to one merge function.
func (j judged) checkMerge(c Case) error {
	p, err := c.problem()
	if err != nil {
		return err
	}
	p.NoLoneRecordRule = !c.Reducer
	got, err := j.group(p, c, p.Schema.Fields())
	if done, wrong := c.checkError(err); done {
		return wrong
	}
	want := &CaseRow{Kind: c.Expect.Kind, Seq: c.Expect.Seq, Values: c.Expect.Values}
	if c.Expect.None {
		want = nil
	}
	return c.diffOne(want, got, p.Schema.Fields())
}

// group merges the rows of a case, whose values are those of fields.
func (j judged) group(p rowmerge.Problem, c Case, fields []arrow.Field) (*rowmerge.Row, error) {
	versions, err := c.versions(fields)
	if err != nil {
		return nil, err
	}
	return j.Group(p, versions)
}

// diffOne compares an answer of at most one row.
func (c Case) diffOne(want *CaseRow, got *rowmerge.Row, fields []arrow.Field) error {
	var wants, gots []rowmerge.Row
	if want != nil {
		row, err := want.row(fields)
		if err != nil {
			return err
		}
		wants = append(wants, row)
	}
	if got != nil {
		gots = append(gots, *got)
	}
	return c.diff(wants, gots)
}

func (c Case) diff(want, got []rowmerge.Row) error {
	if d := rowmerge.Diff(want, got, c.comparison()); d != "" {
		return errors.New(d)
	}
	return nil
}

// checkProjection merges rows of the columns that a projected read needs.
func (j judged) checkProjection(c Case) error {
	p, err := c.problem()
	if err != nil {
		return err
	}
	p.Projection, p.ExactProjection, p.NoLoneRecordRule = c.ReadFields, c.NoAdjust, true
	names, err := p.ReadFields()
	if done, wrong := c.checkError(err); done {
		return wrong
	}
	if !slices.Equal(names, c.Expect.Adjusted) {
		return fmt.Errorf("columns read are %q, want %q", names, c.Expect.Adjusted)
	}
	var fields []arrow.Field
	for _, name := range names {
		fields = append(fields, p.Schema.Field(p.Schema.FieldIndices(name)[0]))
	}
	got, err := j.group(p, c, fields)
	if err != nil {
		return err
	}
	return c.diffOne(c.Expect.Result, got, fields)
}

// checkSetup compiles only.
func (j judged) checkSetup(c Case) error {
	p, err := c.problem()
	if err != nil {
		return err
	}
	_, err = j.Merge(p)
	_, wrong := c.checkError(err)
	return wrong
}

// checkCompare orders two rows.
func (j judged) checkCompare(c Case) error {
	fields, err := c.fields()
	if err != nil {
		return err
	}
	a, err1 := rawRow(fields, c.A)
	b, err2 := rawRow(fields, c.B)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	got := fmt.Sprint(rowmerge.CompareRows(a, b, c.Descending))
	if got != string(c.Expect.Value) {
		return fmt.Errorf("order is %s, want %s", got, c.Expect.Value)
	}
	return nil
}

// checkSortMerge merges runs.
func (j judged) checkSortMerge(c Case) error {
	p, err := c.problem()
	if err != nil {
		return err
	}
	runs, err := c.runs(p)
	if err != nil {
		return err
	}
	defer releaseRuns(runs)
	p.Runs = runs
	got, err := j.Merge(p)
	if done, wrong := c.checkError(err); done {
		return wrong
	}
	var rows []CaseRow
	if err := decodeJSON(c.Expect.Rows, &rows); err != nil {
		return err
	}
	want, err := rowsOf(rows, p.Schema.Fields())
	if err != nil {
		return err
	}
	if err := c.putHashOrder(want, p.Schema); err != nil {
		return err
	}
	return c.diff(want, got)
}
