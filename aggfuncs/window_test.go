package aggfuncs_test

import (
	"math/rand/v2"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/internal/rowmerge"
	"github.com/braidmerge/braid/validity"
)

// window is the rows of a window with the bits of their masks, one bool a row.
type window struct {
	values                                                 []any
	ends, single, drop, reset, set, skip, retract, late    []bool
	withSingle, withDrop, withSteps, withRetract, withLate bool
}

// newWindow draws the groups and masks of a window of n rows.
func newWindow(rng *rand.Rand, values []any) *window {
	n := len(values)
	w := &window{values: values}
	meanGroup := 1 + rng.IntN(6)
	if rng.IntN(6) == 0 {
		meanGroup = 1 + rng.IntN(60)
	}
	w.withSingle, w.withDrop = rng.IntN(2) == 0, rng.IntN(4) == 0
	w.withRetract, w.withLate, w.withSteps = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(3) == 0
	draw := func(on bool, in int) bool { return on && rng.IntN(in) == 0 }
	for i := range n {
		end := i == n-1 || rng.IntN(meanGroup) == 0
		alone := end && (i == 0 || w.ends[i-1])
		w.ends = append(w.ends, end)
		w.single = append(w.single, alone && w.withSingle && rng.IntN(8) > 0)
		w.drop = append(w.drop, end && draw(w.withDrop, 4))
		w.reset = append(w.reset, draw(w.withSteps, 8))
		w.set = append(w.set, draw(w.withSteps, 6))
		w.skip = append(w.skip, draw(w.withSteps, 4))
		w.retract = append(w.retract, draw(w.withRetract, 4))
		w.late = append(w.late, draw(w.withLate, 3))
	}
	return w
}

// sparseMask makes a mask, nil at times where it has no bit.
func sparseMask(rng *rand.Rand, set []bool) []uint64 {
	mask := make([]uint64, validity.Words(len(set)))
	for i, s := range set {
		if s {
			validity.Set(mask, i)
		}
	}
	if !validity.Any(mask) && rng.IntN(4) > 0 {
		return nil
	}
	return mask
}

// groups makes the masks of a window.
func (w *window) groups(rng *rand.Rand) *aggfuncs.Groups {
	g := &aggfuncs.Groups{
		Rows: len(w.values), Single: sparseMask(rng, w.single), Drop: sparseMask(rng, w.drop), Reset: sparseMask(rng, w.reset),
		Set: sparseMask(rng, w.set), Skip: sparseMask(rng, w.skip), Retract: sparseMask(rng, w.retract), Late: sparseMask(rng, w.late),
	}
	g.Ends = make([]uint64, validity.Words(g.Rows))
	for i, end := range w.ends {
		if end {
			validity.Set(g.Ends, i)
			g.Count++
		}
	}
	return g
}

// judge works the window out row by row with the reference. fault is the first row that is to blame, -1 for none, and kind
// what for.
func (w *window) judge(f *rowmerge.Function, strictLast bool) (want []any, fault int, kind rowmerge.Kind) {
	var acc any
	f.Reset()
	for i, in := range w.values {
		switch {
		case w.single[i]:
			acc = in
		default:
			if w.reset[i] {
				acc = nil
				f.Reset()
			}
			if w.set[i] {
				acc = in
			}
			apply := f.Agg
			switch {
			case w.retract[i]:
				apply = f.Retract
			case w.late[i]:
				apply = f.AggReversed
			}
			if w.skip[i] || strictLast && w.retract[i] && w.late[i] {
				break
			}
			out, err := apply(acc, in)
			if err != nil {
				return nil, i, err.Kind
			}
			acc = out
		}
		if w.ends[i] {
			if !w.drop[i] {
				want = append(want, acc)
			}
			acc = nil
			f.Reset()
		}
	}
	return want, -1, ""
}

// String shows the rows of a window.
func (w *window) String() string {
	text := ""
	for i, v := range w.values {
		value := rowmerge.Format(v)
		text += "\n  " + value[:min(len(value), 200)]
		for _, f := range []struct {
			name string
			set  bool
		}{{"single", w.single[i]}, {"reset", w.reset[i]}, {"set", w.set[i]}, {"skip", w.skip[i]}, {"retract", w.retract[i]},
			{"late", w.late[i]}, {"drop", w.drop[i]}, {"end", w.ends[i]}} {
			if f.set {
				text += " " + f.name
			}
		}
	}
	return text
}
