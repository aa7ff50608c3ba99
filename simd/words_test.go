package simd_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/simd"
)

// idxBitsFor draws a number of index bits that has room for all staged rows.
func idxBitsFor(rng *rand.Rand, rows int) int {
	least := bits.Len(uint(rows))
	return least + rng.IntN(33-least)
}

// wordLists draws two ascending lists of words, all distinct.
func wordLists(rng *rand.Rand, na, nb int) (a, b []uint64) {
	n := na + nb
	all := make([]uint64, 0, n)
	step := uint64(1) // words without gaps
	if rng.IntN(2) == 0 {
		step += rng.Uint64N(math.MaxInt64/uint64(n+1) - 1)
	}
	for i := range n {
		all = append(all, uint64(i)*step+rng.Uint64N(step))
	}
	if n > 1 && rng.IntN(4) == 0 {
		all[0], all[n-1] = 0, math.MaxInt64
	}
	kind, stretch, ofA := rng.IntN(5), 1+rng.IntN(1+rng.IntN(300)), false
	for i, w := range all {
		toA := rng.IntN(n) < na
		switch kind {
		case 1: // the lists follow one another
			toA = i < na
		case 2:
			toA = i >= nb
		case 3: // in blocks
			toA = i/(1+rng.IntN(40))%2 == 0
		case 4: // in stretches, but for the middle
			if i/(n/3+1) == 1 || rng.IntN(stretch) == 0 {
				ofA = toA
			}
			toA = ofA
		}
		if toA && len(a) < na || len(b) == nb {
			a = append(a, w)
		} else {
			b = append(b, w)
		}
	}
	return a, b
}

func TestMergeWords(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		as, bs, outs := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 2<<20)
		merge := func(na, nb int, try uint64) {
			t.Helper()
			rng := rand.New(rand.NewPCG(uint64(na)<<32|uint64(nb), try))
			listA, listB := wordLists(rng, na, nb)
			a, b := fencedCopy(as, listA), fencedCopy(bs, listB)
			want := append(slices.Clone(listA), listB...)
			slices.Sort(want)
			got := fenced[uint64](outs, na+nb)
			simd.MergeWords(got, a, b)
			if !slices.Equal(got, want) || !outs.intact() {
				t.Fatalf("lists of %d and %d words, seed %d: word %d differs", na, nb, try, firstDifference(got, want))
			}
			if !slices.Equal(a, listA) || !slices.Equal(b, listB) {
				t.Fatalf("lists of %d and %d words, seed %d: the lists have changed", na, nb, try)
			}
		}
		for na := range 201 {
			for _, nb := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 17, 31, 64, 200} {
				merge(na, nb, 0)
				merge(nb, na, 1)
			}
		}
		for try := range uint64(500) {
			merge(1000+int(try%100), 1100, try)
		}
		for _, n := range []int{4095, 4096, 70_001} {
			for _, few := range []int{0, 1, 2, 3, 5, 100, n / 30, n / 3, n} {
				for try := range uint64(4) {
					merge(n, few, try)
					merge(few, n, try+4)
				}
			}
		}
	})
}

// TestMergeWordsInOneAllocation merges as the rounds of a cascade do, out of one end of an allocation into the other, and
// wants the words around the output as they were.
func TestMergeWordsInOneAllocation(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		for n := range 201 {
			rng := rand.New(rand.NewPCG(uint64(n), 4))
			na := rng.IntN(n + 1)
			a, b := wordLists(rng, na, n-na)
			lists := append(slices.Clone(a), b...)
			arena := slices.Concat(lists, []uint64{11, 22}, make([]uint64, n), []uint64{33, 44})
			simd.MergeWords(arena[n+2:2*n+2], arena[:na], arena[na:n])
			want := slices.Clone(lists)
			slices.Sort(want)
			if got := arena[n+2 : 2*n+2]; !slices.Equal(got, want) {
				t.Fatalf("seed %d: %d and %d words: word %d differs", n, na, n-na, firstDifference(got, want))
			}
			if !slices.Equal(arena[:n], lists) || arena[n] != 11 || arena[n+1] != 22 || arena[2*n+2] != 33 || arena[2*n+3] != 44 {
				t.Fatalf("seed %d: %d and %d words: words outside the output have changed", n, na, n-na)
			}
		}
	})
}

