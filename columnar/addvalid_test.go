package columnar_test

import (
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// TestAddValid stages the validity of eight columns of one window in one byte a row.
func TestAddValid(t *testing.T) {
	everyTier(t, func(t *testing.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		defer mem.AssertSize(t, 0)
		var scratch columnar.Staged
		for seed := range uint64(50) {
			rng := rand.New(rand.NewPCG(seed, 4))
			var pieces []columnar.Piece // without views
			room := 0
			for range 1 + rng.IntN(6) {
				from, rows := rng.IntN(90), rng.IntN(200)
				pieces = append(pieces, columnar.Piece{From: from, To: from + rows, Start: room})
				if room += rows; rng.IntN(3) == 0 {
					room = (room+7)&^7 + columnar.Gap
				}
			}
			want := make([]byte, room)
			var staged []byte
			for column := range 8 {
				shape := &columnar.Shape{Room: room}
				for _, p := range pieces {
					a := someNull(rng, mem, p.To+rng.IntN(10))
					v := viewOf(t, a)
					for i := range p.Rows() {
						if !v.IsNull(p.From + i) {
							want[p.Start+i] |= 1 << column
						}
					}
					p.View = &v
					shape.Pieces = append(shape.Pieces, p)
					defer a.Release()
				}
				if column == 0 {
					staged = scratch.StageValid(shape)
				} else {
					scratch.AddValid(shape, column)
				}
			}
			for _, p := range pieces {
				for row := p.Start; row < p.Start+p.Rows(); row++ {
					if staged[row] != want[row] {
						t.Fatalf("seed %d: staged row %d has %08b, want %08b", seed, row, staged[row], want[row])
					}
				}
			}
		}
	})
}

// someNull makes an array of n rows: without NULLs, of NULLs alone, or of both.
func someNull(rng *rand.Rand, mem memory.Allocator, n int) arrow.Array {
	kind := rng.IntN(4)
	if kind == 0 {
		return array.NewNull(n)
	}
	b := array.NewInt8Builder(mem)
	defer b.Release()
	for range n {
		if kind == 1 || rng.IntN(2) == 0 {
			b.Append(1)
		} else {
			b.AppendNull()
		}
	}
	return b.NewArray()
}
