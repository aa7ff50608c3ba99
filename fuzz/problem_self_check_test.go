package fuzz_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/kernel"
)

// refusing is a kernel that takes no options.
func refusing(context.Context, posed) (array.RecordReader, error) { return nil, kernel.ErrOption }

// TestReferenceAgreesWithItself checks the reference against itself on problems of every engine and function, and wants most
// functions to be among those that give an answer.
func TestReferenceAgreesWithItself(t *testing.T) {
	t.Parallel()
	answered := map[string]int{}
	for seed := range testscale.Seeds(t, 1500) {
		q := question{Spec: rungen.Random(seed, 60)}
		q.Way = waysOf(q.Spec, 1)[0]
		p := pose(t, q)
		rows, faults := p.reference().Faults()
		if wrong := p.checkReference(rows, faults, rowmerge.Problem.Faults); wrong != "" {
			t.Fatalf("%s\n%s\n%s\n%s", q, show(q.Spec), wrong, q.asCase())
		}
		if len(faults) == 0 && len(rows) > 0 {
			countFunctions(answered, p)
		}
		if len(faults) == 0 && q.ask(refusing) == "" {
			t.Fatalf("a refusal of what the kernel can do is accepted: %s", q)
		}
		p.problem.Release()
	}
	for _, name := range []string{"sum", "product", "min", "max", "bool_and", "bool_or", "first_value", "first_non_null_value",
		"first_not_null_value", "last_value", "last_non_null_value", "primary-key", "listagg", "collect", "merge_map",
		"merge_map_with_keytime", "nested_update", "nested_partial_update", "rbm32", "rbm64", "theta_sketch", "hll_sketch",
		"in steps", "groups", "removing group", "removing delete", "validity", "validity in steps"} {
		if answered[name] == 0 && testscale.Sample(t) == 1 {
			t.Errorf("no problem with %s has an answer", name)
		}
	}
	t.Log(answered)
}

func pose(t *testing.T, q question) posed {
	problem, err := rungen.Generate(memory.NewGoAllocator(), q.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return posed{way: q.Way, problem: problem}
}

func countFunctions(answered map[string]int, p posed) {
	for key, value := range p.problem.Options {
		switch {
		case strings.HasSuffix(key, "aggregate-function"):
			answered[value]++
		case strings.HasSuffix(key, ".sequence-group"):
			answered["groups"]++
		case key == "partial-update.remove-record-on-sequence-group":
			answered["removing group"]++
		case key == "aggregation.remove-record-on-delete":
			answered["removing delete"]++
		}
	}
	validity := p.problem.Options["merge-engine"] == "partial-update-validity"
	if validity {
		answered["validity"]++
	}
	switch inSteps := len(p.problem.Runs) > 1 && p.mergesInSteps(); {
	case inSteps && validity:
		answered["validity in steps"]++
	case inSteps:
		answered["in steps"]++
	}
}

// TestSelfCheckFails shows that checkReference finds answers that hang on batches, on runs, or on what has been merged
// before.
func TestSelfCheckFails(t *testing.T) {
	spec := rungen.Spec{Seed: 2, Rows: 60, Runs: 4, Shape: rungen.Duplicates, Keys: []rungen.Column{{}},
		Values: []rungen.Column{{Style: rungen.Small}}, Kinds: rungen.Adds, Numbers: rungen.Rising,
		Options: map[string]string{"merge-engine": "aggregation", "fields.v0.aggregate-function": "sum"}}
	p := pose(t, question{Spec: spec, Way: way{System: true, Deletes: true}})
	defer p.problem.Release()
	rows, faults := p.reference().Faults()
	if wrong := p.checkReference(rows, faults, rowmerge.Problem.Faults); wrong != "" {
		t.Fatal(wrong)
	}
	runs := len(p.problem.Runs)
	for says, wrongly := range map[string]func(rowmerge.Problem) bool{
		"batches of 3": func(p rowmerge.Problem) bool { return len(p.Runs[0].Records) > 1 },
		"every batch":  func(p rowmerge.Problem) bool { return len(p.Runs) > runs },
		"others":       func(p rowmerge.Problem) bool { return len(p.Runs) < runs },
	} {
		wrong := p.checkReference(rows, faults, func(p rowmerge.Problem) ([]rowmerge.Row, []*rowmerge.Error) {
			rows, faults := p.Faults()
			if wrongly(p) {
				rows = slices.Clone(rows)
				rows[0].Values = []any{rows[0].Values[0], int64(99)}
			}
			return rows, faults
		})
		if !strings.Contains(wrong, says) {
			t.Errorf("%q does not say %q", wrong, says)
		}
	}
}
