package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// CaseOf gives a problem as a case of type sort_merge whose answer is the row merger's. Where rows have no sequence numbers,
// the case numbers them in the order of runs. It fails for a problem that a case cannot say: types without a name, partition
// keys, runs that do not fit the table, keys that are not those of the value columns, projections.
func CaseOf(name string, p rowmerge.Problem) (Case, error) {
	c := Case{Name: name, Type: "sort_merge", Engine: p.Options["merge-engine"], Options: maps.Clone(p.Options),
		PrimaryKey: p.PrimaryKey, DropDelete: !p.KeepDeletes}
	delete(c.Options, "merge-engine")
	if c.Engine == "" {
		c.Engine = "deduplicate"
	}
	if len(p.PartitionKeys) > 0 || p.Projection != nil {
		return c, errors.New("cases have neither partition keys nor projections")
	}
	for _, f := range p.Schema.Fields() {
		text, err := typeText(f)
		if err != nil {
			return c, fmt.Errorf("column %q: %w", f.Name, err)
		}
		c.Schema = append(c.Schema, [2]string{f.Name, text})
	}
	var err error
	if c.Runs, err = caseRuns(p); err != nil {
		return c, err
	}
	return c, c.setAnswer(p)
}

// isNumbered reports whether rows have sequence numbers.
func isNumbered(p rowmerge.Problem) bool {
	return slices.ContainsFunc(p.Runs, func(r rowmerge.Run) bool {
		return r.Sequence != nil || len(r.Records) > 0 && r.Records[0].Schema().HasField("_SEQUENCE_NUMBER")
	})
}

// caseRuns writes the rows of all runs.
func caseRuns(p rowmerge.Problem) ([][]CaseRow, error) {
	runs := [][]CaseRow{}
	next := int64(1)
	for i, run := range p.Runs {
		rows := []CaseRow{}
		for _, rec := range run.Records {
			read, err := recordRows(p, rec)
			if err != nil {
				return nil, fmt.Errorf("run %d: %w", i, err)
			}
			for _, row := range read {
				switch {
				case run.Sequence != nil:
					row.Sequence = *run.Sequence
				case !isNumbered(p):
					row.Sequence = next
				}
				next++
				out, err := caseRowOf(p.Schema, row)
				if err != nil {
					return nil, err
				}
				rows = append(rows, out)
			}
		}
		runs = append(runs, rows)
	}
	return runs, nil
}

// recordRows reads the rows of a record, with the row kinds of rowkind.field if there is no system column of them.
func recordRows(p rowmerge.Problem, rec arrow.Record) ([]rowmerge.Row, error) {
	for _, f := range p.Schema.Fields() {
		at := rec.Schema().FieldIndices(f.Name)
		if len(at) == 0 || !arrow.TypeEqual(rec.Column(at[0]).DataType(), f.Type) {
			return nil, fmt.Errorf("column %q is missing or not %s", f.Name, f.Type)
		}
	}
	rows, err := rowmerge.RowsOf(rec, fieldNames(p.Schema), nil)
	name := p.Options["rowkind.field"]
	if err != nil || name == "" || rec.Schema().HasField("_VALUE_KIND") {
		return rows, err
	}
	at := p.Schema.FieldIndices(name)
	if len(at) == 0 {
		return rows, nil
	}
	for i := range rows {
		text, _ := rows[i].Values[at[0]].(string)
		kind, ok := kindTexts[text]
		if !ok {
			return nil, fmt.Errorf("%q is no row kind", text)
		}
		rows[i].Kind = kind
	}
	return rows, nil
}

// kindTexts are the texts of rowkind.field.
var kindTexts = map[string]int8{
	"+I": rowmerge.Insert, "-U": rowmerge.UpdateBefore, "+U": rowmerge.UpdateAfter, "-D": rowmerge.Delete,
	"+i": rowmerge.Insert, "-u": rowmerge.UpdateBefore, "+u": rowmerge.UpdateAfter, "-d": rowmerge.Delete,
}

// caseRowOf writes a row.
func caseRowOf(schema *arrow.Schema, row rowmerge.Row) (CaseRow, error) {
	out := CaseRow{Seq: row.Sequence}
	if row.Kind < rowmerge.Insert || row.Kind > rowmerge.Delete {
		return out, fmt.Errorf("%d is no row kind", row.Kind)
	}
	out.Kind = []string{"+I", "-U", "+U", "-D"}[row.Kind]
	values, err := jsonRow(schema.Fields(), row.Values)
	if err != nil {
		return out, err
	}
	out.Values, err = json.Marshal(values)
	return out, err
}

// setAnswer merges the rows as the case has them, writes the answer, and compares it with that of the problem: the two
// differ where JSON cannot say what the problem does.
func (c *Case) setAnswer(p rowmerge.Problem) error {
	asked, err := c.problem()
	if err != nil {
		return err
	}
	if asked.Runs, err = c.runs(asked); err != nil {
		return err
	}
	defer releaseRuns(asked.Runs)
	want, fault := p.Merge()
	got, err := asked.Merge()
	if kindOfError(fault) != kindOfError(err) {
		return fmt.Errorf("the case gives another error than the problem: %v, not %v", err, fault)
	}
	if err != nil {
		text := err.Error()
		c.Expect.Error, c.Expect.ErrorKind = &text, string(kindOfError(err))
		return nil
	}
	same := rowmerge.Comparison{Kinds: true, Sequences: isNumbered(p), AnyNaN: func(int) bool { return true }}
	if d := rowmerge.Diff(want, got, same); d != "" {
		return fmt.Errorf("the case has another answer than the problem: %s", d)
	}
	rows := []CaseRow{}
	for _, row := range got {
		out, err := caseRowOf(p.Schema, row)
		if err != nil {
			return err
		}
		rows = append(rows, out)
	}
	c.Expect.Rows, err = json.Marshal(rows)
	return err
}

// kindOfError is the kind of an error of the row merger, "" for none.
func kindOfError(err error) rowmerge.Kind {
	var e *rowmerge.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}
