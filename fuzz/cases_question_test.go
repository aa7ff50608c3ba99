package fuzz

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/braidmerge/braid/internal/rowmerge"
)

// TestQuestionsKeepTheAnswer puts every case to the row merger as it is put to the kernel, as a merge of runs, and compares
// with the answer that the case has.
func TestQuestionsKeepTheAnswer(t *testing.T) {
	asked := map[string]int{}
	for _, name := range []string{"cases.json", "bug-cases.json"} {
		for _, c := range caseFile(t, name).Cases {
			questions, err := c.questions()
			if err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
			for i, q := range questions {
				asked[c.Type]++
				if err := c.sameAnswer(q, i); err != nil {
					t.Errorf("%s (%s), question %d: %v", c.Name, c.Type, i, err)
				}
			}
		}
	}
	for _, typ := range []string{"sort_merge", "merge", "validity", "projection", "setup", "compare", "agg", "sketch"} {
		if asked[typ] == 0 {
			t.Errorf("no question of type %s", typ)
		}
	}
	t.Log(asked)
}

// sameAnswer compares the row merger's answer to the i-th question of a case with the case's.
func (c Case) sameAnswer(q caseQuestion, i int) error {
	got, faults, err := q.reference()
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		if c.NoAdjust && faults[0].Kind == rowmerge.KindSchema {
			return nil // a column that is missing in the options is missing in the record here
		}
		_, wrong := c.checkError(faults[0])
		return wrong
	}
	if done, wrong := c.checkError(nil); done {
		return wrong
	}
	want, err := c.expected(q, i)
	if err != nil || c.otherBytes() {
		return err
	}
	if (c.Type == "agg" || c.Type == "sketch") && len(got) == 1 { // the row beside the function's column is the question's own
		got = []rowmerge.Row{{Values: got[0].Values[1:2]}}
	}
	comparison := c.comparison()
	comparison.Sequences = q.numbered && c.Type != "agg"
	if d := rowmerge.Diff(want, got, comparison); d != "" {
		return errors.New(d)
	}
	return nil
}

// otherBytes reports whether a sketch has other bytes after a union with nothing: an HLL sketch that is a set, whose order is that
// of its insertions, or not of the kind HLL_4.
func (c Case) otherBytes() bool {
	return c.Function == "hll" && (orElse(c.HllType, "HLL_4") != "HLL_4" || strings.HasSuffix(c.Name, "-set"))
}

// expected gives the rows that the case says the answer to a question is.
func (c Case) expected(q caseQuestion, i int) ([]rowmerge.Row, error) {
	var rows []CaseRow
	switch c.Type {
	case "setup":
		return nil, nil
	case "sort_merge":
		if err := decodeJSON(c.Expect.Rows, &rows); err != nil {
			return nil, err
		}
	case "merge", "validity":
		if !c.Expect.None {
			rows = []CaseRow{{Kind: c.Expect.Kind, Seq: c.Expect.Seq, Values: c.Expect.Values}}
		}
	case "projection":
		rows = []CaseRow{*c.Expect.Result}
	case "compare":
		return q.runs[c.later(i)], nil
	case "agg", "sketch":
		v, err := rawValue(q.problem.Schema.Field(1).Type, c.Expect.Value)
		return []rowmerge.Row{{Values: []any{v}}}, err
	}
	want, err := rowsOf(rows, q.fields())
	if err != nil {
		return nil, err
	}
	if c.Type == "validity" {
		want[0].Values[0] = validityBytes(c.Expect.Valid)
	}
	for r := range want {
		want[r].Values = want[r].Values[:len(q.wanted())]
	}
	return want, nil
}

// later is the run, of the i-th question about an order, whose row stays: the one with the greater row, of equals the second.
func (c Case) later(i int) int {
	switch fmt.Sprintf("%s %d", c.Expect.Value, i) {
	case "1 0", "-1 1":
		return 0
	}
	return 1
}
