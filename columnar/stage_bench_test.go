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

const (
	stageRuns   = 8
	stageWindow = 1 << 16
)

// benchColumns are columns by layout: what fills them, of benchRows rows.
var benchColumns = []struct {
	name   string
	t      arrow.DataType
	append func(b array.Builder, rng *rand.Rand)
}{
	{"bool", arrow.FixedWidthTypes.Boolean, func(b array.Builder, rng *rand.Rand) { b.(*array.BooleanBuilder).Append(rng.Uint32()&1 == 0) }},
	{"int32", arrow.PrimitiveTypes.Int32, func(b array.Builder, rng *rand.Rand) { b.(*array.Int32Builder).Append(rng.Int32()) }},
	{"int64", arrow.PrimitiveTypes.Int64, func(b array.Builder, rng *rand.Rand) { b.(*array.Int64Builder).Append(rng.Int64()) }},
	{"binary20", &arrow.FixedSizeBinaryType{ByteWidth: 20}, func(b array.Builder, rng *rand.Rand) {
		b.(*array.FixedSizeBinaryBuilder).Append(fmt.Appendf(nil, "%020d", rng.Uint64()))
	}},
	{"text13", arrow.BinaryTypes.String, func(b array.Builder, rng *rand.Rand) {
		b.(*array.StringBuilder).Append(fmt.Sprintf("val-%09d", rng.IntN(1e9)))
	}},
	{"text100", arrow.BinaryTypes.String, func(b array.Builder, rng *rand.Rand) {
		b.(*array.StringBuilder).Append(fmt.Sprintf("%0100d", rng.Uint64()))
	}},
	{"list4", arrow.ListOf(arrow.PrimitiveTypes.Int64), func(b array.Builder, rng *rand.Rand) {
		l := b.(*array.ListBuilder)
		l.Append(true)
		for range 4 {
			l.ValueBuilder().(*array.Int64Builder).Append(rng.Int64())
		}
	}},
}

// BenchmarkStage stages all windows of a column that comes from eight runs, and BenchmarkTakeStaged takes every row of each in the order of
// a merge.
func BenchmarkStage(b *testing.B) {
	eachColumn(b, func(b *testing.B, c benchColumn) {
		var s columnar.Staged
		shapes := c.shapes()
		c.perRow(b, func(window int) {
			if err := s.Stage(c.layout, shapes[window]); err != nil {
				b.Fatal(err)
			}
		})
	})
}

func BenchmarkTakeStaged(b *testing.B) {
	eachColumn(b, func(b *testing.B, c benchColumn) {
		staged := make([]columnar.Staged, benchRows/stageWindow)
		for window, shape := range c.shapes() {
			if err := staged[window].Stage(c.layout, shape); err != nil {
				b.Fatal(err)
			}
		}
		sel := c.mergeOrder()
		c.perRow(b, func(window int) {
			d, err := staged[window].Take(c.t, sel, columnar.Validity{}, memory.DefaultAllocator)
			if err != nil {
				b.Fatal(err)
			}
			d.Release()
		})
	})
}

// benchColumn is a column, cut into windows.
type benchColumn struct {
	t      arrow.DataType
	view   columnar.View
	layout columnar.Layout
}

func eachColumn(b *testing.B, run func(*testing.B, benchColumn)) {
	for _, c := range benchColumns {
		builder := array.NewBuilder(memory.DefaultAllocator, c.t)
		rng := rand.New(rand.NewPCG(1, 1))
		for range benchRows {
			c.append(builder, rng)
		}
		view, err := columnar.NewView(builder.NewArray().Data())
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) { run(b, benchColumn{c.t, view, view.Layout}) })
	}
}

// shapes are all windows.
func (c *benchColumn) shapes() []*columnar.Shape {
	var shapes []*columnar.Shape
	for window := range benchRows / stageWindow {
		shapes = append(shapes, c.shape(window))
	}
	return shapes
}

// shape is a window: a piece of each run, runs being eighths of the column.
func (c *benchColumn) shape(window int) *columnar.Shape {
	const rows, run = stageWindow / stageRuns, benchRows / stageRuns
	s := &columnar.Shape{}
	for r := range stageRuns {
		from := r*run + window*rows
		s.Pieces = append(s.Pieces, columnar.Piece{View: &c.view, From: from, To: from + rows, Start: r * (rows + columnar.Gap)})
	}
	s.Room = stageRuns * (rows + columnar.Gap)
	return s
}

// mergeOrder takes every staged row of a window once, the runs being at random.
func (c *benchColumn) mergeOrder() []uint32 {
	const rows = stageWindow / stageRuns
	rng := rand.New(rand.NewPCG(2, 2))
	var next [stageRuns]int
	sel := make([]uint32, 0, stageWindow)
	for len(sel) < stageWindow {
		if r := rng.IntN(stageRuns); next[r] < rows {
			sel = append(sel, uint32(r*(rows+columnar.Gap)+next[r]))
			next[r]++
		}
	}
	return sel
}

// perRow runs a verb on all windows of the column and reports nanoseconds a row.
func (c *benchColumn) perRow(b *testing.B, verb func(window int)) {
	b.ReportAllocs()
	for b.Loop() {
		for window := range benchRows / stageWindow {
			verb(window)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
}
