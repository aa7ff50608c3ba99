package aggfuncs_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/internal/cputier"
)

// groups is a window of rows in merged order, one bool a row.
type groups struct {
	ends   []bool // the row is the last of its key
	counts []bool
	valid  []bool
}

func newGroups(rng *rand.Rand) groups {
	n := 1 + rng.IntN(300)
	meanGroup, counting, valid := 1+rng.IntN(100), rng.Float64()*1.2, rng.Float64()
	var g groups
	for i := range n {
		g.ends = append(g.ends, i == n-1 || rng.IntN(meanGroup) == 0)
		g.counts = append(g.counts, rng.Float64() < counting)
		g.valid = append(g.valid, rng.Float64() < valid)
	}
	return g
}

// pick chooses a row of every key as the rule says, row by row.
func (g *groups) pick(p aggfuncs.Pick) []bool {
	picked := make([]bool, len(g.ends))
	first, last, value := -1, -1, -1 // of the key at hand
	for i, end := range g.ends {
		if g.counts[i] {
			if last = i; first < 0 {
				first = i
			}
			if g.valid[i] {
				value = i
			}
		}
		if !end {
			continue
		}
		row := last
		switch {
		case p == aggfuncs.FirstRow:
			row = first
		case p == aggfuncs.LastNonNull && value >= 0:
			row = value
		}
		if row >= 0 {
			picked[row] = true
		}
		first, last, value = -1, -1, -1
	}
	return picked
}

func maskOf(set []bool) []uint64 {
	mask := make([]uint64, (len(set)+63)/64)
	for i, s := range set {
		if s {
			mask[i/64] |= 1 << (i % 64)
		}
	}
	return mask
}

// everyTier runs a test under every tier of this build on this processor.
func everyTier(t *testing.T, test func(t *testing.T)) {
	for _, tier := range cputier.All() {
		t.Run(tier.String(), func(t *testing.T) {
			restore, err := cputier.Set(tier)
			if err != nil {
				t.Fatal(err)
			}
			defer restore()
			test(t)
		})
	}
}

func TestRows(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		for seed := range uint64(5000) {
			g := newGroups(rand.New(rand.NewPCG(seed, 1)))
			counts, ends := maskOf(g.counts), maskOf(g.ends)
			for i := range g.valid {
				g.valid[i] = true // Rows is for columns without NULLs
			}
			for _, p := range []aggfuncs.Pick{aggfuncs.LastRow, aggfuncs.FirstRow, aggfuncs.LastNonNull} {
				want := maskOf(g.pick(p))
				got := make([]uint64, len(want))
				p.Rows(got, counts, ends)
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d: %s: %b, want %b", seed, p, got, want)
				}
				inPlace := slices.Clone(counts)
				p.Rows(inPlace, inPlace, ends)
				if !slices.Equal(inPlace, want) {
					t.Fatalf("seed %d: %s, in place: %b, want %b", seed, p, inPlace, want)
				}
				if !slices.Equal(counts, maskOf(g.counts)) || !slices.Equal(ends, maskOf(g.ends)) {
					t.Fatalf("seed %d: %s changes its masks", seed, p)
				}
			}
		}
	})
}

func TestLastValues(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		for seed := range uint64(10_000) {
			g := newGroups(rand.New(rand.NewPCG(seed, 2)))
			ends := maskOf(g.ends)
			rows := make([]uint64, len(ends))
			aggfuncs.LastNonNull.Rows(rows, maskOf(g.counts), ends)
			has := maskOf(g.counts)
			for i, v := range maskOf(g.valid) {
				has[i] &= v
			}
			want := maskOf(g.pick(aggfuncs.LastNonNull))
			got := make([]uint64, len(want))
			aggfuncs.LastValues(got, has, rows, ends)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: LastValues: %b, want %b", seed, got, want)
			}
			aggfuncs.LastValues(has, has, rows, ends)
			if !slices.Equal(has, want) {
				t.Fatalf("seed %d: LastValues, in place: %b, want %b", seed, has, want)
			}
			if lastRows := maskOf(g.pick(aggfuncs.LastRow)); !slices.Equal(rows, lastRows) {
				t.Fatalf("seed %d: LastValues has changed rows", seed)
			}
		}
	})
}

// TestPackageExample is the table of the package comment.
func TestPackageExample(t *testing.T) {
	const ends, counts, valid = 0b100100, 0b110111, 0b001011
	for _, c := range []struct {
		pick aggfuncs.Pick
		want uint64
	}{
		{aggfuncs.LastRow, 0b100100},
		{aggfuncs.FirstRow, 0b010001},
		{aggfuncs.LastNonNull, 0b100010},
	} {
		got := []uint64{0}
		c.pick.Rows(got, []uint64{counts}, []uint64{ends})
		if c.pick == aggfuncs.LastNonNull {
			rows := slices.Clone(got)
			aggfuncs.LastValues(got, []uint64{counts & valid}, rows, []uint64{ends})
		}
		if got[0] != c.want {
			t.Errorf("%s: %06b, want %06b", c.pick, got[0], c.want)
		}
	}
}

func TestPickString(t *testing.T) {
	for p, want := range map[aggfuncs.Pick]string{
		aggfuncs.LastRow:     "last row",
		aggfuncs.FirstRow:    "first row",
		aggfuncs.LastNonNull: "last value that is not NULL",
		200:                  "Pick(200)",
	} {
		if got := p.String(); got != want {
			t.Errorf("pick %d is %q, want %q", uint8(p), got, want)
		}
	}
}
