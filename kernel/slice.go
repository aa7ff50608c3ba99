package kernel

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/columnar"
)

// slice makes a record of slices of an input record, if the next rows are all of one run, each with a key of its own, and
// none is a retract. It returns no record if not.
func (f *feed) slice(ctx context.Context, m *merger) (r result, err error) {
	c, to, err := f.cutter.stretch(ctx, f.stats)
	if c == nil || err != nil {
		return r, err
	}
	if err := c.continues(); err != nil {
		return r, err
	}
	b, from := c.batches[0], c.row
	falls, repeats := columnar.Ascending(b.keyViews(f.in), from, to)
	if falls >= 0 {
		return r, c.blame(c.ordered(b, falls, 1))
	}
	if repeats || b.kinds != nil && orBytes(kindBytes(b.kinds[from:to]))&1 != 0 {
		return r, nil
	}
	if m.supplied != nil {
		if !b.binding.inPlace {
			return r, nil
		}
		if err := m.supplied.check(b, from, to); err != nil {
			return r, c.blame(err)
		}
	}
	m.countCut()
	if err := m.checkTexts(b, from, to); err != nil {
		return r, c.blame(err)
	}
	if err := f.keepLimit(m, to-from); err != nil {
		return r, err
	}
	if r.record, err = m.sliceRecord(b, from, to); err != nil {
		return r, c.blame(err)
	}
	for i := range m.output {
		r.bytes += m.sliceBytes(b, m.output[i].place, from, to)
	}
	c.take(to-from, &m.window)
	f.begin(m)
	f.done(m)
	assemble := m.clock.lap()
	m.stats.update(func(n *Stats) {
		n.Slices++
		n.SlicedRows += int64(to - from)
		n.Times.Assemble += assemble
	})
	return r, nil
}

// keepLimit counts what the merge holds while it gives a slice of so many rows, which shares the bytes of its batch, but for views
// of texts. Over the memory limit, the scratch of all mergers that have no window goes first.
func (f *feed) keepLimit(m *merger, rows int) error {
	m.bytes = m.viewsOf(rows)
	limit, held := f.cfg.memoryLimit, m.weigh()
	if limit > 0 && held > limit {
		for _, idle := range f.mergers {
			if idle.turn == nil {
				idle.orderer, idle.window.arena, idle.columns.staged, idle.columns.sel = orderer{}, nil, columnar.Staged{}, nil
				held = idle.weigh()
			}
		}
		if held > limit {
			return fmt.Errorf("%w: %d bytes are held and the limit is %d", ErrMemoryLimit, held, limit)
		}
	}
	m.count()
	return nil
}

// sliceRecord makes a record of rows [from, to) of a batch.
func (m *merger) sliceRecord(b *batch, from, to int) (rec arrow.Record, err error) {
	cols := make([]arrow.Array, 0, m.schema.NumFields())
	slice := func(at int) {
		if input := m.in.at(at); input == nil || input.views == nil {
			cols = append(cols, makeArray(array.NewSliceData(b.data[at], int64(from), int64(to))))
		} else if views, wrong := m.slicedViews(b, at, from, to); wrong == nil {
			cols = append(cols, makeArray(views))
		} else {
			err = wrong
		}
	}
	if m.cfg.keepSystem {
		for i := range m.in.keys {
			slice(i)
		}
		if at := m.in.sequenceAt(); b.data[at] != nil {
			slice(at)
		} else {
			number := int64(-1)
			if s := b.file.Sequence; s != nil {
				number = *s
			}
			cols = append(cols, numbers(m.cfg.mem, to-from, func(int) int64 { return number }))
		}
		if at := m.in.kindAt(); b.data[at] != nil {
			slice(at)
		} else {
			cols = append(cols, kinds(m.cfg.mem, to-from, func(row int) int8 {
				if b.kinds == nil {
					return kindInsert
				}
				return b.kinds[from+row]
			}))
		}
	}
	for i := range m.output {
		slice(m.output[i].place)
	}
	if err != nil {
		releaseAll(cols)
		return nil, err
	}
	return newRecord(m.schema, cols, to-from), nil
}

// checkTexts checks the offsets of the text columns of a slice.
func (m *merger) checkTexts(b *batch, from, to int) error {
	for i := range m.output {
		if err := b.views[m.output[i].place].CheckTexts(from, to); err != nil {
			return b.blame(-1, m.output[i].field.Name, err)
		}
	}
	return nil
}
