package kernel

import (
	"context"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/internal/cputier"
	"github.com/braidmerge/braid/internal/invariants"
)

// merger turns windows into records, one after another.
type merger struct {
	plan     *Plan
	in       *inputs
	folds    bool  // a column has a function
	slices   bool  // rows without a rival may be passed on as they are
	maxRows  int   // that a record may have
	promised bool  // a run promises unique keys
	bytes    int64 // of the record made last
	output   []outputColumn
	schema   *arrow.Schema
	cfg      *config
	stats    *stats

	cutter   cutter
	window   window
	orderer  orderer
	versions versions
	masks    masks
	chooser  chooser
	columns  columns
	supplied *supplied // of partial-update-validity
	scope    scope     // of all columns, under the engine aggregation
	keySel   []uint32  // scratch of keyRows
	levels   *levels   // nil: levels have no influence
	changes  *changes  // nil: no changelog is made
}

func newMerger(p *Plan, runs []Run, output []int, c *config, s *stats) (*merger, error) {
	m := &merger{plan: p, in: p.inputs(output), cfg: c, stats: s}
	if err := m.in.prepare(c.plain, c.mem); err != nil {
		m.in.release()
		return nil, err
	}
	m.slices = !c.copied && (p.lone || !p.merges)
	if p.supplied >= 0 {
		m.supplied = newSupplied(p, m.in, output)
		m.slices = m.slices && m.supplied.ordered
	}
	m.maxRows = math.MaxInt
	m.chooser = chooser{plan: p, groups: p.sequenceGroups(m.in), keepDeletes: c.keepDeletes}
	for _, col := range output {
		out, err := m.outputColumn(col)
		if err != nil {
			m.in.release()
			return nil, err
		}
		m.output = append(m.output, out)
		m.folds = m.folds || out.function != nil
		encoding := m.in.at(out.place).encoding
		m.slices = m.slices && encoding.Identity()
		m.maxRows = min(m.maxRows, encoding.MaxRows())
	}
	m.schema = m.outputSchema(c.keepSystem)
	for i, run := range runs {
		m.promised = m.promised || run.UniqueKeys
		c := &cursor{run: run, number: i, in: m.in}
		c.source = source{files: run.Files, in: m.in}
		m.cutter.cursors = append(m.cutter.cursors, c)
	}
	if c.byLevel && p.options.Engine != FirstRow {
		m.levels = &levels{lowest: true}
	}
	if c.changelog != nil {
		m.makeChangelog()
	}
	m.setTarget(m.windowRows())
	m.cutter.bytes = c.batchBytes
	if c.memoryLimit > 0 {
		m.cutter.bytes = min(m.cutter.bytes, c.memoryLimit/4)
	}
	m.cutter.bytes /= int64(max(1, len(m.cutter.cursors)))
	m.versions.descending = p.options.SequenceDescending
	for _, col := range p.order {
		m.versions.fields = append(m.versions.fields, p.orderField(m.in, col))
	}
	m.columns = columns{in: m.in, mem: c.mem}
	return m, nil
}

// windowRows is how many rows a window has at best: its words and one staged column should fit the L2 cache, and many runs
// want longer slices.
func (m *merger) windowRows() int {
	rows := 1 << 15
	if len(m.cutter.cursors) > 2*cascadeRuns || cputier.L2Bytes() >= 1<<20 {
		rows = 1 << 16
	}
	if invariants.Sometimes(50) {
		rows = 64
	}
	return min(rows, m.maxRows)
}

func (m *merger) setTarget(rows int) {
	m.cutter.target = rows
	for _, c := range m.cutter.cursors {
		c.share = max(1, rows/len(m.cutter.cursors))
	}
}

// open looks at the key ranges of all files and opens the first of every run, unless it sleeps, so that what is wrong with
// them shows at once.
func (m *merger) open(ctx context.Context) error {
	for _, c := range m.cutter.cursors {
		if err := c.open(ctx, m.stats); err != nil {
			return c.blame(err)
		}
	}
	return nil
}

// next returns the record of the next window, nil if it has no result. more is false at the end.
func (m *merger) next(ctx context.Context) (rec arrow.Record, more bool, err error) {
	m.stats.lap()
	more, err = m.cutter.start(ctx, m.stats)
	if err != nil || !more {
		return nil, false, err
	}
	if m.slices && !invariants.Sometimes(20) {
		rec, err := m.slice(ctx)
		if rec != nil || err != nil {
			return rec, true, err
		}
	}
	if err := m.cut(ctx); err != nil {
		return nil, false, err
	}
	if m.changes != nil {
		if err := m.changes.lookUp(ctx, m); err != nil {
			return nil, false, err
		}
	}
	cut, read := m.stats.cutLap()
	rec, err = m.merge()
	m.bytes = bytesOf(rec)
	held := m.memory()
	m.recycle()
	m.stats.update(func(n *Stats) {
		n.Windows++
		n.Groups += int64(m.window.groups)
		n.Times.Cut += cut
		n.Times.Read += read
		n.MemoryHigh = max(n.MemoryHigh, held)
	})
	return rec, true, err
}