// TestStretchesAreSeen deals words to two lists in stretches of various lengths, and wants long ones to be seen, and nothing where a word's list
// does not depend on the one before it.
func TestStretchesAreSeen(t *testing.T) {
	for _, c := range []struct{ words, share, stretch, least, most int }{
		{30_000, 2, 1, 0, 5}, {30_000, 10, 1, 0, 5}, {30_000, 100, 1, 0, 5}, {2048, 2, 1, 0, 5},
		{30_000, 2, 100, 80, 100}, {30_000, 10, 100, 80, 100}, {2048, 2, 50, 60, 100}, {1024, 2, 100, 0, 0},
	} {
		seen := 0
		for seed := range uint64(100) {
			rng := rand.New(rand.NewPCG(seed, uint64(c.words)))
			var few, many []uint64
			toFew := false
			for i := range uint64(c.words) {
				if rng.IntN(c.stretch) == 0 {
					toFew = rng.IntN(c.share) == 0
				}
				if toFew {
					few = append(few, i)
				} else {
					many = append(many, i)
				}
			}
			if len(few) > len(many) {
				few, many = many, few
			}
			if simd.HasStretches(few, many) {
				seen++
			}
		}
		if seen < c.least || seen > c.most {
			t.Errorf("%d words, 1 in %d, stretches of %d: seen in %d of 100, want %d to %d", c.words, c.share, c.stretch, seen, c.least, c.most)
		}
	}
}

// wordProblem is a window of words in merged order with the slack behind them.
type wordProblem struct {
	words   []uint64 // n and 64 more
	ends    []bool   // of the n
	idxBits int
}

// newWordProblem draws n words of keys that have a few rows each, and behind them a word of a later key and then anything.
func newWordProblem(rng *rand.Rand, n int) wordProblem {
	p := wordProblem{idxBits: idxBitsFor(rng, n), ends: make([]bool, n)}
	most := uint64(math.MaxUint64) >> p.idxBits
	group := []int{1, 2, 3, 10, 100, math.MaxInt}[rng.IntN(6)]
	step := uint64(1)
	if rng.IntN(2) == 0 {
		step = max(1, most/uint64(n+2))
	}
	key := uint64(0)
	if step == 1 && rng.IntN(2) == 0 {
		key = most - uint64(n) - 1
	}
	row := 0
	for i := range n {
		p.words = append(p.words, key<<p.idxBits|uint64(row))
		if row++; i == n-1 || rng.IntN(group) == 0 {
			p.ends[i] = true
			key += 1 + rng.Uint64N(step)
			row = rng.IntN(1 << p.idxBits >> 1)
			row = min(row, 1<<p.idxBits-n)
		}
	}
	p.words = append(p.words, key<<p.idxBits|rng.Uint64N(1<<p.idxBits))
	for range 63 {
		p.words = append(p.words, rng.Uint64())
	}
	return p
}

func TestGroupEnds(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		ws, outs := newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for try := range uint64(3) {
				rng := rand.New(rand.NewPCG(uint64(n), try))
				p := newWordProblem(rng, n)
				want, groups := maskOf(p.ends), count(p.ends)
				got := fenced[uint64](outs, (n+63)/64)
				if found := simd.GroupEnds(got, fencedCopy(ws, p.words), n, p.idxBits); found != groups {
					t.Fatalf("seed %d, %d: GroupEnds of %d words finds %d, want %d", n, try, n, found, groups)
				}
				if !slices.Equal(got, want) || !outs.intact() {
					t.Fatalf("seed %d, %d: GroupEnds of %d words: element %d differs", n, try, n, firstDifference(got, want))
				}
			}
		}
	})
}

func TestSelectEnds(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		ws, outs := newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for try := range uint64(3) {
				rng := rand.New(rand.NewPCG(uint64(n), try))
				p := newWordProblem(rng, n)
				want := p.selected(p.ends)
				sel := fenced[uint32](outs, n+1)
				m := simd.SelectEnds(sel, fencedCopy(ws, p.words), n, p.idxBits)
				if !slices.Equal(sel[:m], want) || !outs.intact() {
					t.Fatalf("seed %d, %d: SelectEnds of %d words gives %d rows, want %d; row %d differs", n, try, n, m, len(want),
						firstDifference(sel[:m], want))
				}
			}
		}
	})
}

