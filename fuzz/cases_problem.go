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
		f, err := parseField(column[0], column[1])
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

// comparison is how the answers of a case compare. What unordered says is true, a list of columns, or absent: of the two
// readings one fails, or both.
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