// cut fills the window.
func (m *merger) cut(ctx context.Context) error {
	if err := m.fit(ctx); err != nil {
		return err
	}
	w := &m.window
	w.reset()
	for _, c := range m.cutter.live {
		if c.count > 0 {
			if err := c.continues(); err != nil {
				return err
			}
			c.pieces(w)
		}
	}
	w.seal()
	for _, c := range m.cutter.live {
		c.take(c.count, w)
	}
	return nil
}

// merge makes the record of the window.
func (m *merger) merge() (arrow.Record, error) {
	w := &m.window
	if staged := m.orderer.order(w, m.in); staged >= 0 {
		return nil, m.unsorted(staged)
	}
	order := m.stats.lap()
	if err := m.group(); err != nil {
		return nil, err
	}
	if m.levels != nil {
		if err := m.readLevels(); err != nil || w.rows == 0 {
			return nil, err
		}
	}
	groups := m.stats.lap()
	if err := m.choose(); err != nil {
		return nil, err
	}
	w.rare.find(w, m.columns.sel)
	masks := m.stats.lap()
	if m.changes != nil {
		return m.changes.merge(m)
	}
	if len(m.columns.sel) == 0 && !m.folds {
		return nil, nil
	}
	cols, err := m.makeColumns()
	if err != nil {
		return nil, err
	}
	if len(m.columns.sel) == 0 {
		releaseAll(cols) // functions have been asked for their errors
		return nil, nil
	}
	columns := m.stats.lap()
	rec := newRecord(m.schema, cols, len(m.columns.sel))
	assemble := m.stats.lap()
	m.stats.update(func(n *Stats) {
		n.Times.Order += order
		n.Tied += int64(m.orderer.tied)
		if m.orderer.paired {
			n.Paired++
		}
		n.Times.Groups += groups
		n.Times.Masks += masks
		n.Times.Columns += columns
		n.Times.Assemble += assemble
	})
	return rec, nil
}

// group finds the keys of the window and puts the versions of each in order.
func (m *merger) group() error {
	w, c := &m.window, &m.columns
	w.groups = c.selectEnds(w)
	w.lookForRetracts()
	if w.retracts || m.cfg.keepSystem || m.changes != nil {
		w.stageKinds()
	}
	if w.groups == w.rows {
		return nil
	}
	if m.promised {
		if err := m.refuseRepeats(); err != nil {
			return err
		}
	}
	if len(m.versions.fields) > 0 || m.in.sequenced {
		m.masks.resize(w.rows)
		m.masks.setEnds(w)
		if m.changes != nil {
			m.versions.higher = w.higher()
		}
		var kinds []byte
		if w.retracts {
			kinds = w.kinds
		}
		m.versions.settle(w, m.masks.ends, kinds, m.in.sequenced)
		c.selectEnds(w)
	}
	return nil
}

// refuseRepeats looks for a key that comes twice in a run that promised unique keys: rows that follow one another in
// their run and in merged order.
func (m *merger) refuseRepeats() error {
	w := &m.window
	for i := 1; i < w.rows; i++ {
		a, b := w.words[i-1], w.words[i]
		if b-a != 1 {
			continue
		}
		if p, row := w.locate(w.staged(i)); p.cursor.run.UniqueKeys {
			return p.cursor.blame(p.cursor.ordered(p.batch, row, 0))
		}
	}
	return nil
}

// recycle gives back the batches that no run has rows of any more.
func (m *merger) recycle() {
	for _, u := range m.window.used {
		m.stats.held -= u.batch.bytes
		u.cursor.recycle(u.batch)
	}
	m.window.used = m.window.used[:0]
}

// close releases everything. It may be called again.
func (m *merger) close() {
	m.recycle()
	for _, c := range m.cutter.cursors {
		c.close()
	}
	if m.changes != nil {
		m.changes.close()
	}
	m.in.release()
}

func newRecord(schema *arrow.Schema, cols []arrow.Array, rows int) arrow.Record {
	rec := array.NewRecord(schema, cols, int64(rows))
	releaseAll(cols)
	return rec
}

func releaseAll(cols []arrow.Array) {
	for _, col := range cols {
		col.Release()
	}
}

// unsorted makes an error of a staged row whose key is below the one before it in its run.
func (m *merger) unsorted(staged int) error {
	p, row := m.window.locate(staged)
	err := p.batch.blame(row, "", ErrUnsorted)
	err.Key = keyText(p.batch.keyViews(m.in), row)
	return p.cursor.blame(err)
}
