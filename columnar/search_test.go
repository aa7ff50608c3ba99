package columnar_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// keyColumns is the key columns of some rows, as arrays, views and values.
type keyColumns struct {
	arrays []arrow.Array
	views  []columnar.View
	values [][]any // by row
}

func newKeyColumns(t *testing.T, rng *rand.Rand, mem memory.Allocator, types []arrow.DataType, rows [][][]byte) *keyColumns {
	k := &keyColumns{values: make([][]any, len(rows))}
	for c, dt := range types {
		raws := make([][]byte, len(rows))
		for row := range rows {
			raws[row] = rows[row][c]
		}
		a := newArray(rng, mem, dt, raws)
		k.arrays, k.views = append(k.arrays, a), append(k.views, viewOf(t, a))
		for row, value := range valuesOf(a) {
			k.values[row] = append(k.values[row], value)
		}
	}
	return k
}

func (k *keyColumns) release() {
	for _, a := range k.arrays {
		a.Release()
	}
}

func compareRows(a, b []any) int {
	for c := range a {
		if d := compareValues(a[c], b[c]); d != 0 {
			return d
		}
	}
	return 0
}

// randomRows draws n rows of columns of the types.
func randomRows(rng *rand.Rand, types []arrow.DataType, n int) [][][]byte {
	rows := make([][][]byte, n)
	for _, dt := range types {
		for row, raw := range randomRaws(rng, dt, n) {
			rows[row] = append(rows[row], raw)
		}
	}
	return rows
}

// ascendingRows draws n rows in ascending order.
func ascendingRows(t *testing.T, rng *rand.Rand, types []arrow.DataType, n int) [][][]byte {
	rows := randomRows(rng, types, n)
	k := newKeyColumns(t, rng, memory.DefaultAllocator, types, rows)
	defer k.release()
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return compareRows(k.values[i], k.values[j]) })
	sorted := make([][][]byte, n)
	for i, row := range order {
		sorted[i] = rows[row]
	}
	return sorted
}

// keys are the types of single keys, and of some composite ones.
func keys(rng *rand.Rand) [][]arrow.DataType {
	var all [][]arrow.DataType
	for _, dt := range keyTypes {
		all = append(all, []arrow.DataType{dt})
	}
	for range 20 {
		key := []arrow.DataType{}
		for range 2 + rng.IntN(3) {
			key = append(key, keyTypes[rng.IntN(len(keyTypes))])
		}
		all = append(all, key)
	}
	return all
}

func TestLowerBound(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	for seed, types := range keys(rand.New(rand.NewPCG(1, 1))) {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		for _, n := range []int{0, 1, 2, 3, 8, 9, 10, 40, 300} {
			k := newKeyColumns(t, rng, mem, types, ascendingRows(t, rng, types, n))
			ends := newKeyColumns(t, rng, mem, types, randomRows(rng, types, 4))
			for range 100 {
				from := rng.IntN(n + 1)
				to := from + rng.IntN(n-from+1)
				guess := rng.IntN(n+21) - 10
				end, at := ends, rng.IntN(4)
				if n > 0 && rng.IntN(2) == 0 {
					end, at = k, rng.IntN(n)
				}
				want := from
				for want < to && compareRows(k.values[want], end.values[at]) < 0 {
					want++
				}
				if got := columnar.LowerBound(k.views, from, to, guess, end.views, at); got != want {
					t.Fatalf("seed %d, key %v: the bound of %v in rows [%d, %d) of %d, guess %d, is %d, want %d", seed, types,
						end.values[at], from, to, n, guess, got, want)
				}
			}
			k.release()
			ends.release()
		}
	}
}

// TestLowerBoundOfACopy looks for a key that is a copy, as the last key of a run is.
func TestLowerBoundOfACopy(t *testing.T) {
	for seed, types := range keys(rand.New(rand.NewPCG(1, 1))) {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		k := newKeyColumns(t, rng, memory.DefaultAllocator, types, ascendingRows(t, rng, types, 50))
		for row := range 50 {
			end := make([]columnar.View, len(types))
			for c := range end {
				k.views[c].CopyRow(&end[c], row)
			}
			want := row
			for want > 0 && compareRows(k.values[want-1], k.values[row]) == 0 {
				want--
			}
			if got := columnar.LowerBound(k.views, 0, 50, rng.IntN(50), end, 0); got != want {
				t.Fatalf("seed %d, key %v: the bound of a copy of row %d is %d, want %d", seed, types, row, got, want)
			}
		}
		k.release()
	}
}

func TestCompareKeys(t *testing.T) {
	for seed, types := range keys(rand.New(rand.NewPCG(2, 1))) {
		rng := rand.New(rand.NewPCG(uint64(seed), 4))
		a := newKeyColumns(t, rng, memory.DefaultAllocator, types, randomRows(rng, types, 30))
		b := newKeyColumns(t, rng, memory.DefaultAllocator, types, randomRows(rng, types, 30))
		for i, x := range a.values {
			for j, y := range b.values {
				if got, want := columnar.CompareKeys(a.views, i, b.views, j), compareRows(x, y); sign(got) != want {
					t.Fatalf("seed %d, key %v: %v and %v compare %d, want %d", seed, types, x, y, got, want)
				}
			}
		}
		a.release()
		b.release()
	}
}

func TestAscending(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	for seed, types := range keys(rand.New(rand.NewPCG(3, 1))) {
		rng := rand.New(rand.NewPCG(uint64(seed), 5))
		for range 30 {
			n := rng.IntN(40)
			rows := ascendingRows(t, rng, types, n)
			if n > 1 && rng.IntN(2) == 0 { // some fall
				i, j := rng.IntN(n), rng.IntN(n)
				rows[i], rows[j] = rows[j], rows[i]
			}
			k := newKeyColumns(t, rng, mem, types, rows)
			from := rng.IntN(n + 1)
			to := from + rng.IntN(n-from+1)
			wantFalls, wantRepeats := -1, false
			for row := from + 1; row < to && wantFalls < 0; row++ {
				switch c := compareRows(k.values[row-1], k.values[row]); {
				case c > 0:
					wantFalls = row
				case c == 0:
					wantRepeats = true
				}
			}
			if falls, repeats := columnar.Ascending(k.views, from, to); falls != wantFalls || repeats != wantRepeats {
				t.Fatalf("seed %d, key %v: rows [%d, %d) fall at %d, repeat %v, want %d, %v", seed, types, from, to, falls, repeats,
					wantFalls, wantRepeats)
			}
			k.release()
		}
	}
}
