package fuzz

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/kernel"
)

// redCase wants a report to say that the named case failed.
func redCase(t *testing.T, r caseReport, name string) {
	t.Helper()
	if !slices.ContainsFunc(r.Failures, func(f string) bool { return strings.HasPrefix(f, name+" (") }) {
		t.Errorf("%s has not failed; %v", name, r)
	}
}

func caseFile(t *testing.T, name string) *CaseFile {
	t.Helper()
	file, err := LoadCases("testdata/cases/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRunnerSeesWrongFunction puts product in the place of sum.
func TestRunnerSeesWrongFunction(t *testing.T) {
	wrong := judged{Function: func(name string, f arrow.Field, options map[string]string) (*rowmerge.Function, error) {
		if name == "sum" {
			name = "product"
		}
		return rowmerge.NewFunction(name, f, options)
	}}
	redCase(t, wrong.report(caseFile(t, "cases.json"), nil), "sum-tinyint")
}

// TestRunnerSeesSwappedTies gives the runs in the wrong order, which only full ties tell.
func TestRunnerSeesSwappedTies(t *testing.T) {
	wrong := judged{Merge: func(p rowmerge.Problem) ([]rowmerge.Row, error) {
		p.Runs = slices.Clone(p.Runs)
		slices.Reverse(p.Runs)
		return p.Merge()
	}}
	r := wrong.report(caseFile(t, "bug-cases.json"), nil)
	redCase(t, r, "B002")
	if r.Failed > 10 {
		t.Errorf("more than ties has failed: %v", r)
	}
}

// TestRunnerSeesDroppedErrors gives no rows in the place of an error.
func TestRunnerSeesDroppedErrors(t *testing.T) {
	wrong := judged{Merge: func(p rowmerge.Problem) ([]rowmerge.Row, error) {
		rows, err := p.Merge()
		var e *rowmerge.Error
		if errors.As(err, &e) {
			return nil, nil
		}
		return rows, err
	}}
	r := wrong.report(caseFile(t, "bug-cases.json"), nil)
	redCase(t, r, "B025") // rows
	redCase(t, r, "B139") // options
}

// TestRunnerSeesOtherErrors gives errors of another kind.
func TestRunnerSeesOtherErrors(t *testing.T) {
	wrong := judged{Merge: func(p rowmerge.Problem) ([]rowmerge.Row, error) {
		rows, err := p.Merge()
		if err != nil {
			return nil, &rowmerge.Error{Kind: rowmerge.KindSchema}
		}
		return rows, nil
	}}
	redCase(t, wrong.report(caseFile(t, "bug-cases.json"), nil), "B025")
}

// TestRunnerSeesOtherRows changes an answer in its kind, number or order.
func TestRunnerSeesOtherRows(t *testing.T) {
	for name, change := range map[string]func([]rowmerge.Row){
		"kind":   func(rows []rowmerge.Row) { rows[0].Kind ^= 2 },
		"number": func(rows []rowmerge.Row) { rows[0].Sequence++ },
		"order":  slices.Reverse[[]rowmerge.Row],
	} {
		wrong := judged{Merge: func(p rowmerge.Problem) ([]rowmerge.Row, error) {
			rows, err := p.Merge()
			if len(rows) > 1 {
				change(rows)
			}
			return rows, err
		}}
		if r := wrong.report(caseFile(t, "random-cases-big.json.gz"), nil); r.Failed == 0 {
			t.Errorf("%s: %v", name, r)
		}
	}
}

// TestRunnerSeesWrongKernel puts answers that are wrong in one respect in the place of the kernel's.
func TestRunnerSeesWrongKernel(t *testing.T) {
	right := func(q caseQuestion) ([]rowmerge.Row, error) {
		rows, faults, err := q.reference()
		if len(faults) == 0 {
			return rows, err
		}
		return nil, kernelErrors[faults[0].Kind][0]
	}
	for _, c := range []struct {
		name, red string
		kernel    func(caseQuestion, kernelWay) ([]rowmerge.Row, error)
	}{
		{"nothing", "", func(q caseQuestion, w kernelWay) ([]rowmerge.Row, error) { return right(q) }},
		{"last row missing", "B001", func(q caseQuestion, w kernelWay) ([]rowmerge.Row, error) {
			rows, err := right(q)
			return rows[:max(len(rows)-1, 0)], err
		}},
		{"one way only", "B001", func(q caseQuestion, w kernelWay) ([]rowmerge.Row, error) {
			rows, err := right(q)
			if w.sliced && w.split && w.batch == 7 && w.output == 1 {
				return nil, err
			}
			return rows, err
		}},
		{"dropped error", "B025", func(q caseQuestion, w kernelWay) ([]rowmerge.Row, error) {
			rows, _ := right(q)
			return rows, nil
		}},
		{"invented error", "B001", func(q caseQuestion, w kernelWay) ([]rowmerge.Row, error) { return nil, kernel.ErrCorrupt }},
		{"error of another kind", "B025", func(q caseQuestion, w kernelWay) ([]rowmerge.Row, error) {
			rows, err := right(q)
			if err != nil {
				return nil, kernel.ErrCorrupt
			}
			return rows, nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := judged{Kernel: c.kernel}.report(caseFile(t, "bug-cases.json"), allWays)
			if c.red == "" {
				for _, f := range r.Failures {
					t.Error(f)
				}
				return
			}
			redCase(t, r, c.red)
		})
	}
}

// TestRunnerCountsUnasked counts cases whose rows are in an order that no run can give them in.
func TestRunnerCountsUnasked(t *testing.T) {
	c := Case{Type: "merge", Engine: "deduplicate", Options: map[string]string{"sequence.field": "v"}, PrimaryKey: []string{"k"},
		Schema: [][2]string{{"k", "INT"}, {"v", "INT"}},
		Rows:   json.RawMessage(`[{"kind": "+I", "seq": 1, "values": [1, 2]}, {"kind": "+I", "seq": 2, "values": [1, 1]}]`),
		Expect: CaseExpect{Kind: "+I", Seq: 2, Values: json.RawMessage(`[1, 1]`)}}
	byLevel := c
	byLevel.Type, byLevel.Expect = "lookup_merge", CaseExpect{Result: &CaseRow{Kind: "+I", Seq: 2, Values: json.RawMessage(`[1, 1]`)}}
	r := judged{}.report(&CaseFile{Name: "made up", Cases: []Case{c, byLevel}}, someWays)
	if want := "cases: made up: 2 run, 0 failed, 2 not put to the kernel"; r.String() != want {
		t.Errorf("%q, want %q: %v", r, want, r.Failures)
	}
}

// TestSomeWaysAreAll finds that the ways of successive cases are, together, all there are.
func TestSomeWaysAreAll(t *testing.T) {
	seen := map[kernelWay]bool{}
	for i := range 40 {
		for _, w := range someWays(i) {
			seen[w] = true
		}
	}
	if len(seen) != len(kernelWays()) {
		t.Errorf("%d ways of %d", len(seen), len(kernelWays()))
	}
}

// TestRunnerSeesWrongProjection expects other bits than a case of a projection has.
func TestRunnerSeesWrongProjection(t *testing.T) {
	seen := 0
	for _, c := range caseFile(t, "cases.json").Cases {
		if c.Type != "validity_projection" {
			continue
		}
		seen++
		if supported, err := (judged{}).checkKernel(c, nil); !supported || err != nil {
			t.Errorf("%s: %v, %v", c.Name, supported, err)
		}
		c.Mapping = append([]int{-1}, c.Mapping...)
		if _, err := (judged{}).checkKernel(c, nil); err == nil && len(c.Expect.Valid) > 0 {
			t.Errorf("%s has not failed", c.Name)
		}
	}
	if seen == 0 {
		t.Error("no case")
	}
}

// TestRunnerSeesWrongLevels expects other changes, results and sections than cases about levels have.
func TestRunnerSeesWrongLevels(t *testing.T) {
	ways := someWays(0)
	seen := map[string]int{}
	for _, c := range caseFile(t, "cases.json").Cases {
		switch {
		case c.Type == "changelog" && len(c.Expect.Changelog) > 0:
			c.Expect.Changelog = c.Expect.Changelog[1:]
		case c.Type == "changelog" && c.Expect.Result != nil:
			c.Expect.Result = nil
		case c.Type == "lookup_merge":
			c.Expect.Result = &CaseRow{Kind: "-U", Seq: c.Expect.Result.Seq, Values: c.Expect.Result.Values}
		case c.Type == "interval_partition" && len(c.Intervals) > 0:
			c.Intervals = append(c.Intervals, [2]int{9999, 9999})
		default:
			continue
		}
		seen[c.Type]++
		if _, err := (judged{}).checkKernel(c, ways); err == nil {
			t.Errorf("%s has not failed", c.Name)
		}
	}
	if seen["changelog"] < 50 || seen["lookup_merge"] < 4 || seen["interval_partition"] < 4 {
		t.Errorf("too few cases: %v", seen)
	}
}
