package fuzz

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
)

// TestPrintedProblemIsTheSame prints problems of every engine and function as cases, loads them again, and wants the same
// table, options and rows.
func TestPrintedProblemIsTheSame(t *testing.T) {
	t.Parallel()
	printed := map[string]int{}
	for seed := range testscale.Seeds(t, 2500) {
		spec := rungen.Random(seed<<24, 30)
		if spec.Fault != rungen.NoFault {
			continue
		}
		p, err := rungen.Generate(memory.NewGoAllocator(), spec)
		if err != nil {
			t.Fatal(err)
		}
		problem := rowmerge.Problem{Schema: p.Schema, PrimaryKey: p.PrimaryKey, PartitionKeys: p.PartitionKeys, Options: p.Options}
		for _, r := range p.Runs {
			problem.Runs = append(problem.Runs, rowmerge.Run{Records: r.Records, Sequence: r.Sequence})
		}
		if c, err := CaseOf(fmt.Sprint("seed-", seed), problem); err == nil {
			if wrong := sameProblem(problem, reloaded(t, c)); wrong != "" {
				t.Errorf("seed %d: %s\n%s", seed, wrong, spec)
			}
			countWords(printed, p.Options)
		}
		p.Release()
	}
	t.Log(printed)
	for _, word := range []string{"aggregation", "partial-update", "partial-update-validity", "first-row", "sequence-group", "sum", "product",
		"min", "max", "bool_and", "bool_or", "first_value", "first_non_null_value", "first_not_null_value", "last_value",
		"last_non_null_value", "primary-key", "listagg", "collect", "merge_map", "merge_map_with_keytime", "nested_update",
		"nested_partial_update", "rbm32", "rbm64", "theta_sketch", "hll_sketch"} {
		if printed[word] < 3 && testscale.Sample(t) == 1 {
			t.Errorf("%s is in %d cases", word, printed[word])
		}
	}
}

// countWords counts engines, functions and whether there are sequence groups.
func countWords(words map[string]int, options map[string]string) {
	words[options["merge-engine"]]++
	for key, value := range options {
		if strings.HasSuffix(key, "aggregate-function") {
			words[value]++
		}
		if strings.HasSuffix(key, ".sequence-group") {
			words["sequence-group"]++
		}
	}
}

// reloaded writes a case as JSON, reads it, and gives its problem. Runs are of one record each.
func reloaded(t *testing.T, c Case) rowmerge.Problem {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var again Case
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	p, err := again.problem()
	if err != nil {
		t.Fatal(err)
	}
	if p.Runs, err = again.runs(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// sameProblem says what differs between a problem and what was printed of it and read again, which it releases. The layout
// of texts and bytes may, and so may the bits of a NaN; where rows have no sequence numbers, the case has given them some.
func sameProblem(want, got rowmerge.Problem) string {
	defer releaseRuns(got.Runs)
	options := maps.Clone(want.Options)
	options["primary-key.nullable"] = "true"
	if options["merge-engine"] == "" {
		options["merge-engine"] = "deduplicate"
	}
	switch {
	case !maps.Equal(options, got.Options):
		return fmt.Sprintf("options %v, want %v", got.Options, options)
	case !slices.Equal(want.PrimaryKey, got.PrimaryKey):
		return fmt.Sprintf("key %q, want %q", got.PrimaryKey, want.PrimaryKey)
	case len(want.Runs) != len(got.Runs):
		return fmt.Sprintf("%d runs, want %d", len(got.Runs), len(want.Runs))
	}
	if a, b := fieldTexts(want.Schema), fieldTexts(got.Schema); !slices.Equal(a, b) {
		return fmt.Sprintf("columns %q, want %q", b, a)
	}
	names := fieldNames(want.Schema)
	for r, run := range want.Runs {
		var rows []rowmerge.Row
		for _, rec := range run.Records {
			more, err := recordRows(want, rec)
			if err != nil {
				return err.Error()
			}
			rows = append(rows, more...)
		}
		for i := range rows {
			if run.Sequence != nil {
				rows[i].Sequence = *run.Sequence
			}
		}
		read, err := rowmerge.RowsOf(got.Runs[r].Records[0], names, nil)
		if err != nil {
			return err.Error()
		}
		same := rowmerge.Comparison{Kinds: true, Sequences: isNumbered(want), AnyNaN: func(int) bool { return true }, Columns: names}
		if d := rowmerge.Diff(rows, read, same); d != "" {
			return fmt.Sprintf("run %d: %s", r, d)
		}
	}
	return ""
}

// fieldTexts writes the columns of a schema with the names of their types.
func fieldTexts(s *arrow.Schema) []string {
	var texts []string
	for _, f := range s.Fields() {
		text, err := typeText(f)
		if err != nil {
			text = err.Error()
		}
		texts = append(texts, f.Name+" "+text)
	}
	return texts
}

// TestSameProblemFails changes a problem that was printed, in one place each, and wants that noticed.
func TestSameProblemFails(t *testing.T) {
	spec := rungen.Spec{Seed: 3, Rows: 12, Runs: 2, Shape: rungen.Duplicates, Keys: []rungen.Column{{}}, Kinds: rungen.Adds, Numbers: rungen.Rising,
		Values:  []rungen.Column{{Type: "binary", Style: rungen.Bitmap32}, {Name: "_VALIDITY_FIELDS", Type: "binary", Style: rungen.Marks}},
		Options: map[string]string{"merge-engine": "partial-update-validity"}}
	p, err := rungen.Generate(memory.NewGoAllocator(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	problem := rowmerge.Problem{Schema: p.Schema, PrimaryKey: p.PrimaryKey, Options: p.Options}
	for _, r := range p.Runs {
		problem.Runs = append(problem.Runs, rowmerge.Run{Records: r.Records})
	}
	for name, change := range map[string]func(c *Case){
		"":        func(*Case) {},
		"options": func(c *Case) { c.Options["ignore-delete"] = "true" },
		"key":     func(c *Case) { c.PrimaryKey = []string{"v0"} },
		"runs":    func(c *Case) { c.Runs = c.Runs[1:] },
		"columns": func(c *Case) { c.Schema[1][1] = "BYTES NOT NULL" },
		"run 1":   func(c *Case) { c.Runs[1][0].Seq++ },
		"run 0":   func(c *Case) { c.Runs[0][0].Values = c.Runs[0][1].Values },
	} {
		c, err := CaseOf("case", problem)
		if err != nil {
			t.Fatal(err)
		}
		change(&c)
		wrong := sameProblem(problem, reloaded(t, c))
		if (wrong == "") != (name == "") || !strings.Contains(wrong, name) {
			t.Errorf("%q is noticed as %q", name, wrong)
		}
	}
}
