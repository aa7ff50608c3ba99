package rungen

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// maker holds what the runs of a problem share while they are made.
type maker struct {
	Spec
	columns []tableColumn
	digits  []digit
	pools   []*pool // per table column; nil for keys
	ids     [][]int64
	numbers *source
	kinds   *source
	total   int // rows of all runs
}

// run is one run before it is cut into batches: the columns of its records as cells.
type run struct {
	schema *arrow.Schema
	cells  []cells
	rows   int
}

// newMaker chooses the keys of all runs and the pools of all columns.
func newMaker(s Spec) *maker {
	m := &maker{Spec: s, columns: s.tableColumns()}
	third := len(s.Tape) / 3
	idSource := stream(s.Seed, "ids", -1)
	idSource.tape = s.Tape[2*third:]
	m.numbers, m.kinds = stream(s.Seed, "numbers", -1), stream(s.Seed, "kinds", -1)
	m.numbers.tape, m.kinds.tape = s.Tape[:third], s.Tape[third:2*third]

	if s.Runs > 0 {
		rows := s.shareOut(stream(s.Seed, "shares", -1))
		var universe int
		m.digits, universe = s.keyDigits(s.wanted(slices.Max(rows)))
		c := chooser{Spec: s, universe: universe, rows: rows, src: idSource}
		m.ids = c.choose()
	}
	if s.Fault == Unsorted {
		spoilOrder(m.ids, idSource)
	}
	for _, ids := range m.ids {
		m.total += len(ids)
	}
	for _, c := range m.columns {
		m.pools = append(m.pools, m.valuePool(c))
	}
	return m
}

// valuePool makes the pool of a column that is no key.
func (m *maker) valuePool(c tableColumn) *pool {
	if c.role == keyRole || c.role == kindRole || c.dt.ID() == arrow.NULL {
		return nil
	}
	size := min(4096, 2*m.Rows+16)
	if c.Distinct > 0 {
		size = c.Distinct
	}
	src := stream(m.Seed, "pool of "+c.Name, -1)
	if c.isEncoded() {
		return m.encodedPool(c, size, len(m.columns), src)
	}
	return newPool(c.dt, c.Style, size, src)
}

// run makes the columns of run r, in the order in which files store them.
func (m *maker) run(r, before int) run {
	made := run{rows: len(m.ids[r])}
	var fields []arrow.Field
	add := func(f arrow.Field, c cells) {
		fields = append(fields, f)
		made.cells = append(made.cells, c)
	}
	keys := m.keyCells(r)
	if m.KeyColumns {
		for i := range keys {
			f := m.keyField(i)
			f.Name = "_KEY_" + f.Name
			add(f, keys[i])
		}
	}
	if m.Numbers != NoNumbers {
		add(arrow.Field{Name: "_SEQUENCE_NUMBER", Type: arrow.PrimitiveTypes.Int64},
			numberCells(m.Numbers, made.rows, before, m.total, m.numbers))
	}
	if m.Kinds != NoKinds {
		add(arrow.Field{Name: "_VALUE_KIND", Type: arrow.PrimitiveTypes.Int8}, kindCells(m.Kinds, made.rows, m.kinds))
	}
	for i, c := range m.columns {
		add(c.field(), m.columnCells(i, r, keys))
	}
	made.schema = arrow.NewSchema(fields, nil)
	return made
}

// keyField returns the field of the i-th key column.
func (m *maker) keyField(i int) arrow.Field {
	at := slices.IndexFunc(m.columns, func(c tableColumn) bool { return c.role == keyRole && c.index == i })
	return m.columns[at].field()
}

// keyCells returns the cells of the key columns of run r.
func (m *maker) keyCells(r int) []cells {
	keys := make([]cells, len(m.digits))
	for i, d := range m.digits {
		keys[i] = d.cells(m.ids[r], stream(m.Seed, "key "+keyName(m.Keys[i], i), r))
	}
	return keys
}

// columnCells returns the cells of the i-th table column in run r.
func (m *maker) columnCells(i, r int, keys []cells) cells {
	c, rows := m.columns[i], len(m.ids[r])
	src := stream(m.Seed, "column "+c.Name, r)
	switch {
	case c.role == kindRole:
		return kindTextCells(m.KindText, rows, m.kinds)
	case c.role == keyRole && !(m.Detached && m.KeyColumns):
		return keys[c.index]
	case c.role == keyRole:
		return randomCells(keys[c.index].pool, NoNulls, rows, src)
	}
	made := randomCells(m.pools[i], c.Nulls, rows, src)
	if c.Style == RunMarks && rows > 0 {
		made.at = slices.Repeat(made.at[:1], rows)
	}
	return made
}

// randomCells draws a value for every row; p is nil for the null type.
func randomCells(p *pool, nulls Nulls, rows int, src *source) cells {
	if p == nil {
		return cells{at: make([]int32, rows)}
	}
	c := cells{pool: p, at: make([]int32, rows), valid: validMask(nulls, rows, src)}
	for i := range c.at {
		c.at[i] = int32(src.intn(p.size))
	}
	return c
}

// keep returns the run with the rows of the given half-open ranges only.
func (r run) keep(ranges [][2]int) run {
	var rows []int32
	for _, span := range ranges {
		for i := max(span[0], 0); i < min(span[1], r.rows); i++ {
			rows = append(rows, int32(i))
		}
	}
	return r.take(rows)
}

// around returns the run with rows [from, to), which may reach over both ends: the run counts as a ring and has rows.
func (r run) around(from, to int) run {
	rows := make([]int32, 0, to-from)
	for i := from; i < to; i++ {
		rows = append(rows, int32((i%r.rows+r.rows)%r.rows))
	}
	return r.take(rows)
}

func (r run) take(rows []int32) run {
	taken := run{schema: r.schema, rows: len(rows)}
	for _, c := range r.cells {
		taken.cells = append(taken.cells, c.keep(rows))
	}
	return taken
}

// record makes a record of rows [from, to) with buffers of its own.
func (r run) record(mem memory.Allocator, from, to int) arrow.Record {
	columns := make([]arrow.Array, len(r.cells))
	for i, c := range r.cells {
		columns[i] = c.array(mem, from, to)
		defer columns[i].Release()
	}
	return array.NewRecord(r.schema, columns, int64(to-from))
}
