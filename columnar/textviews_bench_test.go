package columnar_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// BenchmarkStageViews is BenchmarkStage for columns of text that are put out as views, and BenchmarkTakeViews is
// BenchmarkTakeStaged.
func BenchmarkStageViews(b *testing.B) {
	eachText(b, func(b *testing.B, c benchColumn) {
		var s columnar.Staged
		shapes := c.shapes()
		c.perRow(b, func(window int) {
			if err := s.StageViews(shapes[window]); err != nil {
				b.Fatal(err)
			}
		})
	})
}

func BenchmarkTakeViews(b *testing.B) {
	eachText(b, func(b *testing.B, c benchColumn) {
		var s columnar.Staged
		if err := s.StageViews(c.shape(0)); err != nil {
			b.Fatal(err)
		}
		sel := c.mergeOrder()
		c.perRow(b, func(int) {
			s.TakeViews(arrow.BinaryTypes.StringView, sel, columnar.Validity{}, memory.DefaultAllocator).Release()
		})
	})
}

func eachText(b *testing.B, run func(*testing.B, benchColumn)) {
	eachColumn(b, func(b *testing.B, c benchColumn) {
		if !c.layout.IsText() {
			b.Skip()
		}
		run(b, c)
	})
}
