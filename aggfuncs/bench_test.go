package aggfuncs_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/invariants"
	"github.com/braidmerge/braid/validity"
)

// randomGroups makes groups of so many rows on average.
func randomGroups(rng *rand.Rand, rows int, mean float64) *aggfuncs.Groups {
	g := &aggfuncs.Groups{Rows: rows, Ends: make([]uint64, validity.Words(rows))}
	for row := range rows {
		if row == rows-1 || rng.Float64() < 1/mean {
			validity.Set(g.Ends, row)
			g.Count++
		}
	}
	g.Single = make([]uint64, validity.Words(rows))
	validity.Singles(g.Single, g.Ends)
	return g
}

// randomColumn makes a column of numbers from 0 to 99, one in so many NULL; 0 for none.
func randomColumn(rng *rand.Rand, t arrow.DataType, rows, nulls int) arrow.Array {
	b := array.NewBuilder(memory.DefaultAllocator, t)
	defer b.Release()
	for range rows {
		if nulls > 0 && rng.IntN(nulls) == 0 {
			b.AppendNull()
			continue
		}
		switch n := rng.Int64N(100); b := b.(type) {
		case *array.Int64Builder:
			b.Append(n)
		case *array.Float64Builder:
			b.Append(float64(n))
		case *array.StringBuilder:
			b.Append(fmt.Sprintf("value-%02d", n))
		case *array.ListBuilder:
			b.Append(true)
			b.ValueBuilder().(*array.Int64Builder).Append(n)
		default:
			panic(t.String())
		}
	}
	return b.NewArray()
}

// A benchmark goes through a million rows in windows of the size that merges have.
const (
	benchWindows = 16
	windowRows   = 1 << 16
)

// BenchmarkFold measures windows; the unit is nanoseconds a row.
func BenchmarkFold(b *testing.B) {
	ints, floats := arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64
	for _, c := range []struct {
		name  string
		t     arrow.DataType
		nulls int
		o     aggfuncs.Options
	}{
		{"sum", ints, 0, aggfuncs.Options{}}, {"sum", ints, 10, aggfuncs.Options{}}, {"sum", floats, 0, aggfuncs.Options{}},
		{"min", ints, 0, aggfuncs.Options{}}, {"max", ints, 10, aggfuncs.Options{}}, {"max", floats, 0, aggfuncs.Options{}},
		{"last_non_null_value", ints, 10, aggfuncs.Options{}}, {"first_value", ints, 0, aggfuncs.Options{}},
		{"product", ints, 2, aggfuncs.Options{}},
		{"max", arrow.BinaryTypes.String, 0, aggfuncs.Options{}},
		{"listagg", arrow.BinaryTypes.String, 0, aggfuncs.Options{}},
		{"listagg", arrow.BinaryTypes.String, 0, aggfuncs.Options{Distinct: true}},
		{"collect", arrow.ListOf(ints), 0, aggfuncs.Options{}},
		{"collect", arrow.ListOf(ints), 0, aggfuncs.Options{Distinct: true}},
	} {
		for _, mean := range []float64{1, 1.1, 2, 10} {
			b.Run(fmt.Sprintf("%s/%s/nulls=%d/distinct=%v/group=%g", c.name, c.t, c.nulls, c.o.Distinct, mean), func(b *testing.B) {
				benchmarkFold(b, c.name, c.t, c.nulls, c.o, mean)
			})
		}
	}
}

func benchmarkFold(b *testing.B, name string, t arrow.DataType, nulls int, o aggfuncs.Options, mean float64) {
	factory, _ := aggfuncs.ByName(name)
	rule, err := factory(arrow.Field{Name: "f", Type: t, Nullable: true}, o)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var windows []func()
	for range benchWindows {
		column := randomColumn(rng, t, windowRows, nulls)
		defer column.Release()
		view, err := columnar.NewView(column.Data())
		if err != nil {
			b.Fatal(err)
		}
		if name == "product" { // of numbers that do not overflow
			ones := columnar.Fixed[int64](&view)
			for i := range ones {
				ones[i] = 1
			}
		}
		windows = append(windows, folder(b, rule, randomGroups(rng, windowRows, mean), &view))
	}
	for b.Loop() {
		for _, run := range windows {
			run()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(benchWindows*windowRows), "ns/row")
}

// folder returns what folds, or picks, one window.
func folder(t testing.TB, rule aggfuncs.Rule, g *aggfuncs.Groups, view *columnar.View) func() {
	words := validity.Words(g.Rows)
	pick, null, valid := make([]uint64, words), make([]uint64, words), make([]uint64, words)
	return func() {
		if rule.Picker != nil {
			view.ValidMask(valid)
			if _, err := rule.Picker.Pick(pick, null, g, valid); err != nil {
				t.Fatal(err)
			}
			return
		}
		data, err := rule.Function.Fold(g, view, memory.DefaultAllocator)
		if err != nil {
			t.Fatal(err)
		}
		data.Release()
	}
}

// TestAllocations holds that scratch memory is kept from window to window: what is allocated is the result.
func TestAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	rng := rand.New(rand.NewPCG(1, 3))
	ints, floats := arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64
	for _, c := range []struct {
		name string
		t    arrow.DataType
		most float64
	}{
		{"sum", ints, 10}, {"sum", floats, 10}, {"min", ints, 10}, {"max", floats, 10}, {"product", floats, 10},
		{"max", arrow.BinaryTypes.String, 20}, {"last_non_null_value", ints, 0}, {"first_value", ints, 0},
		{"listagg", arrow.BinaryTypes.String, 20}, {"collect", arrow.ListOf(ints), 30},
	} {
		column := randomColumn(rng, c.t, 5000, 10)
		defer column.Release()
		view, err := columnar.NewView(column.Data())
		if err != nil {
			t.Fatal(err)
		}
		factory, _ := aggfuncs.ByName(c.name)
		rule, err := factory(arrow.Field{Name: "f", Type: c.t, Nullable: true}, aggfuncs.Options{Distinct: true})
		if err != nil {
			t.Fatal(err)
		}
		run := folder(t, rule, randomGroups(rng, 5000, 2), &view)
		run()
		if got := testing.AllocsPerRun(20, run); got > c.most {
			t.Errorf("%s over %s: %v allocations a window, want %v at most", c.name, c.t, got, c.most)
		}
	}
}
