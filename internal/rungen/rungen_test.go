package rungen_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/internal/rungen"
	"github.com/braidmerge/braid/internal/testscale"
)

// generate makes the problem of s and releases it when the test ends, with nothing left in the allocator.
func generate(t *testing.T, s rungen.Spec) *rungen.Problem {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	p, err := rungen.Generate(mem, s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	t.Cleanup(func() {
		p.Release()
		mem.AssertSize(t, 0)
	})
	return p
}

// checkOrder fails if a run is not sorted, or has a key twice and says that it has not.
func checkOrder(t *testing.T, p *rungen.Problem) {
	t.Helper()
	for r, run := range p.Runs {
		rows := keyCells(p, run)
		for i := 1; i < len(rows); i++ {
			if c := compareKeys(rows[i-1], rows[i]); c > 0 || c == 0 && run.Unique {
				t.Fatalf("%s\nrun %d, row %d: order %d, unique %v", p.Description, r, i, c, run.Unique)
			}
		}
	}
}

func TestRunsOfEveryKeyTypeAreSorted(t *testing.T) {
	styles := []rungen.Style{rungen.Spread, rungen.Dense, rungen.Clusters, rungen.Steps, rungen.Short, rungen.Hex,
		rungen.Prefix, rungen.Late, rungen.Chain, rungen.Zeros, rungen.Long}
	for i, name := range rungen.TypeNames() {
		for j, style := range styles {
			for _, nulls := range []rungen.Nulls{rungen.NoNulls, rungen.FewNulls} {
				s := rungen.Spec{Seed: uint64(100*i + j), Rows: 400, Runs: 3, Shape: rungen.Interleaved, Repeats: j%2 == 0,
					Keys: []rungen.Column{{Type: name, Style: style, Nulls: nulls}}, Layout: rungen.Layout{Batch: "50"}}
				checkOrder(t, generate(t, s))
			}
		}
	}
}

func TestRunsOfEveryShapeAreSorted(t *testing.T) {
	for _, shape := range rungen.Shapes() {
		for _, share := range []rungen.Share{rungen.Even, rungen.Uneven, rungen.Skewed, rungen.Gaps} {
			for seed := range uint64(10) {
				s := rungen.Spec{Seed: seed, Rows: 700, Runs: 5, Shape: shape, Share: share, Repeats: seed%2 == 1,
					Keys: []rungen.Column{{Type: "int32"}, {Type: "utf8"}, {Type: "float64"}}[:1+seed%3]}
				p := generate(t, s)
				checkOrder(t, p)
				if rows := p.Rows(); rows < 300 || rows > 1000 {
					t.Errorf("%s: %d rows", s, rows)
				}
			}
		}
	}
}

func TestRandomSpecsMakeSortedRuns(t *testing.T) {
	for seed := range testscale.Seeds(t, 400) {
		s := rungen.Random(seed, 3000)
		if s.Fault == rungen.Unsorted || s.Fault == rungen.MissingKey {
			continue
		}
		checkOrder(t, generate(t, s))
	}
}

// TestCoverage wants every word of a spec among the specs that Random draws.
func TestCoverage(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(5000) {
		all.WriteString(rungen.Random(seed, 3000).String())
	}
	words := []string{"interleaved", "duplicates", "same", "disjoint", "touching", "stretches", "hot", "uneven", "skewed", "gaps",
		"clusters", "units", "small", "words", "rbm32", "rbm64", "theta", "hll", "marks", "run-marks", "prefix", "late", "chain", "zeros", "long", "valid", "few", "half", "many", "blocks", "byrun", "rising", "shaken",
		"falling", "overlap", "unknown", "extreme", "retracts", "padded", "shared", "tiny", "mixed", "unsorted", "null-key", "bad-kind",
		"bad-text", "null-text", "null-value", "missing-key", "other-type", "lost-column", "other-number",
		"first-row", "partial-update", "partial-update.remove-record-on-delete", "braid.strict", "ignore-update-before", "perhaps", "upsert"}
	for _, word := range append(words, rungen.TypeNames()...) {
		if !strings.Contains(all.String(), `"`+word+`"`) {
			t.Errorf("no spec has %q", word)
		}
	}
}

func TestSameSpecSameProblem(t *testing.T) {
	for seed := range testscale.Seeds(t, 200) {
		s := rungen.Random(seed, 500)
		again, err := rungen.Parse(s.String())
		if err != nil {
			t.Fatal(err)
		}
		p, q := generate(t, s), generate(t, again)
		if p.Description != q.Description || !p.Schema.Equal(q.Schema) || len(p.Runs) != len(q.Runs) {
			t.Fatalf("%s\n%s", p.Description, q.Description)
		}
		for r := range p.Runs {
			for i, rec := range p.Runs[r].Records {
				if !sameBits(rec, q.Runs[r].Records[i]) {
					t.Fatalf("%s: run %d, batch %d differs", p.Description, r, i)
				}
			}
		}
	}
}

// sameBits compares the texts of two records and, as texts show any NaN alike, their float cells bit for bit.
func sameBits(a, b arrow.Record) bool {
	if fmt.Sprint(a) != fmt.Sprint(b) {
		return false
	}
	for i, column := range a.Columns() {
		x, ok := column.(*array.Float64)
		for row := 0; ok && row < x.Len(); row++ {
			if math.Float64bits(x.Value(row)) != math.Float64bits(b.Column(i).(*array.Float64).Value(row)) {
				return false
			}
		}
	}
	return true
}

// cellText writes a cell. Arrow's own text of nested cells knows no NaN, and takes empty bytes for NULL where there are no others.
func cellText(a arrow.Array, i int) string {
	if a.IsNull(i) {
		return "NULL"
	}
	var parts []string
	switch a := a.(type) {
	case array.ListLike:
		from, to := a.ValueOffsets(i)
		for at := from; at < to; at++ {
			parts = append(parts, cellText(a.ListValues(), int(at)))
		}
	case *array.Struct:
		for f := range a.NumField() {
			parts = append(parts, cellText(a.Field(f), i))
		}
	default:
		return a.ValueStr(i)
	}
	return fmt.Sprint(parts)
}

// rowTexts writes the rows of a run, one text a row.
func rowTexts(r rungen.Run) []string {
	var rows []string
	for _, rec := range r.Records {
		for i := range int(rec.NumRows()) {
			var row strings.Builder
			for _, column := range rec.Columns() {
				row.WriteString(cellText(column, i) + "|")
			}
			rows = append(rows, row.String())
		}
	}
	return rows
}

func TestLayoutLeavesRowsAlone(t *testing.T) {
	for seed := range testscale.Seeds(t, 60) {
		s := rungen.Random(seed, 300)
		s.Layout = rungen.Layout{}
		want := generate(t, s)
		for _, layout := range []rungen.Layout{{Batch: "1"}, {Batch: "7", Arrays: rungen.Padded, EmptyBatches: true},
			{Batch: "mixed", Arrays: rungen.Shared}, {Batch: "tiny", EmptyBatches: true}, {Arrays: rungen.Padded}} {
			s.Layout = layout
			got := generate(t, s)
			for r := range want.Runs {
				if a, b := fmt.Sprint(rowTexts(want.Runs[r])), fmt.Sprint(rowTexts(got.Runs[r])); a != b {
					t.Fatalf("%s: run %d\n%.2000s\n%.2000s", s, r, a, b)
				}
			}
		}
	}
}

func TestLayouts(t *testing.T) {
	s := rungen.Spec{Rows: 100, Runs: 1, Keys: []rungen.Column{{}}, Values: []rungen.Column{{Nulls: rungen.AllValid}, {}},
		Layout: rungen.Layout{Batch: "7", Arrays: rungen.Padded, EmptyBatches: true}}
	p := generate(t, s)
	empty, moved := 0, 0
	for _, rec := range p.Runs[0].Records {
		switch {
		case rec.NumRows() == 0:
			empty++
		case rec.NumRows() > 7:
			t.Errorf("batch of %d rows", rec.NumRows())
		}
		if rec.Column(0).Data().Offset()%8 != 0 {
			moved++
		}
		if valid := rec.Column(1).Data().Buffers()[0]; valid == nil || rec.Column(1).NullN() != 0 {
			t.Error("a column that asks for a validity buffer has none, or NULLs")
		}
		if rec.Column(2).Data().Buffers()[0] != nil {
			t.Error("a column without NULLs has a validity buffer")
		}
	}
	if empty == 0 || moved == 0 {
		t.Errorf("%d empty batches, %d with an odd array offset", empty, moved)
	}
}

func TestKeep(t *testing.T) {
	s := rungen.Random(7, 600)
	s.Rows, s.Runs, s.Shape, s.Share, s.Fault = 300, 3, rungen.Interleaved, rungen.Even, rungen.NoFault
	whole := generate(t, s)
	s.Keep = [][][2]int{{{0, 2}, {5, 1000}}, nil, {}}
	kept := generate(t, s)
	if len(kept.Runs) != 2 || kept.Runs[1].Schema == nil || len(rowTexts(kept.Runs[1])) != 0 {
		t.Fatalf("%d runs stay, the last with %d rows", len(kept.Runs), len(rowTexts(kept.Runs[1])))
	}
	rows := rowTexts(whole.Runs[0])
	if want := fmt.Sprint(append(rows[:2:2], rows[5:]...)); fmt.Sprint(rowTexts(kept.Runs[0])) != want {
		t.Error("other rows stay than those asked for")
	}
}

func TestFewerColumnsSameRows(t *testing.T) {
	s := rungen.Spec{Seed: 5, Rows: 50, Runs: 2, Keys: []rungen.Column{{}}, Values: []rungen.Column{{Name: "a"}, {Name: "b", Type: "utf8"}}}
	both := generate(t, s)
	s.Values = s.Values[1:]
	one := generate(t, s)
	for i := range both.Runs {
		a, b := both.Runs[i].Records[0], one.Runs[i].Records[0]
		if !array.Equal(a.Column(0), b.Column(0)) || !array.Equal(a.Column(2), b.Column(1)) {
			t.Errorf("run %d: leaving a column out changes the others", i)
		}
	}
}

func TestShapesShareKeysAsTheySay(t *testing.T) {
	shared := func(shape rungen.Shape) int {
		p := generate(t, rungen.Spec{Seed: 3, Rows: 4000, Runs: 4, Shape: shape, Keys: []rungen.Column{{}}})
		seen := map[string]int{}
		n := 0
		for r, run := range p.Runs {
			for _, rec := range run.Records {
				for i := range int(rec.NumRows()) {
					key := rec.Column(0).ValueStr(i)
					if first, ok := seen[key]; ok && first != r {
						n++
						continue
					}
					seen[key] = r
				}
			}
		}
		return n
	}
	for shape, want := range map[rungen.Shape][2]int{rungen.Dealt: {0, 0}, rungen.Disjoint: {0, 0}, rungen.Touching: {0, 18},
		rungen.Interleaved: {100, 1500}, rungen.Duplicates: {2500, 3999}, rungen.Same: {3000, 3000}, rungen.Hot: {1500, 2600}} {
		if n := shared(shape); n < want[0] || n > want[1] {
			t.Errorf("shape %q: %d rows have the key of an earlier run, want %d to %d", shape, n, want[0], want[1])
		}
	}
}
