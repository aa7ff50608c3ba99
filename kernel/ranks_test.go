package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/columnar"
)

// staged is a window of two pieces with a gap between, and integers for its rows.
func staged(rng *rand.Rand, value func() uint64) (w *window, pieces []columnar.Piece, f *keyField) {
	w, f = &window{}, &keyField{normals: make([]uint64, 700), bits: 64}
	for start := range 2 {
		rows := 1 + rng.IntN(300)
		at := start * 350
		w.pieces = append(w.pieces, piece{to: rows, start: at})
		pieces = append(pieces, columnar.Piece{To: rows, Start: at})
		for i := range rows {
			f.normals[at+i] = value()
		}
	}
	return w, pieces, f
}

// inOrder says whether integers compare like those they come from.
func inOrder(w *window, before, after []uint64) bool {
	rows := make([]int, 0, len(before))
	for _, p := range w.pieces {
		for row := range p.to {
			rows = append(rows, p.start+row)
		}
	}
	slices.SortFunc(rows, func(i, j int) int {
		if before[i] < before[j] {
			return -1
		}
		return 1
	})
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		if (before[a] == before[b]) != (after[a] == after[b]) || after[a] > after[b] {
			return false
		}
	}
	return true
}

func TestRanks(t *testing.T) {
	var r ranks
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		values := make([]uint64, 1+rng.IntN(400))
		for i := range values {
			values[i] = rng.Uint64() >> rng.IntN(60)
		}
		w, _, f := staged(rng, func() uint64 { return values[rng.IntN(len(values))] })
		before := slices.Clone(f.normals)
		distinct := map[uint64]bool{}
		for _, p := range w.pieces {
			for _, x := range before[p.start : p.start+p.to] {
				distinct[x] = true
			}
		}
		done := r.rank(w, f)
		switch {
		case done != (len(distinct) <= maxRanks):
			t.Fatalf("seed %d: %d values are ranked: %v", seed, len(distinct), done)
		case !done && !slices.Equal(before, f.normals):
			t.Fatalf("seed %d: integers that are not ranked have changed", seed)
		case done && !inOrder(w, before, f.normals):
			t.Fatalf("seed %d: ranks are not of the order of the integers", seed)
		case done && slices.Max(f.normals)>>f.bits != 0:
			t.Fatalf("seed %d: ranks have more than %d bits", seed, f.bits)
		case !done && r.rank(w, f):
			t.Fatalf("seed %d: integers of too many values are looked at again at once", seed)
		}
	}
}

func TestDivide(t *testing.T) {
	divided := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		unit := odd(1 + rng.Uint64N(2000))
		least, shift, width := rng.Uint64()>>1, rng.IntN(10), 1+rng.Uint64N(1<<40)
		stray := rng.IntN(2) == 0
		w, pieces, f := staged(rng, func() uint64 {
			x := rng.Uint64N(width) * unit << shift
			if stray && rng.IntN(300) == 0 {
				x += 1 << shift
			}
			return least + x
		})
		f.least, f.shift = least, shift
		most := uint64(0)
		for _, p := range w.pieces {
			for _, x := range f.normals[p.start : p.start+p.to] {
				most = max(most, (x-least)>>shift)
			}
		}
		before := slices.Clone(f.normals)
		found := f.unit(pieces)
		if found == 0 {
			continue // all are the least
		}
		multiples := true
		for _, p := range w.pieces {
			for _, x := range before[p.start : p.start+p.to] {
				multiples = multiples && (x-least)>>shift%found == 0
			}
		}
		done := f.divide(pieces, found, most)
		switch {
		case done != multiples:
			t.Fatalf("seed %d: divided by %d: %v, all are multiples: %v", seed, found, done, multiples)
		case !done && !slices.Equal(before, f.normals):
			t.Fatalf("seed %d: integers that are not divided have changed", seed)
		case done && !inOrder(w, before, f.normals):
			t.Fatalf("seed %d: quotients are not of the order of the integers", seed)
		case done && slices.Max(f.normals) > most/found:
			t.Fatalf("seed %d: a quotient of %d", seed, slices.Max(f.normals))
		}
		if done && found > 1 {
			divided++
		}
	}
	if divided < 50 {
		t.Errorf("only %d problems divided", divided)
	}
}
