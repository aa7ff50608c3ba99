package aggfuncs

import (
	"errors"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/validity"
)

// boolean is bool_and or bool_or, which are also the least and the greatest of booleans: it looks in every group for a value
// that decides, false for and, true for or.
type boolean struct {
	t       arrow.DataType
	options Options
	and     bool
	masks   rowMasks
	found   []uint64 // at group ends: there is a deciding value
	values  []uint64
}

func newBoolAnd(f arrow.Field, o Options) (Rule, error) { return newBoolean(f, o, true) }
func newBoolOr(f arrow.Field, o Options) (Rule, error)  { return newBoolean(f, o, false) }

func newBoolean(f arrow.Field, o Options, and bool) (Rule, error) {
	if storage(f.Type).ID() != arrow.BOOL || root(tableType(f)) != "BOOLEAN" {
		return Rule{}, errors.New("it works on booleans only")
	}
	return Rule{Function: &boolean{t: f.Type, options: o, and: and}}, nil
}

// Fold is Function.Fold. Everything is masks, 64 rows at a time. Rows before the last that starts the accumulator anew in
// their group do not count.
func (b *boolean) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := g.refuse(&b.options); err != nil {
		return nil, err
	}
	m := &b.masks
	live := m.countLive(g, in, b.options.IgnoreRetract)
	if live == nil {
		m.live = words(m.live, g.Rows)
		live = m.live
		validity.Fill(live, g.Rows)
	}
	g.keepLast(live, in)
	b.values, b.found = words(b.values, g.Rows), words(b.found, g.Rows)
	in.BoolMask(b.values)
	for w := range b.values {
		if b.and {
			b.values[w] = ^b.values[w]
		}
		b.values[w] &= live[w]
	}
	has := m.hits(g, live)
	validity.LastValid(m.pick, b.values, g.Ends)
	validity.Hits(b.found, m.pick, g.Ends)
	for w := range b.found {
		if b.and {
			b.found[w] = ^b.found[w]
		}
		b.found[w] &= has[w]
	}
	return b.result(g, has, mem), nil
}

// result makes the array of the results that are wanted.
func (b *boolean) result(g *Groups, has []uint64, mem memory.Allocator) arrow.ArrayData {
	n, keep := g.Results(), g.wanted()
	valid := validityOf(has, keep, n, mem)
	defer valid.Release()
	values := columnar.NewBuffer(mem, (n+7)/8)
	defer values.Release()
	validity.Compress(values.Bytes(), b.found, keep)
	return array.NewData(b.t, n, []*memory.Buffer{valid.Bitmap, values}, nil, valid.Nulls, 0)
}

// keepLast takes out of live the rows that do not count because their group starts anew after them, and puts those in whose
// value it starts anew with.
func (g *Groups) keepLast(live []uint64, in *columnar.View) {
	for w := range g.Set {
		for set := g.Set[w] &^ at(g.Single, w); set != 0; set &= set - 1 {
			row := w<<6 + validity.Next([]uint64{set}, 0)
			if !in.IsNull(row) {
				validity.Set(live, row)
			}
		}
	}
	for w := range live {
		for again := (at(g.Set, w) | at(g.Reset, w)) &^ at(g.Single, w); again != 0; again &= again - 1 {
			row := w<<6 + validity.Next([]uint64{again}, 0)
			validity.ClearRange(live, validity.Prev(g.Ends, row)+1, row)
		}
	}
}
