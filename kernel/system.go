package kernel

import (
	"slices"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// systemColumns appends the key columns, sequence numbers and row kinds of the results.
func (m *merger) systemColumns(cols []arrow.Array) ([]arrow.Array, error) {
	sel := m.keyRows()
	for i := range m.in.keys {
		data, err := m.columns.rowsOf(&m.in.keys[i], m.window.column(i), sel)
		if err != nil {
			return cols, err
		}
		cols = append(cols, array.MakeFromData(data))
		data.Release()
	}
	return append(cols, m.sequenceColumn(), m.kindColumn()), nil
}

// keyRows returns the selection of the rows that results have their key of: the row that was picked, or where rows
// were merged, the last row of the key, whether or not it gives a value.
func (m *merger) keyRows() []uint32 {
	w, c := &m.window, &m.columns
	if !m.plan.merges || !w.retracts {
		return c.sel
	}
	validity.Hits(c.has, c.rows, m.masks.ends)
	m.keySel = slices.Grow(m.keySel[:0], len(c.sel))[:len(c.sel)]
	simd.SelectBits(m.keySel, c.has, w.words, w.form.idxBits)
	return m.keySel
}

// sequenceColumn gives the sequence number of every result: that of the row that was picked, or where a partial update merged
// rows, of the last row that took part.
func (m *merger) sequenceColumn() arrow.Array {
	w, v, k := &m.window, &m.versions, &m.masks
	sel := m.columns.sel
	if !m.in.sequenced {
		return numbers(m.cfg.mem, len(sel), func(int) int64 { return -1 })
	}
	v.stageNumbers(w)
	if !w.retracts || !m.plan.merges {
		return numbers(m.cfg.mem, len(sel), func(i int) int64 { return v.number(int(sel[i])) })
	}
	at := -1
	return numbers(m.cfg.mem, len(sel), func(int) int64 {
		at = validity.Next(k.number, at+1)
		if validity.Get(k.zero, at) {
			return 0
		}
		return v.number(w.staged(at))
	})
}

// kindColumn gives the row kind of every result: its own where a row was picked or passed unchanged, +I or -D where a partial
// update merged rows.
func (m *merger) kindColumn() arrow.Array {
	w, k, sel := &m.window, &m.masks, m.columns.sel
	own := func(i int) int8 { return int8(w.kinds[sel[i]]) }
	if !m.plan.merges || !w.masked {
		return kinds(m.cfg.mem, len(sel), own)
	}
	at := -1
	return kinds(m.cfg.mem, len(sel), func(i int) int8 {
		at = validity.Next(m.columns.rows, at+1)
		end := validity.Next(k.ends, at)
		switch {
		case m.plan.lone && validity.Get(k.single, end):
			return own(i)
		case w.retracts && validity.Get(k.dead, end):
			return kindDelete
		}
		return kindInsert
	})
}

// numbers makes an int64 column.
func numbers(mem memory.Allocator, n int, value func(int) int64) arrow.Array {
	return numeric(mem, arrow.PrimitiveTypes.Int64, n, value)
}

// kinds makes an int8 column.
func kinds(mem memory.Allocator, n int, value func(int) int8) arrow.Array {
	return numeric(mem, arrow.PrimitiveTypes.Int8, n, value)
}

func numeric[T int8 | int64](mem memory.Allocator, t arrow.DataType, n int, value func(int) T) arrow.Array {
	b := columnar.NewBuffer(mem, n*int(unsafe.Sizeof(T(0))))
	out := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b.Buf()))), n)
	for i := range out {
		out[i] = value(i)
	}
	data := array.NewData(t, n, []*memory.Buffer{nil, b}, nil, 0, 0)
	b.Release()
	defer data.Release()
	return array.MakeFromData(data)
}
