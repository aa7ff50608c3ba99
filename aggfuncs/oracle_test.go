package aggfuncs_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/validity"
)

// kinds are the errors that the kinds of the reference stand for.
var kinds = map[rowmerge.Kind][]error{
	rowmerge.KindArithmetic:    {aggfuncs.ErrOverflow, aggfuncs.ErrDivideByZero, aggfuncs.ErrInexact},
	rowmerge.KindRetract:       {aggfuncs.ErrRetract},
	rowmerge.KindNestedKeyNull: {aggfuncs.ErrNullNestedKey},
	rowmerge.KindCorrupt:       {aggfuncs.ErrCorrupt},
}

// subject is a function under test beside the reference for it.
type subject struct {
	name    string
	field   arrow.Field
	table   map[string]string // options for the reference
	options aggfuncs.Options
	value   func(*rand.Rand) any // draws a value that is not NULL; nil: randomValue
}

func (s *subject) String() string {
	return fmt.Sprintf("%s over %s, %v", s.name, s.field.Type, s.table)
}

// check runs windows of random rows through both. One instance of the function sees all of them.
func (s *subject) check(t *testing.T, windows int, seed uint64) {
	factory, ok := aggfuncs.ByName(s.name)
	if !ok {
		t.Fatalf("no function %s", s.name)
	}
	rule, err := factory(s.field, s.options)
	if err != nil {
		t.Fatal(err)
	}
	reference, err := rowmerge.NewFunction(s.name, s.field, s.table)
	if err != nil {
		t.Fatal(err)
	}
	faults := 0
	for i := range uint64(windows) {
		rng := rand.New(rand.NewPCG(seed, i))
		if s.checkWindow(t, rng, rule, reference) {
			faults++
		}
		if t.Failed() {
			t.Fatalf("%s: seed %d, window %d", s, seed, i)
		}
	}
	if faults > windows*9/10 {
		t.Fatalf("%s: %d of %d windows end in an error, which leaves too few that do not", s, faults, windows)
	}
}

// draw draws the values of a window.
func (s *subject) draw(rng *rand.Rand, n int) []any {
	density := []float64{0, 0, 0.1, 0.5, 1}[rng.IntN(5)]
	values := make([]any, n)
	var pool []any
	for range 1 + rng.IntN(n+1) {
		if s.value != nil {
			pool = append(pool, s.value(rng))
		} else {
			pool = append(pool, randomValue(rng, s.field.Type))
		}
	}
	for i := range values {
		if rng.Float64() >= density {
			values[i] = pool[rng.IntN(len(pool))]
		}
	}
	return values
}

func (s *subject) checkWindow(t *testing.T, rng *rand.Rand, rule aggfuncs.Rule, reference *rowmerge.Function) (faulty bool) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	n := rng.IntN(40)
	if rng.IntN(5) == 0 {
		n = rng.IntN(300)
	}
	w := newWindow(rng, s.draw(rng, n))
	strictLast := s.options.Strict && (s.name == "last_value" || s.name == "last_non_null_value")
	want, row, kind := w.judge(reference, strictLast)
	in := newArray(mem, s.field.Type, s.draw(rng, rng.IntN(70)), w.values)
	defer in.Release()
	view, err := columnar.NewView(in.Data())
	if err != nil {
		t.Fatal(err)
	}
	var got []any
	if rule.Picker != nil {
		got, err = pickValues(rng, rule.Picker, w, &view)
	} else {
		got, err = foldValues(t, rng, rule.Function, w, &view, mem)
	}
	if row >= 0 {
		checkFault(t, err, row, kind)
		return true
	}
	if err != nil {
		t.Errorf("error %v, want none", err)
		return false
	}
	if len(got) != len(want) {
		t.Errorf("%d results, want %d", len(got), len(want))
		return false
	}
	for i := range want {
		if !same(got[i], want[i]) {
			t.Errorf("result %d is %s, want %s\nrows %s", i, rowmerge.Format(got[i]), rowmerge.Format(want[i]), w)
			return false
		}
	}
	return false
}

// same compares bit for bit, but for NaN: which NaN an operation gives depends on the processor.
func same(a, b any) bool {
	switch x := a.(type) {
	case float32:
		if y, ok := b.(float32); ok && x != x && y != y {
			return true
		}
	case float64:
		if y, ok := b.(float64); ok && math.IsNaN(x) && math.IsNaN(y) {
			return true
		}
	}
	return rowmerge.Identical(a, b)
}

func checkFault(t *testing.T, err error, row int, kind rowmerge.Kind) {
	t.Helper()
	var fault *aggfuncs.Fault
	if !errors.As(err, &fault) {
		t.Errorf("error %v, want a fault of row %d", err, row)
		return
	}
	for _, e := range kinds[kind] {
		if errors.Is(err, e) {
			if fault.Row != row {
				t.Errorf("error %v, want one of row %d", err, row)
			}
			return
		}
	}
	t.Errorf("error %v is not of kind %s", err, kind)
}

func foldValues(t *testing.T, rng *rand.Rand, f aggfuncs.Function, w *window, in *columnar.View, mem memory.Allocator) ([]any, error) {
	data, err := f.Fold(w.groups(rng), in, mem)
	if err != nil {
		return nil, err
	}
	defer data.Release()
	out := array.MakeFromData(data)
	defer out.Release()
	if nulls := validNulls(out); nulls != out.NullN() {
		t.Errorf("%d NULLs in the bitmap, %d said", nulls, out.NullN())
	}
	if _, err := columnar.NewView(data); err != nil {
		t.Errorf("the result is no array: %v", err)
	}
	return valuesOf(t, out), nil
}

func validNulls(a arrow.Array) int {
	n := 0
	for i := range a.Len() {
		if a.IsNull(i) {
			n++
		}
	}
	return n
}

// pickValues picks and takes what is picked.
func pickValues(rng *rand.Rand, p aggfuncs.Picker, w *window, in *columnar.View) ([]any, error) {
	g := w.groups(rng)
	words := validity.Words(g.Rows)
	pick, null := make([]uint64, words), make([]uint64, words)
	for i := range pick {
		pick[i], null[i] = rng.Uint64(), rng.Uint64()
	}
	var valid []uint64
	if in.Nulls > 0 || rng.IntN(2) == 0 {
		valid = make([]uint64, words)
		in.ValidMask(valid)
	}
	nulls, err := p.Pick(pick, null, g, valid)
	if err != nil {
		return nil, err
	}
	if nulls != validity.Any(null) {
		return nil, fmt.Errorf("nulls is %v with %b", nulls, null)
	}
	var got []any
	from := 0
	for i, end := range w.ends {
		if !end {
			continue
		}
		picked := 0
		for row := from; row <= i; row++ {
			if !validity.Get(pick, row) {
				if validity.Get(null, row) {
					return nil, fmt.Errorf("row %d is NULL and not picked", row)
				}
				continue
			}
			if picked++; validity.Get(null, row) {
				got = append(got, nil)
			} else {
				got = append(got, w.values[row])
			}
		}
		if want := map[bool]int{false: 1}[w.drop[i]]; picked != want {
			return nil, fmt.Errorf("%d rows of [%d, %d] are picked, want %d", picked, from, i, want)
		}
		from = i + 1
	}
	return got, nil
}
