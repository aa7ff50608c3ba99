package fuzz

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// caseQuestion is a case as a merge of runs, which is what a kernel can be asked. The rows have keys.
type caseQuestion struct {
	problem  rowmerge.Problem // without runs
	runs     [][]rowmerge.Row
	columns  []string // value columns that the rows have
	numbered bool     // the rows have sequence numbers
	setup    bool     // only compiling is asked
}

// questions gives a case as merges of runs: none if it cannot be put so. The answer to each is the row merger's.
func (c Case) questions() ([]caseQuestion, error) {
	switch c.Type {
	case "sort_merge":
		return c.sortMergeQuestions()
	case "merge", "validity":
		return c.mergeQuestions(nil)
	case "projection":
		return c.projectionQuestions()
	case "setup":
		p, err := c.problem()
		return []caseQuestion{{problem: p, setup: true}}, err
	case "compare":
		return c.compareQuestions()
	case "agg":
		return c.aggQuestions()
	case "sketch":
		return c.sketchQuestions()
	}
	return nil, nil
}

func (c Case) sortMergeQuestions() ([]caseQuestion, error) {
	p, err := c.problem()
	if err != nil {
		return nil, err
	}
	runs, err := c.rowRuns(p.Schema)
	return []caseQuestion{{problem: p, runs: runs, columns: fieldNames(p.Schema), numbered: true}}, err
}

func fieldNames(s *arrow.Schema) []string {
	var names []string
	for _, f := range s.Fields() {
		names = append(names, f.Name)
	}
	return names
}

// mergeQuestions puts rows of one key as one run and as one run each. columns are those the rows have, nil for all.
func (c Case) mergeQuestions(columns []string) ([]caseQuestion, error) {
	p, err := c.problem()
	if err != nil {
		return nil, err
	}
	p.NoLoneRecordRule = !c.Reducer
	q := caseQuestion{problem: p, columns: columns}
	if columns == nil {
		q.columns = fieldNames(p.Schema)
	}
	versions, err := c.versions(q.fields())
	if err != nil {
		return nil, err
	}
	if c.Type == "validity" {
		if err := c.putValidity(versions); err != nil {
			return nil, err
		}
	}
	return q.ofOneKey(versions)
}

// fields gives the fields of the value columns that the rows have.
func (q caseQuestion) fields() []arrow.Field {
	var fields []arrow.Field
	for _, name := range q.columns {
		fields = append(fields, q.problem.Schema.Field(q.problem.Schema.FieldIndices(name)[0]))
	}
	return fields
}

// ofOneKey gives the question with versions of one key, oldest first, as one run and as one run each. Sequence numbers are
// left out where they say another order, and sequence fields too: as last_value, under the engine aggregation, they do not lack.
func (q caseQuestion) ofOneKey(versions []rowmerge.Version) ([]caseQuestion, error) {
	var run []rowmerge.Row
	for _, v := range versions {
		row := v.Row
		for _, name := range q.problem.PrimaryKey {
			row.Key = append(row.Key, q.oneKey(name, versions[0].Values))
		}
		run = append(run, row)
	}
	if !slices.IsSortedFunc(run, q.compareFields) && !q.dropSequenceFields() {
		return nil, nil
	}
	q.numbered = slices.IsSortedFunc(run, q.compareAge)
	one, each := q, q
	one.runs = [][]rowmerge.Row{run}
	for _, row := range run {
		each.runs = append(each.runs, []rowmerge.Row{row})
	}
	return []caseQuestion{one, each}, nil
}

// dropSequenceFields makes the sequence fields of the engine aggregation columns with the function they have anyway, so that
// they order nothing. It reports false for other engines.
func (q *caseQuestion) dropSequenceFields() bool {
	if q.problem.Options["merge-engine"] != "aggregation" {
		return false
	}
	o := maps.Clone(q.problem.Options)
	for _, name := range strings.Split(o["sequence.field"], ",") {
		o["fields."+strings.TrimSpace(name)+".aggregate-function"] = "last_value"
	}
	delete(o, "sequence.field")
	q.problem.Options = o
	return true
}

