package columnar_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/braidmerge/braid/columnar"
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

func TestUnequal(t *testing.T) {
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
		var twins, left []columnar.Twins
		var differ []uint32
		for at := range uint32(200) {
			a, b := rows[rng.IntN(len(rows))], rows[rng.IntN(len(rows))]
			pair := columnar.Twins{A: uint32(a), B: uint32(b), At: at}
			twins = append(twins, pair)
			if compareValues(l.values[a], l.values[b]) == 0 {
				left = append(left, pair)
			} else {
				differ = append(differ, at)
			}
		}
		gotLeft, gotDiffer := columnar.Unequal(l.pieces, l.owners(), twins, nil)
		if !slices.Equal(gotLeft, left) || !slices.Equal(gotDiffer, differ) {
			t.Fatalf("seed %d: left %v and differ %v, want %v and %v", seed, gotLeft, gotDiffer, left, differ)
		}
	})
}
