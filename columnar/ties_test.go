package columnar_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
)

// owners returns the first piece that has one of every eight staged rows.
func (l *pieceList) owners() columnar.Owners {
	owners := make(columnar.Owners, l.room>>3+1)
	for i := range owners {
		for owners[i] < int32(len(l.pieces)) {
			if p := &l.pieces[owners[i]]; p.Start+p.Rows() > i<<3 {
				break
			}
			owners[i]++
		}
	}
	return owners
}

// tied are ties of pairs of staged rows, in no order.
func tied(pairs [][2]uint32) *simd.Ties {
	ties := &simd.Ties{IdxMask: 1<<32 - 1}
	for i, pair := range pairs {
		ties.Words = append(ties.Words, uint64(i)<<32|uint64(pair[0]), uint64(i)<<32|uint64(pair[1]))
		ties.At = append(ties.At, uint32(2*i+1))
	}
	return ties
}

// TestUnequal compares values where pieces have them, and located ones.
func TestUnequal(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		var scratch columnar.Staged
		forEachPieceList(t, append(slices.Concat(numberTypes, decimalTypes), textTypes...), func(t *testing.T, seed uint64, l *pieceList) {
			var rows []int
			for row := range l.values {
				rows = append(rows, row)
			}
			slices.Sort(rows)
			if len(rows) == 0 {
				return
			}
			rng := rand.New(rand.NewPCG(seed, 3))
			var pairs [][2]uint32
			var left, differ []uint32
			nulls := false
			for i := range uint32(200) {
				a, b := rows[rng.IntN(len(rows))], rows[rng.IntN(len(rows))]
				pairs = append(pairs, [2]uint32{uint32(a), uint32(b)})
				if compareValues(l.values[a], l.values[b]) == 0 {
					left = append(left, 2*i+1)
				} else {
					differ = append(differ, 2*i+1)
				}
			}
			for _, p := range l.pieces {
				nulls = nulls || p.View.Nulls > 0
			}
			gotLeft, gotDiffer := columnar.Unequal(l.pieces, l.owners(), tied(pairs), nil)
			if !slices.Equal(gotLeft, left) || !slices.Equal(gotDiffer, differ) {
				t.Fatalf("seed %d: left %v and differ %v, want %v and %v", seed, gotLeft, gotDiffer, left, differ)
			}
			v := l.pieces[0].View
			if nulls || !columnar.EqualBytes(v) {
				return
			}
			if err := scratch.Stage(v.Layout, &columnar.Shape{Pieces: l.pieces, Room: l.room, InPlace: true}); err != nil {
				t.Fatal(err)
			}
			gotLeft, gotDiffer = scratch.Unequal(tied(pairs), 0, nil)
			if !slices.Equal(gotLeft, left) || !slices.Equal(gotDiffer, differ) {
				t.Fatalf("seed %d, located: left %v and differ %v, want %v and %v", seed, gotLeft, gotDiffer, left, differ)
			}
		})
	})
}