// oneKey gives the value of a key column for all rows: that of the first row, or if the rows lack the column a number, and
// NULL where the column does not hold numbers.
func (q caseQuestion) oneKey(name string, first []any) any {
	if at := slices.Index(q.columns, name); at >= 0 {
		return first[at]
	}
	if q.problem.Schema.Field(q.problem.Schema.FieldIndices(name)[0]).Type.ID() == arrow.INT32 {
		return int32(1)
	}
	return nil
}

// compareAge orders rows of one key as sequence fields and numbers have them.
func (q caseQuestion) compareAge(a, b rowmerge.Row) int {
	adds := func(kind int8) bool { return kind == rowmerge.Insert || kind == rowmerge.UpdateAfter }
	return cmp.Or(q.compareFields(a, b),
		rowmerge.CompareRows([]any{a.Sequence, adds(a.Kind)}, []any{b.Sequence, adds(b.Kind)}, false))
}

// compareFields orders rows of one key by their sequence fields.
func (q caseQuestion) compareFields(a, b rowmerge.Row) int {
	var x, y []any
	for _, name := range strings.Split(q.problem.Options["sequence.field"], ",") {
		if at := slices.Index(q.columns, strings.TrimSpace(name)); at >= 0 {
			x, y = append(x, a.Values[at]), append(y, b.Values[at])
		}
	}
	return rowmerge.CompareRows(x, y, q.problem.Options["sequence.field.sort-order"] == "descending")
}

func (c Case) projectionQuestions() ([]caseQuestion, error) {
	columns := c.Expect.Adjusted
	if c.NoAdjust {
		columns = c.ReadFields
		c.Rows = rowOfNulls(len(columns))
	}
	questions, err := c.mergeQuestions(columns)
	for i := range questions {
		questions[i].problem.Projection, questions[i].problem.NoLoneRecordRule = c.ReadFields, true
	}
	return questions, err
}

// rowOfNulls is a row for a case that has none, since it is about columns.
func rowOfNulls(width int) json.RawMessage {
	values := strings.TrimSuffix(strings.Repeat("null,", width), ",")
	return json.RawMessage(`[{"kind": "+I", "seq": 0, "values": [` + values + `]}]`)
}

// compareQuestions puts an order of two rows as deduplicate with sequence fields: the greater row stays, of equal rows the
// later, whichever that is.
func (c Case) compareQuestions() ([]caseQuestion, error) {
	fields, err := c.fields()
	if err != nil {
		return nil, err
	}
	a, err := rawRow(fields, c.A)
	if err != nil {
		return nil, err
	}
	b, err := rawRow(fields, c.B)
	if err != nil {
		return nil, err
	}
	p := rowmerge.Problem{PrimaryKey: []string{"key"}, Options: map[string]string{}}
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	p.Options["sequence.field"] = strings.Join(names, ",")
	if c.Descending {
		p.Options["sequence.field.sort-order"] = "descending"
	}
	extra := []arrow.Field{{Name: "key", Type: arrow.PrimitiveTypes.Int32}, {Name: "row", Type: arrow.BinaryTypes.String}}
	p.Schema = arrow.NewSchema(append(extra, fields...), nil)
	q := caseQuestion{problem: p, columns: fieldNames(p.Schema)}
	row := func(name string, values []any) []rowmerge.Row {
		return []rowmerge.Row{{Key: []any{int32(1)}, Values: append([]any{int32(1), name}, values...)}}
	}
	there, back := q, q
	there.runs = [][]rowmerge.Row{row("a", a), row("b", b)}
	back.runs = [][]rowmerge.Row{row("b", b), row("a", a)}
	return []caseQuestion{there, back}, nil
}
