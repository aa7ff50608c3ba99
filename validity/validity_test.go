package validity_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/validity"
)

// problem is a random set of groups over n rows with a valid mask of some density.
func problem(rng *rand.Rand) (n int, ends, valid []uint64) {
	n = 1 + rng.IntN(300)
	ends, valid = make([]uint64, validity.Words(n)), make([]uint64, validity.Words(n))
	meanGroup, density := 1+rng.IntN(100), rng.Float64()
	for i := range n {
		if i == n-1 || rng.IntN(meanGroup) == 0 {
			validity.Set(ends, i)
		}
		if rng.Float64() < density {
			validity.Set(valid, i)
		}
	}
	return n, ends, valid
}

// groups lists the rows [from, to) of every group.
func groups(n int, ends []uint64) (g [][2]int) {
	from := 0
	for i := range n {
		if validity.Get(ends, i) {
			g = append(g, [2]int{from, i + 1})
			from = i + 1
		}
	}
	return g
}

func TestPicks(t *testing.T) {
	for seed := range uint64(20000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n, ends, valid := problem(rng)
		words := len(ends)
		last, first, has, full := make([]uint64, words), make([]uint64, words), make([]uint64, words), make([]uint64, words)
		for _, g := range groups(n, ends) {
			picked := false
			for i := g[0]; i < g[1]; i++ {
				if validity.Get(valid, i) && !picked {
					validity.Set(first, i)
					picked = true
				}
			}
			for i := g[1] - 1; i >= g[0] && picked; i-- {
				if validity.Get(valid, i) {
					validity.Set(last, i)
					validity.Set(full, i)
					break
				}
			}
			if picked {
				validity.Set(has, g[1]-1)
			} else {
				validity.Set(full, g[1]-1)
			}
		}
		got := make([]uint64, words)
		validity.LastValid(got, valid, ends)
		check(t, seed, "LastValid", got, last)
		hits := make([]uint64, words)
		validity.Hits(hits, got, ends)
		check(t, seed, "Hits", hits, has)
		validity.OrEnds(got, ends)
		check(t, seed, "OrEnds", got, full)
		validity.FirstValid(got, valid, ends)
		check(t, seed, "FirstValid", got, first)
	}
}

func check(t *testing.T, seed uint64, what string, got, want []uint64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("seed %d: %s is %b, want %b", seed, what, got, want)
	}
}

func TestMasks(t *testing.T) {
	for seed := range uint64(5000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n, ends, mask := problem(rng)
		words := len(mask)
		rows := make([]bool, n)
		count := 0
		for i := range rows {
			rows[i] = validity.Get(mask, i)
			if rows[i] {
				count++
			}
		}
		if got := validity.Count(mask); got != count {
			t.Fatalf("seed %d: Count is %d, want %d", seed, got, count)
		}
		if got := validity.Any(mask); got != (count > 0) {
			t.Fatalf("seed %d: Any is %v with %d bits", seed, got, count)
		}
		at := rng.IntN(n)
		if got, want := validity.Next(mask, at), indexFrom(rows, at); got != want {
			t.Fatalf("seed %d: Next(%d) is %d, want %d", seed, at, got, want)
		}
		if got, want := validity.Prev(mask, at), lastIndexBefore(rows, at); got != want {
			t.Fatalf("seed %d: Prev(%d) is %d, want %d", seed, at, got, want)
		}
		single, starts := make([]uint64, words), make([]uint64, words)
		for _, g := range groups(n, ends) {
			validity.Set(starts, g[0])
			if g[1]-g[0] == 1 {
				validity.Set(single, g[0])
			}
		}
		got := make([]uint64, words)
		validity.Singles(got, ends)
		check(t, seed, "Singles", got, single)
		validity.Starts(got, ends, n)
		check(t, seed, "Starts", got, starts)
		from := rng.IntN(n)
		to := from + rng.IntN(n-from+1)
		cleared := slices.Clone(mask)
		validity.ClearRange(cleared, from, to)
		for i := range n {
			if want := rows[i] && (i < from || i >= to); validity.Get(cleared, i) != want {
				t.Fatalf("seed %d: ClearRange(%d, %d): row %d is %v", seed, from, to, i, !want)
			}
		}
		validity.Fill(got, n)
		if validity.Count(got) != n {
			t.Fatalf("seed %d: Fill(%d) sets %d", seed, n, validity.Count(got))
		}
	}
}

// TestCompress brings the bits of random masks together.
func TestCompress(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 5))
		n, mask, src := problem(rng)
		if seed%5 == 0 {
			validity.Fill(mask, n)
		}
		var want []bool
		for row := range n {
			if validity.Get(mask, row) {
				want = append(want, validity.Get(src, row))
			}
		}
		dst := make([]byte, (len(want)+7)/8)
		ones, set := validity.Compress(dst, src, mask), 0
		for i, bit := range want {
			if bit {
				set++
			}
			if got := dst[i>>3]>>(i&7)&1 != 0; got != bit {
				t.Fatalf("seed %d: bit %d is %v", seed, i, got)
			}
		}
		if ones != set {
			t.Errorf("seed %d: %d bits are counted, want %d", seed, ones, set)
		}
	}
}

func indexFrom(rows []bool, from int) int {
	if i := slices.Index(rows[from:], true); i >= 0 {
		return from + i
	}
	return -1
}

func lastIndexBefore(rows []bool, to int) int {
	for i := to - 1; i >= 0; i-- {
		if rows[i] {
			return i
		}
	}
	return -1
}

func TestBitmapRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	bitmap := make([]byte, 64)
	for i := range bitmap {
		bitmap[i] = byte(rng.Uint32())
	}
	for from := range 200 {
		want := 0
		for n := range 512 - from {
			if got := validity.CountRange(bitmap, from, n); got != want {
				t.Fatalf("CountRange(%d, %d) is %d, want %d", from, n, got, want)
			}
			want += int(bitmap[(from+n)>>3] >> ((from + n) & 7) & 1)
		}
	}
}
