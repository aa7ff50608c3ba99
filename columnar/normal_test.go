package columnar_test

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// pieceList is some rows of some arrays of one type, staged with gaps between them.
type pieceList struct {
	pieces []columnar.Piece
	room   int
	values map[int]any // by staged row
	arrays []arrow.Array
}

func newPieceList(t *testing.T, rng *rand.Rand, mem memory.Allocator, dt arrow.DataType) *pieceList {
	l := &pieceList{values: map[int]any{}}
	raws := randomRaws(rng, dt, 60)
	for range 1 + rng.IntN(4) {
		from := rng.IntN(len(raws))
		a := newArray(rng, mem, dt, raws[from:from+rng.IntN(len(raws)-from+1)])
		v := viewOf(t, a)
		p := columnar.Piece{View: &v, Start: l.room + rng.IntN(3)}
		p.From = rng.IntN(v.Rows + 1)
		p.To = p.From + rng.IntN(v.Rows-p.From+1)
		for row := p.From; row < p.To; row++ {
			l.values[p.Start+row-p.From] = valueOf(a, row)
		}
		l.pieces, l.room = append(l.pieces, p), p.Start+p.Rows()
		l.arrays = append(l.arrays, a)
	}
	return l
}

func (l *pieceList) release() {
	for _, a := range l.arrays {
		a.Release()
	}
}

// untouched is what the room of staged integers holds before.
const untouched = 0xdeadbeef

// room returns room for the staged rows and one more.
func (l *pieceList) newRoom() []uint64 {
	room := make([]uint64, l.room+1)
	for i := range room {
		room[i] = untouched
	}
	return room
}

// gapsUntouched says whether only staged rows have been written.
func (l *pieceList) gapsUntouched(room []uint64) bool {
	for row, x := range room {
		if _, staged := l.values[row]; !staged && x != untouched {
			return false
		}
	}
	return true
}

// forEachPieceList calls test with random pieces of every type.
func forEachPieceList(t *testing.T, types []arrow.DataType, test func(t *testing.T, seed uint64, l *pieceList)) {
	for _, dt := range types {
		t.Run(dt.String(), func(t *testing.T) {
			mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
			defer mem.AssertSize(t, 0)
			for seed := range uint64(60) {
				l := newPieceList(t, rand.New(rand.NewPCG(seed, 1)), mem, dt)
				test(t, seed, l)
				l.release()
			}
		})
	}
}

// checkOrder wants integers to be of the same order as values, the first deciding before the second and so on, and NULLs
// to be 0 in all but the first, which is the nullness.
func (l *pieceList) checkOrder(t *testing.T, seed uint64, integers ...[]uint64) {
	t.Helper()
	for _, room := range integers {
		if !l.gapsUntouched(room) {
			t.Fatalf("seed %d: a row outside the pieces has been written", seed)
		}
	}
	for i, x := range l.values {
		for k, room := range integers {
			if want := uint64(0); x == nil && room[i] != want {
				t.Fatalf("seed %d: integer %d of the NULL in row %d is %d", seed, k, i, room[i])
			}
		}
		for j, y := range l.values {
			got := 0
			for k := 0; k < len(integers) && got == 0; k++ {
				got = cmp.Compare(integers[k][i], integers[k][j])
			}
			if want := compareValues(x, y); got != want {
				t.Fatalf("seed %d: the integers of %v and %v compare %d, want %d", seed, x, y, got, want)
			}
		}
	}
}

func TestStageNormals(t *testing.T) {
	forEachPieceList(t, numberTypes, func(t *testing.T, seed uint64, l *pieceList) {
		nullness, normals := l.newRoom(), l.newRoom()
		columnar.StageNullness(nullness, l.pieces)
		columnar.StageNormals(normals, l.pieces)
		l.checkOrder(t, seed, nullness, normals)
	})
}

func TestStageDecimals(t *testing.T) {
	forEachPieceList(t, decimalTypes, func(t *testing.T, seed uint64, l *pieceList) {
		nullness, upper, lower := l.newRoom(), l.newRoom(), l.newRoom()
		columnar.StageNullness(nullness, l.pieces)
		columnar.StageDecimals(upper, lower, l.pieces)
		l.checkOrder(t, seed, nullness, upper, lower)
	})
}

func TestStageNullness(t *testing.T) {
	forEachPieceList(t, mergeTypes, func(t *testing.T, seed uint64, l *pieceList) {
		nullness := l.newRoom()
		columnar.StageNullness(nullness, l.pieces)
		for row, value := range l.values {
			want := uint64(1)
			if value == nil {
				want = 0
			}
			if nullness[row] != want {
				t.Fatalf("seed %d: row %d, %v, is %d, want %d", seed, row, value, nullness[row], want)
			}
		}
		if !l.gapsUntouched(nullness) {
			t.Fatalf("seed %d: a row outside the pieces has been written", seed)
		}
	})
}
