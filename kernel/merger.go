package kernel

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// merger turns windows into records, one after another. It owns all scratch memory for that; what it shares with other mergers
// of the same runs it only reads.
type merger struct {
	plan   *Plan
	in     *inputs
	folds  bool // a column has a function
	output []outputColumn
	schema *arrow.Schema
	cfg    *config
	stats  *stats
	clock  clock

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

	promised bool  // a run promises unique keys
	turn     *turn // of the window at hand, until it is finished
	shrunk   int   // what the feed's was when the scratch was last made smaller
	bytes    int64 // of the record made last
	held     int64 // of scratch and that record, as last counted
}

// newMerger makes a merger of the inputs, which have been prepared.
func newMerger(p *Plan, in *inputs, output []int, c *config, s *stats) (*merger, error) {
	m := &merger{plan: p, in: in, cfg: c, stats: s}
	if p.supplied >= 0 {
		m.supplied = newSupplied(p, in, output)
	}
	m.chooser = chooser{plan: p, groups: p.sequenceGroups(in), keepDeletes: c.keepDeletes}
	for _, col := range output {
		out, err := m.outputColumn(col)
		if err != nil {
			return nil, err
		}
		m.output = append(m.output, out)
		m.folds = m.folds || out.function != nil
	}
	m.schema = m.outputSchema(c.keepSystem)
	if c.byLevel && p.options.Engine != FirstRow {
		m.levels = &levels{lowest: true}
	}
	if c.changelog != nil {
		m.makeChangelog()
	}
	m.versions.descending = p.options.SequenceDescending
	for _, col := range p.order {
		m.versions.fields = append(m.versions.fields, p.orderField(in, col))
	}
	m.columns = columns{in: in, mem: c.mem}
	for i := range m.output {
		if out := &m.output[i]; out.picksLast() || out.foldsRest() {
			m.columns.merged.places = append(m.columns.merged.places, out.place)
		}
	}
	return m, nil
}

// result is what one window has become: no record if nothing is left of it.
type result struct {
	record  arrow.Record
	changes arrow.Record // the changelog, if one is made and there are changes
	bytes   int64        // of the record
}

func (r result) release() {
	releaseRecord(r.record)
	releaseRecord(r.changes)
}

// finish merges the window at hand.
func (m *merger) finish() (result, error) {
	m.columns.borrowed = 0
	rec, err := m.merge()
	m.window.keyValues.forget()
	m.columns.staged.LetGo()
	m.bytes = m.ownBytes(rec)
	m.count()
	m.stats.update(func(n *Stats) {
		n.Windows++
		n.countWay(m.orderer.way)
		n.Groups += int64(m.window.groups)
	})
	return result{record: rec, changes: m.takeChanges(), bytes: m.bytes}, err
}

// merge makes the record of the window.
func (m *merger) merge() (arrow.Record, error) {
	w := &m.window
	if staged := m.orderer.order(w, m.in); staged >= 0 {
		return nil, m.unsorted(staged)
	}
	order := m.clock.lap()
	if err := m.group(); err != nil {
		return nil, err
	}
	if m.levels != nil {
		if err := m.readLevels(); err != nil || w.rows == 0 {
			return nil, err
		}
	}
	groups := m.clock.lap()
	if err := m.choose(); err != nil {
		return nil, err
	}
	m.columns.survey(w)
	masks := m.clock.lap()
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
	columns := m.clock.lap()
	rec := newRecord(m.schema, cols, len(m.columns.sel))
	assemble := m.clock.lap()
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
