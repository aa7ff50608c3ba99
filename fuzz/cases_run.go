package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// Judged is what cases are put to. The zero value of a member means the row merger's own.
type Judged struct {
	Merge    func(rowmerge.Problem) ([]rowmerge.Row, error)
	Group    func(rowmerge.Problem, []rowmerge.Version) (*rowmerge.Row, error)
	Function func(name string, field arrow.Field, options map[string]string) (*rowmerge.Function, error)
}

// withDefaults puts the row merger in the place of what is not set.
func (j Judged) withDefaults() Judged {
	if j.Merge == nil {
		j.Merge = rowmerge.Problem.Merge
	}
	if j.Group == nil {
		j.Group = rowmerge.Problem.MergeGroup
	}
	if j.Function == nil {
		j.Function = rowmerge.NewFunction
	}
	return j
}

// Check puts a case and gives what is wrong with the answer, nil if it is the expected one.
func (j Judged) Check(c Case) error {
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

// problem is the problem of a case without its rows. Cases say nothing about NULL in keys, so it is allowed.
func (c Case) problem() (rowmerge.Problem, error) {
	p := rowmerge.Problem{PrimaryKey: c.PrimaryKey, Options: map[string]string{}, KeepDeletes: !c.DropDelete}
	for k, v := range c.Options {
		p.Options[k] = v
	}
	p.Options["primary-key.nullable"] = "true"
	switch {
	case c.Engine != "":
		p.Options["merge-engine"] = c.Engine
	case c.Type == "validity":
		p.Options["merge-engine"] = "partial-update-validity"
	}
	fields, err := c.fields()
	p.Schema = arrow.NewSchema(fields, nil)
	return p, err
}

func (c Case) fields() ([]arrow.Field, error) {
	var fields []arrow.Field
	for _, column := range c.Schema {
		f, err := ParseField(column[0], column[1])
		if err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// row gives a row of a case whose values are those of fields.
func (r CaseRow) row(fields []arrow.Field) (rowmerge.Row, error) {
	values, err := rawRow(fields, r.Values)
	if err != nil {
		return rowmerge.Row{}, err
	}
	kind := slices.Index([]string{"+I", "-U", "+U", "-D"}, r.Kind)
	if kind < 0 {
		return rowmerge.Row{}, fmt.Errorf("row kind %q", r.Kind)
	}
	return rowmerge.Row{Kind: int8(kind), Sequence: r.Seq, Values: values}, nil
}

// comparison is how the answers of a case compare.
func (c Case) comparison() rowmerge.Comparison {
	var all bool
	var names []string
	_ = json.Unmarshal(c.Unordered, &all)
	_ = json.Unmarshal(c.Unordered, &names)
	return rowmerge.Comparison{
		Kinds: true, Sequences: true,
		Unordered: func(i int) bool { return all || i < len(c.Schema) && slices.Contains(names, c.Schema[i][0]) },
		AnyNaN:    func(int) bool { return true },
		Same:      func(i int, want, got any) bool { return sameBitmap(c.function(i), want, got) },
	}
}

// sameBitmap compares results of rbm64 by the numbers they hold: equal bitmaps may have different bytes.
func sameBitmap(function string, want, got any) bool {
	w, ok1 := want.([]byte)
	g, ok2 := got.([]byte)
	return function == "rbm64" && ok1 && ok2 && rowmerge.SameRbm64(w, g)
}

// function names the function of a column of the case, "" if it has none of its own.
func (c Case) function(column int) string {
	if column < len(c.Schema) {
		return c.Options["fields."+c.Schema[column][0]+".aggregate-function"]
	}
	return c.Function
}

// checkError compares an error with the one a case expects. done says that there is nothing further to compare.
func (c Case) checkError(err error) (done bool, wrong error) {
	if c.Expect.Error == nil {
		return err != nil, err
	}
	var e *rowmerge.Error
	switch {
	case err == nil:
		return true, fmt.Errorf("no error, want %s: %s", c.Expect.ErrorKind, *c.Expect.Error)
	case !errors.As(err, &e):
		return true, fmt.Errorf("want %s, got an error without a kind: %w", c.Expect.ErrorKind, err)
	case string(e.Kind) != c.Expect.ErrorKind:
		return true, fmt.Errorf("want %s: %s, got %w", c.Expect.ErrorKind, *c.Expect.Error, err)
	}
	return true, nil
}

// checkMerge feeds all rows to one merge function.
func (j Judged) checkMerge(c Case) error {
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
func (j Judged) group(p rowmerge.Problem, c Case, fields []arrow.Field) (*rowmerge.Row, error) {
	versions, err := c.versions(fields)
	if err != nil {
		return nil, err
	}
	return j.Group(p, versions)
}

func (c Case) versions(fields []arrow.Field) ([]rowmerge.Version, error) {
	var rows []CaseRow
	if err := decodeJSON(c.Rows, &rows); err != nil {
		return nil, err
	}
	var versions []rowmerge.Version
	for i, r := range rows {
		row, err := r.row(fields)
		if err != nil {
			return nil, err
		}
		versions = append(versions, rowmerge.Version{Row: row, Level: r.Level, Index: i})
	}
	return versions, nil
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
func (j Judged) checkProjection(c Case) error {
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
func (j Judged) checkSetup(c Case) error {
	p, err := c.problem()
	if err != nil {
		return err
	}
	_, err = j.Merge(p)
	_, wrong := c.checkError(err)
	return wrong
}

// checkCompare orders two rows.
func (j Judged) checkCompare(c Case) error {
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
func (j Judged) checkSortMerge(c Case) error {
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

func rowsOf(rows []CaseRow, fields []arrow.Field) ([]rowmerge.Row, error) {
	var out []rowmerge.Row
	for _, r := range rows {
		row, err := r.row(fields)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// rowRuns gives the rows of a case's runs, with their keys.
func (c Case) rowRuns(schema *arrow.Schema) ([][]rowmerge.Row, error) {
	var runs [][]rowmerge.Row
	for _, run := range c.Runs {
		rows, err := rowsOf(run, schema.Fields())
		if err != nil {
			return nil, err
		}
		for i := range rows {
			for _, name := range c.PrimaryKey {
				rows[i].Key = append(rows[i].Key, rows[i].Values[schema.FieldIndices(name)[0]])
			}
		}
		runs = append(runs, rows)
	}
	return runs, nil
}

// runs builds the runs of a case, one record each. The caller releases the records.
func (c Case) runs(p rowmerge.Problem) ([]rowmerge.Run, error) {
	rows, err := c.rowRuns(p.Schema)
	if err != nil {
		return nil, err
	}
	var runs []rowmerge.Run
	for _, run := range rows {
		rec, err := BuildRecord(memory.DefaultAllocator, RunSchema(p.Schema, c.PrimaryKey), run)
		if err != nil {
			releaseRuns(runs)
			return nil, err
		}
		runs = append(runs, rowmerge.Run{Records: []arrow.Record{rec}})
	}
	return runs, nil
}

func releaseRuns(runs []rowmerge.Run) {
	for _, run := range runs {
		for _, rec := range run.Records {
			rec.Release()
		}
	}
}

// checkAgg drives one function.
func (j Judged) checkAgg(c Case) error {
	got, t, err := j.aggregate(c)
	if done, wrong := c.checkError(err); done {
		return wrong
	}
	want, err := rawValue(t, c.Expect.Value)
	if err != nil {
		return err
	}
	return c.diff([]rowmerge.Row{{Values: []any{want}}}, []rowmerge.Row{{Values: []any{got}}})
}

func (j Judged) aggregate(c Case) (any, arrow.DataType, error) {
	field, err := ParseField("f", c.FieldType)
	if err != nil {
		return nil, nil, err
	}
	f, err := j.Function(c.Function, field, c.Options)
	if err != nil {
		return nil, nil, err
	}
	acc, err := rawValue(field.Type, c.Acc)
	if err != nil {
		return nil, nil, err
	}
	for _, raw := range c.Ops {
		if acc, err = applyOp(f, field.Type, acc, raw); err != nil {
			return nil, nil, err
		}
	}
	return acc, field.Type, nil
}

// applyOp applies one [op, input] to an accumulator.
func applyOp(f *rowmerge.Function, t arrow.DataType, acc any, raw json.RawMessage) (any, error) {
	var op []json.RawMessage
	var name string
	if err := errors.Join(json.Unmarshal(raw, &op), json.Unmarshal(op[0], &name)); err != nil {
		return nil, err
	}
	var in any
	if len(op) > 1 {
		var err error
		if in, err = rawValue(t, op[1]); err != nil {
			return nil, err
		}
	}
	var v any
	var wrong *rowmerge.Error
	switch name {
	case "agg":
		v, wrong = f.Agg(acc, in)
	case "agg_reversed":
		v, wrong = f.AggReversed(acc, in)
	case "retract":
		v, wrong = f.Retract(acc, in)
	case "reset_keep_acc":
		f.Reset()
		v = acc
	default:
		return nil, fmt.Errorf("no operation %q", name)
	}
	if wrong != nil {
		return nil, wrong
	}
	return v, nil
}
