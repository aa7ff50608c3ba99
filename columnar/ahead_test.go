package columnar_test

import (
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// TestExpect makes sure that a column whose slices are short is asked for while another one is taken, all but its last part, and that one
// whose slices are long is not.
func TestExpect(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, dt := range []arrow.DataType{arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String} {
		column := func(runs, rows int) *staging {
			s := &staging{values: map[int]any{}}
			for range runs {
				v := viewOf(t, newArray(rng, memory.DefaultAllocator, dt, randomRaws(rng, dt, rows)))
				s.shape.Pieces = append(s.shape.Pieces, columnar.Piece{View: &v, To: v.Rows, Start: s.shape.Room})
				s.shape.Room += rows
			}
			for row := range s.shape.Room {
				s.rows = append(s.rows, uint32(row))
			}
			return s
		}
		short, long := column(8, 500), column(2, 2000)
		var scratch columnar.Staged
		take := func(s, next *staging) (before, after int) {
			if err := scratch.Stage(s.shape.Pieces[0].View.Layout, &s.shape); err != nil {
				t.Fatal(err)
			}
			scratch.Expect(&next.shape)
			before = scratch.Expected()
			data, err := scratch.Take(dt, s.rows, columnar.Validity{}, memory.DefaultAllocator)
			if err != nil {
				t.Fatal(err)
			}
			data.Release()
			return before, scratch.Expected()
		}
		if before, after := take(long, short); before < 4000 || after > before/10 {
			t.Errorf("%s: of %d bytes of short slices %d are not asked for", dt, before, after)
		}
		if before, _ := take(short, long); before != 0 {
			t.Errorf("%s: %d bytes of long slices are expected", dt, before)
		}
	}
}