func TestSelectEndsKeys(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		ws, outs, keyOuts := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			rng := rand.New(rand.NewPCG(uint64(n), 9))
			p := newWordProblem(rng, n)
			want := p.selected(p.ends)
			sel, keys := fenced[uint32](outs, n+1), fenced[uint64](keyOuts, n+1)
			m := simd.SelectEndsKeys(sel, keys, fencedCopy(ws, p.words), n, p.idxBits)
			if !slices.Equal(sel[:m], want) || !outs.intact() || !keyOuts.intact() {
				t.Fatalf("seed %d: %d rows of %d words, want %d", n, m, n, len(want))
			}
			at := 0
			for i := range n {
				if !p.ends[i] {
					continue
				}
				if got, want := keys[at], p.words[i]>>p.idxBits; got != want {
					t.Fatalf("seed %d: key %d is %d, want %d", n, at, got, want)
				}
				at++
			}
		}
	})
}

func TestSelectBits(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		ws, outs := newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for try := range uint64(3) {
				rng := rand.New(rand.NewPCG(uint64(n), try))
				p := newWordProblem(rng, n)
				pick := make([]bool, n)
				density := []float64{0, 0.02, 0.5, 1}[rng.IntN(4)]
				for i := range pick {
					pick[i] = rng.Float64() < density
				}
				want := p.selected(pick)
				sel := fenced[uint32](outs, len(want))
				m := simd.SelectBits(sel, maskOf(pick), fencedCopy(ws, p.words[:n]), p.idxBits)
				if m != len(want) || !slices.Equal(sel, want) || !outs.intact() {
					t.Fatalf("seed %d, %d: SelectBits of %d words gives %d rows, want %d; row %d differs", n, try, n, m, len(want),
						firstDifference(sel, want))
				}
			}
		}
	})
}

// TestSelect brings rows, and numbers of rows, into the order of words.
func TestSelect(t *testing.T) {
	ws, outs, numbers := newFence(t, 1<<20), newFence(t, 1<<20), newFence(t, 1<<20)
	for _, n := range lengths() {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		p := newWordProblem(rng, n)
		all := make([]bool, n)
		for i := range all {
			all[i] = true
		}
		want := p.selected(all)
		sel := fenced[uint32](outs, n)
		if simd.Select(sel, fencedCopy(ws, p.words[:n]), p.idxBits); !slices.Equal(sel, want) || !outs.intact() {
			t.Fatalf("Select of %d words: row %d differs", n, firstDifference(sel, want))
		}
		most := uint32(0)
		for _, row := range want {
			most = max(most, row)
		}
		if most > 1<<17 {
			continue // the fence has no room for so many staged rows
		}
		staged := fenced[uint32](numbers, int(most)+1)
		for i := range staged {
			staged[i] = rng.Uint32()
		}
		for i, row := range want {
			want[i] = staged[row]
		}
		merged := fenced[uint32](outs, n)
		if simd.MergeNumbers(merged, staged, fencedCopy(ws, p.words[:n]), p.idxBits); !slices.Equal(merged, want) || !outs.intact() {
			t.Fatalf("MergeNumbers of %d words: row %d differs", n, firstDifference(merged, want))
		}
	}
}

// TestReselect draws two masks with a bit in the same keys, one of them never later than the other.
func TestReselect(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		ws, outs := newFence(t, 1<<20), newFence(t, 1<<20)
		for _, n := range lengths() {
			for try := range uint64(3) {
				rng := rand.New(rand.NewPCG(uint64(n), try))
				p := newWordProblem(rng, n)
				rows, pick := make([]bool, n), make([]bool, n)
				start := 0
				for i, end := range p.ends {
					if !end {
						continue
					}
					if rng.IntN(8) > 0 { // the key has a result
						row := start + rng.IntN(i+1-start)
						rows[row] = true
						pick[start+rng.IntN(row+1-start)] = true
					}
					start = i + 1
				}
				want := p.selected(pick)
				got := fenced[uint32](outs, len(want))
				simd.Reselect(got, p.selected(rows), maskOf(pick), maskOf(rows), fencedCopy(ws, p.words[:n]), p.idxBits)
				if !slices.Equal(got, want) || !outs.intact() {
					t.Fatalf("seed %d, %d: Reselect of %d words: row %d differs", n, try, n, firstDifference(got, want))
				}
			}
		}
	})
}

// selected returns the staged rows of the words that are picked.
func (p *wordProblem) selected(pick []bool) []uint32 {
	sel := []uint32{}
	for i, picked := range pick {
		if picked {
			sel = append(sel, uint32(p.words[i]%(1<<p.idxBits)))
		}
	}
	return sel
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

func count(set []bool) int {
	n := 0
	for _, s := range set {
		if s {
			n++
		}
	}
	return n
}
