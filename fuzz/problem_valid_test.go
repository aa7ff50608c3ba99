package fuzz_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
)

// validRows bounds the rows of problems that the row merger merges alone.
const validRows = 60

// share counts problems of one kind: all of them, those that end in an error, and those in which a key comes twice.
type share struct{ all, failed, merging int }

func (s share) String() string {
	return fmt.Sprintf("%d problems, %.1f%% end in an error, %.0f%% merge", s.all, 100*float64(s.failed)/float64(s.all),
		100*float64(s.merging)/float64(s.all))
}

// TestProblemsAreValid merges random problems by the row merger alone, BRAID_PROBLEMS of them. It must never panic, and of the
// problems without a fault most must have an answer, and many keys that come twice, under every engine: what ends in an
// error early, or merges nothing, shows little.
func TestProblemsAreValid(t *testing.T) {
	t.Parallel()
	shares, kinds := map[string]*share{}, map[rowmerge.Kind]int{}
	for seed := range testscale.Seeds(t, testscale.Number(t, "BRAID_PROBLEMS", 3000)) {
		spec := rungen.Random(seed<<20, validRows)
		rows, merging, faults := mergeAlone(t, spec)
		for _, fault := range faults {
			kinds[fault.Kind]++
		}
		if spec.Fault != rungen.NoFault || rows == 0 {
			continue
		}
		s := shares[engineOf(spec)]
		if s == nil {
			s = &share{}
			shares[engineOf(spec)] = s
		}
		s.all++
		if len(faults) > 0 {
			s.failed++
		}
		if merging {
			s.merging++
		}
	}
	for _, engine := range slices.Sorted(maps.Keys(shares)) {
		t.Logf("%s: %s", engine, shares[engine])
	}
	t.Logf("errors: %v", kinds)
	if testscale.Sample(t) > 1 {
		return // a sample is too small to have shares
	}
	for _, engine := range []string{"deduplicate", "first-row", "partial-update", "sequence groups", "aggregation", "partial-update-validity"} {
		s := shares[engine]
		if s == nil || s.all < 100 || 10*s.failed > 3*s.all || 10*s.merging < 4*s.all {
			t.Errorf("%s: %v", engine, s)
		}
	}
	for _, kind := range []rowmerge.Kind{rowmerge.KindConfig, rowmerge.KindArithmetic, rowmerge.KindRetract, rowmerge.KindDeleteNotAccepted,
		rowmerge.KindNotNull, rowmerge.KindNestedKeyNull, rowmerge.KindCorrupt, rowmerge.KindUnsorted, rowmerge.KindRowKind,
		rowmerge.KindNullKey, rowmerge.KindSchema} {
		if kinds[kind] == 0 {
			t.Errorf("no problem has an error of kind %s", kind)
		}
	}
}

// engineOf names the engine of a spec, apart from it that of partial updates with sequence groups.
func engineOf(spec rungen.Spec) string {
	for key := range spec.Options {
		if strings.HasSuffix(key, ".sequence-group") {
			return "sequence groups"
		}
	}
	return strings.ToLower(cmp.Or(spec.Options["merge-engine"], "deduplicate"))
}

// mergeAlone merges the problem of the spec by the row merger. It returns how many rows there are and whether fewer keys.
func mergeAlone(t *testing.T, spec rungen.Spec) (rows int64, merging bool, faults []*rowmerge.Error) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%v: %s", r, spec)
		}
	}()
	problem, err := rungen.Generate(memory.NewGoAllocator(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer problem.Release()
	p := posed{way: way{Deletes: true}, problem: problem}
	_, faults = p.reference().Faults()
	keys := map[string]bool{}
	for _, r := range problem.Runs {
		for _, rec := range r.Records {
			read, err := rowmerge.RowsOf(rec, p.trimmedKey(), nil)
			if err != nil {
				continue // a fault has dropped the key
			}
			for _, row := range read {
				keys[fmt.Sprint(row.Values)] = true
			}
		}
	}
	return problem.Rows(), int64(len(keys)) < problem.Rows(), faults
}
