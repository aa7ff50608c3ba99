package fuzz_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/kernel"
)

// tamperedSpec makes a problem with NULLs, several versions of a key and no sequence numbers, so that the order of runs
// settles ties.
var tamperedSpec = rungen.Spec{Seed: 4, Rows: 300, Runs: 4, Shape: rungen.Duplicates, Keys: []rungen.Column{{}},
	Values: []rungen.Column{{Name: "n", Nulls: rungen.HalfNulls}, {Name: "f", Type: "float64", Nulls: rungen.AllValid}, {Name: "s", Type: "utf8"}},
	Kinds:  rungen.Adds, KeyColumns: true, Numbers: rungen.NoNumbers, Layout: rungen.Layout{Batch: "50"}}

// wholeAnswer asks for everything there is to compare.
var wholeAnswer = way{Layout: rungen.Layout{Batch: "50"}, Deletes: true, System: true, BatchRows: 40}

// tampering spoils a merger's answers.
type tampering struct {
	name string
	spec func(s *rungen.Spec) // the problem, if it is not tamperedSpec
	way  func(w *way)
	by   func(merge merger) merger
	says string // part of what the comparison has to say
}

var tamperings = []tampering{
	{name: "wrong value", by: edited("n", flipByte(3)), says: `column "n"`},
	{name: "other zero", spec: zeros, by: edited("f", negateZero), says: `column "f"`},
	{name: "other NaN", spec: nans, by: edited("f", otherNaN), says: `column "f"`},
	{name: "NULL lost", by: edited("n", withoutNulls), says: `column "n"`},
	{name: "wrong text", by: edited("s", flipText), says: `column "s"`},
	{name: "wrong kind", by: edited("_VALUE_KIND", flipByte(0)), says: "kind"},
	{name: "wrong number", spec: numbered, by: edited("_SEQUENCE_NUMBER", flipByte(0)), says: "sequence number"},
	{name: "wrong key", by: edited("_KEY_k0", flipByte(0)), says: "key"},
	{name: "wrong null count", by: edited("n", miscounted), says: "null count"},
	{name: "offsets that go back", by: edited("s", backwards), says: "offset"},
	{name: "short buffer", by: edited("f", shortened), says: "bytes of values"},
	{name: "dropped row", by: listed(dropLast), says: "missing"},
	{name: "row too many", by: listed(doubleLast), says: "too many"},
	{name: "swapped rows", by: listed(swapRows), says: "row 0"},
	{name: "swapped tie", by: reversedRuns, says: "want"},
	{name: "larger batches than asked for", way: func(w *way) { w.BatchRows = 39 }, by: largerBatches, says: "at most 39"},
	{name: "kept deletes", spec: deletes, way: func(w *way) { w.Deletes = false }, by: keepsDeletes, says: "row"},
	{name: "no projection", way: func(w *way) { w.Projection = []string{"s", "k0"} }, by: noProjection, says: "column"},
	{name: "unexpected system columns", way: func(w *way) { w.System = false }, by: withSystem, says: "schema"},
	{name: "missing error", spec: badKind, by: repaired, says: "no error; want row-kind"},
	{name: "error without a reason", by: failing(kernel.ErrUnsorted), says: "error: merge: run is not sorted"},
	{name: "error of another kind", spec: badKind, by: failing(kernel.ErrUnsorted), says: "want row-kind"},
	{name: "error of another row", spec: badKind, by: failing(&kernel.RowError{Run: 3, Batch: 0, Row: 0, Err: kernel.ErrRowKind}), says: "want row-kind"},
	{name: "panic", by: panics, says: "panic: index out of range"},
	{name: "leak", by: leaking, says: "left in the allocator"},
	{name: "changed inputs", by: changesInputs, says: "changed its inputs"},
	{name: "changed while retained", by: reusing, says: "changed while it was retained"},
}

// TestComparisonFails shows that the comparison finds what it is for, with the reference and with the kernel behind the
// tampering, and finds nothing without.
func TestComparisonFails(t *testing.T) {
	for name, merge := range map[string]merger{"reference": mergeByReference, "kernel": mergeByKernel} {
		for _, c := range tamperings {
			q := question{tamperedSpec, wholeAnswer}
			q.Spec.Values = slices.Clone(q.Spec.Values)
			if c.spec != nil {
				c.spec(&q.Spec)
			}
			if c.way != nil {
				c.way(&q.Way)
			}
			if wrong := q.ask(merge); wrong != "" {
				t.Errorf("%s: %s without tampering: %s", name, c.name, wrong)
				continue
			}
			wrong := askUntil(c.says, func() string { return q.ask(c.by(merge)) })
			if !strings.Contains(wrong, c.says) || wrong == "" {
				t.Errorf("%s: %s: %q does not say %q", name, c.name, wrong, c.says)
			}
		}
	}
}

// askUntil asks until the answer says what is expected, in a checked build some times: those cut windows at random, and some cuts
// show nothing of a tampering.
func askUntil(says string, ask func() string) string {
	wrong := ask()
	for try := 0; invariants.Enabled && !strings.Contains(wrong, says) && try < 20; try++ {
		wrong = ask()
	}
	return wrong
}

// TestComparisonPasses shows that the comparison finds nothing wrong with right answers, where the types are those of case
// files.
func TestComparisonPasses(t *testing.T) {
	t.Parallel()
	right := 0
	for seed := range testscale.Seeds(t, 600) {
		spec := rungen.Random(seed, 200)
		for _, w := range waysOf(spec, 3) {
			w.Views = false
			q := question{spec, w}
			switch wrong := q.ask(mergeByReference); {
			case wrong == "":
				right++
			case !strings.Contains(wrong, "in a column of"):
				t.Fatalf("%s\n%s", wrong, q)
			}
		}
	}
	if right < 500/testscale.Sample(t) {
		t.Errorf("only %d questions could be answered", right)
	}
}

// TestShrinkDropsFunctions wants columns to go together with what the options say about them.
func TestShrinkDropsFunctions(t *testing.T) {
	fails := func(q question) bool {
		return strings.Contains(q.ask(listed(dropLast)(mergeByReference)), "missing")
	}
	q := question{tamperedSpec, wholeAnswer}
	q.Spec.Values = append(slices.Clone(q.Spec.Values), rungen.Column{Name: "g", Distinct: 5}, rungen.Column{Name: "h", Distinct: 5})
	q.Spec.Options = map[string]string{"merge-engine": "partial-update", "fields.g,h.sequence-group": "n,f",
		"fields.n.aggregate-function": "max", "fields.n.ignore-retract": "true"}
	small := shrink(q, fails)
	if len(small.Spec.Values) != 0 || len(small.Spec.Options) != 1 || !fails(small) {
		t.Errorf("columns %v and options %v are left", small.Spec.Values, small.Spec.Options)
	}
}

func TestShrink(t *testing.T) {
	fails := func(q question) bool {
		return strings.Contains(q.ask(listed(dropLast)(mergeByReference)), "missing")
	}
	small := shrink(question{tamperedSpec, wholeAnswer}, fails)
	p, err := rungen.Generate(memory.NewGoAllocator(), small.Spec)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	if p.Rows() != 2 || len(small.Spec.Values) != 0 || !fails(small) {
		t.Errorf("%d rows, %d columns are left: %s", p.Rows(), len(small.Spec.Values), small)
	}
	if text := small.asCase(); !strings.HasPrefix(text, "as a case file") || !strings.Contains(text, `"type":"sort_merge"`) {
		t.Errorf("not a case: %s", text)
	}
}
