package aggfuncs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/internal/testscale"
	"github.com/braidmerge/braid/validity"
)

// longGroup is a function and the value of row i of a group that is long.
type longGroup struct {
	*subject
	what     string
	row      func(i int) any
	retracts bool
}

// longGroups are the functions of lists and maps, with the values that are the hardest to bring together.
func longGroups(rows int) []longGroup {
	ints, texts := arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String
	item := arrow.StructOf(arrow.Field{Name: "k", Type: ints, Nullable: true}, arrow.Field{Name: "t", Type: texts, Nullable: true})
	row := func(i int) any { return rowmerge.Struct{int32(i), fmt.Sprintf("%06d", i)} }
	number := func(i int) any { return fmt.Sprint(i) }
	list := func(i int) any { return rowmerge.List{int32(i)} }
	rowList := func(i int) any { return rowmerge.List{row(i)} }
	equalRows := func(int) any { return rowList(0) }
	text, ofInts, ofRows := column(texts, ""), column(arrow.ListOf(ints), ""), column(arrow.ListOf(item), "")
	times := column(arrow.MapOf(ints, item), "")
	return []longGroup{
		{with("listagg", text), "numbers", number, false},
		{with("listagg", text, distinct), "distinct numbers", number, false},
		{with("listagg", text, distinct, delimiter("")), "distinct numbers by nothing", number, false},
		{with("listagg", text, distinct, delimiter("")), "a few parts by nothing", func(i int) any { return fmt.Sprintf("x %d\t y%d", i, i) }, false},
		{with("listagg", text, distinct, delimiter("aa")), "distinct numbers by aa", number, false},
		{with("listagg", text, distinct, delimiter("aa")), "overlaps", func(i int) any { return fmt.Sprintf("%da", i) }, false},
		{with("listagg", text, distinct, delimiter("aa")), "overlaps before a long text", func(i int) any {
			if i == 0 {
				return strings.Repeat("long ", rows)
			}
			return "xaaxa"
		}, false},
		{with("collect", ofInts), "numbers", list, true},
		{with("collect", ofInts, distinct), "distinct numbers", list, true},
		{with("collect", ofRows, distinct, ignoreRetract), "distinct rows", rowList, false},
		{with("merge_map", column(arrow.MapOf(ints, texts), "")), "numbers", func(i int) any {
			return rowmerge.Map{{Key: int32(i), Value: "x"}}
		}, true},
		{with("merge_map_with_keytime", times), "numbers", func(i int) any { return rowmerge.Map{{Key: int32(i), Value: row(i)}} }, false},
		{with("merge_map_with_keytime", times), "keys twice", func(i int) any {
			return rowmerge.Map{{Key: int32(i), Value: row(i)}, {Key: int32(i + 1), Value: nil}, {Key: int32(i), Value: row(i + 1)}}
		}, false},
		{with("nested_update", ofRows), "rows", rowList, true},
		{with("nested_update", ofRows, limit(int32(rows/4))), "equal rows within a limit", equalRows, true},
		{with("nested_update", ofRows, nestedKey("k")), "rows of keys", rowList, true},
		{with("nested_update", ofRows, nestedKey("k"), limit(int32(rows/4))), "rows of keys within a limit", rowList, true},
		{with("nested_update", ofRows, nestedKey("k"), nestedSequence("t")), "rows of keys and sequences", rowList, true},
		{with("nested_partial_update", ofRows, nestedKey("k")), "rows", rowList, false},
	}
}

// longWays are the ways in which the rows of a long group come.
var longWays = []struct {
	name     string
	late     [2]float64 // the share of the rows from and to which they are late
	retracts float64    // from which they are taken back
}{{"in order", [2]float64{0, 0}, 1}, {"late", [2]float64{0, 1}, 1}, {"late and in order", [2]float64{0.2, 0.6}, 1},
	{"taken back", [2]float64{0, 0}, 0.5}, {"late and taken back", [2]float64{0, 0.75}, 0.75}}

// longWindows calls each with all functions and ways of one group of so many rows.
func longWindows(rows int, each func(c longGroup, way string, g *aggfuncs.Groups, values []any)) {
	for _, c := range longGroups(rows) {
		values := make([]any, rows)
		for i := range values {
			values[i] = c.row(i % (rows / 2))
		}
		for _, way := range longWays {
			g := &aggfuncs.Groups{Rows: rows, Count: 1, Ends: make([]uint64, validity.Words(rows))}
			validity.Set(g.Ends, rows-1)
			share := func(x float64) int { return int(x * float64(rows)) }
			if way.late[1] > 0 {
				g.Late = make([]uint64, len(g.Ends))
				validity.Fill(g.Late, share(way.late[1]))
				validity.ClearRange(g.Late, 0, share(way.late[0]))
			}
			if way.retracts < 1 {
				if !c.retracts {
					continue
				}
				g.Retract = make([]uint64, len(g.Ends))
				validity.Fill(g.Retract, rows)
				validity.ClearRange(g.Retract, 0, share(way.retracts))
			}
			each(c, way.name, g, values)
		}
	}
}

// TestLongGroups folds one group of many rows, in order, late, or half of it taken back. Work that grew with the square of
// the rows would take minutes.
func TestLongGroups(t *testing.T) {
	const most = 5 * time.Second
	rows := testscale.Few(t, 100_000, 20_000)
	longWindows(rows, func(c longGroup, way string, g *aggfuncs.Groups, values []any) {
		took := c.foldOnce(t, g, values)
		t.Logf("%s of %s, %s: %v", c, c.what, way, took)
		if took > most {
			t.Errorf("%s of %s, %s: %v for a group of %d rows", c, c.what, way, took, rows)
		}
	})
}

// BenchmarkLongGroups folds one group of so many rows; the unit is nanoseconds a row, which does not grow with the rows.
func BenchmarkLongGroups(b *testing.B) {
	for _, rows := range []int{1000, 10_000, 100_000} {
		longWindows(rows, func(c longGroup, way string, g *aggfuncs.Groups, values []any) {
			b.Run(fmt.Sprintf("%s of %s, %s/rows=%d", c.name, c.what, way, rows), func(b *testing.B) {
				in := newArray(memory.DefaultAllocator, c.field.Type, nil, values)
				defer in.Release()
				view, err := columnar.NewView(in.Data())
				if err != nil {
					b.Fatal(err)
				}
				factory, _ := aggfuncs.ByName(c.name)
				rule, err := factory(c.field, c.options)
				if err != nil {
					b.Fatal(err)
				}
				run := folder(b, rule, g, &view)
				for b.Loop() {
					run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
			})
		})
	}
}

// foldOnce folds a window, which must not fail, and returns how long it took.
func (s *subject) foldOnce(t *testing.T, g *aggfuncs.Groups, values []any) time.Duration {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	in := newArray(mem, s.field.Type, nil, values)
	defer in.Release()
	view, err := columnar.NewView(in.Data())
	if err != nil {
		t.Fatal(err)
	}
	factory, _ := aggfuncs.ByName(s.name)
	rule, err := factory(s.field, s.options)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	data, err := rule.Function.Fold(g, &view, mem)
	took := time.Since(start)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	if data.Len() != 1 {
		t.Errorf("%s: %d results", s, data.Len())
	}
	data.Release()
	return took
}
