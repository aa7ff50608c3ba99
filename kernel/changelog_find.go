package kernel

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"

	"github.com/braidmerge/braid/columnar"
)

// finder looks up the rows of a window with the caller's function.
type finder struct {
	cursor  cursor
	sel     []uint32
	pieces  []piece // scratch
	schema  *arrow.Schema
	bound   binding
	asked   int
	scratch columnar.Staged
	file    File
}

// find looks up the keys of the window that have no row of level 1 or above and puts what is found in front of the window.
func (f *finder) find(ctx context.Context, m *merger, find func(context.Context, arrow.Record) (arrow.Record, error)) error {
	w := &m.window
	if staged := m.orderer.order(w, m.in); staged >= 0 {
		return m.unsorted(staged)
	}
	f.missing(w, m.levels)
	if len(f.sel) == 0 {
		return nil
	}
	keys, err := f.keys(m)
	if err != nil {
		return err
	}
	defer keys.Release()
	found, err := find(ctx, keys)
	if err != nil {
		return f.cursor.blame(err)
	}
	if found == nil {
		return nil
	}
	defer found.Release()
	if found.NumRows() == 0 {
		return nil
	}
	return f.insert(m, found)
}

// missing selects a row of every key that has none of level 1 or above.
func (f *finder) missing(w *window, l *levels) {
	l.stage(w)
	w.stageKinds()
	f.sel = f.sel[:0]
	for from := 0; from < w.rows; {
		k, _ := l.key(w, from)
		if k.traits&traitHigh == 0 {
			f.sel = append(f.sel, uint32(w.staged(from)))
		}
		from = k.to
	}
}

// keys makes the record of the keys that are looked up.
func (f *finder) keys(m *merger) (arrow.Record, error) {
	var fields []arrow.Field
	var cols []arrow.Array
	for i := range m.in.keys {
		key := &m.in.keys[i]
		data, err := m.columns.rowsOf(key, m.window.column(i), f.sel)
		if err != nil {
			releaseAll(cols)
			return nil, err
		}
		cols = append(cols, makeArray(data))
		fields = append(fields, arrow.Field{Name: key.name, Type: key.staged, Nullable: m.in.nullKeys})
	}
	return newRecord(arrow.NewSchema(fields, nil), cols, len(f.sel)), nil
}

// insert stages the rows that were found before those of all runs.
func (f *finder) insert(m *merger, found arrow.Record) error {
	w := &m.window
	f.cursor.in, f.cursor.number, f.cursor.run.Level = m.in, lookedUp, higherLevel
	if f.schema == nil || !f.schema.Equal(found.Schema()) {
		bound, err := m.in.bind(&f.file, found.Schema())
		if err != nil {
			return f.cursor.blame(err)
		}
		f.schema, f.bound = found.Schema(), bound
	}
	b := f.cursor.newBatch()
	b.file, b.binding, b.number = &f.file, &f.bound, f.asked
	f.asked++
	if err := b.look(found, part{to: int(found.NumRows())}, m.in, &f.scratch); err != nil {
		b.release()
		return f.cursor.blame(err)
	}
	m.stats.input(b)
	w.used = append(w.used, usedBatch{b, &f.cursor})
	f.pieces = append(f.pieces[:0], w.pieces...)
	w.reset()
	w.add(&f.cursor, b, 0, b.rows)
	for _, p := range f.pieces {
		w.add(p.cursor, p.batch, p.from, p.to)
	}
	w.seal()
	return nil
}
