package columnar_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// benchKeys are texts as keys have them.
var benchKeys = []struct {
	name string
	text func(rng *rand.Rand, row int) string
}{
	{"letters3", func(rng *rand.Rand, _ int) string {
		return string([]byte{'A' + byte(rng.IntN(26)), 'A' + byte(rng.IntN(26)), 'A' + byte(rng.IntN(26))})
	}},
	{"words", func(rng *rand.Rand, row int) string {
		return fmt.Sprintf("%.*s.%d", 4+rng.IntN(12), "etaoinshrdlucmfw", row)
	}},
	{"uuid", func(rng *rand.Rand, _ int) string {
		x, y := rng.Uint64(), rng.Uint64()
		return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", x>>32, x>>16&0xffff, x&0xffff, y>>48, y&0xffffffffffff)
	}},
	{"url", func(_ *rand.Rand, row int) string {
		return fmt.Sprintf("https://shop-%03d.example.com/catalogue/item/%09d", row%100, row/100)
	}},
}

// BenchmarkStageText makes integers of all windows of a key of text that comes from eight runs.
func BenchmarkStageText(b *testing.B) {
	for _, key := range benchKeys {
		b.Run(key.name, func(b *testing.B) {
			builder := array.NewStringBuilder(memory.DefaultAllocator)
			rng := rand.New(rand.NewPCG(1, 1))
			for row := range benchRows {
				builder.Append(key.text(rng, row))
			}
			view, err := columnar.NewView(builder.NewArray().Data())
			if err != nil {
				b.Fatal(err)
			}
			c := benchColumn{arrow.BinaryTypes.String, view, view.Layout}
			shapes := c.shapes()
			out := make([]uint64, shapes[0].Room)
			var shape columnar.TextShape
			c.perRow(b, func(window int) { columnar.StageText(out, shapes[window].Pieces, 46, &shape) })
		})
	}
}
