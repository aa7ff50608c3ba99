package kernel

import (
	"context"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/columnar"
)

// changes makes the changelog of windows. Of every key it knows the row that was there before, a row of the window, and the
// result of the merge, and lists what changed by the kinds of the two; columns are compared only for keys that have both.
//
//	before     a +I    none    c +I    d +I
//	after      a +I    b +I    c -D    d +I, all values equal
//	changes    a -U a +U   b +I   c -D            none if the table deduplicates
type changes struct {
	producer ChangelogProducer
	firstRow bool
	keep     bool       // retracts stay in the result
	compared []compared // the columns that tell equal rows; nil: an update is a change whatever it has
	schema   *arrow.Schema
	record   arrow.Record // of the window at hand, until it is handed over
	finder   finder

	results []arrow.ArrayData // of the window: the values of a column of all results
	views   []columnar.View   // of results
	bytes   int64             // of results
	start   int               // results are staged from here on
	keys    []uint32          // a row of the key of every result
	numbers []int64           // sequence numbers of the results
	kinds   []int8            // of the results

	after []int32  // by key: its result, -1 if it has none
	kept  []uint32 // results that stay, as staged rows
	pairs []pairOf // keys with both, in key order
	live  []uint32 // pairs whose columns are equal so far
	ask   []uint32 // scratch
	same  []uint32 // scratch
	list  []entry
	spare []entry // scratch: list before its pairs are put in

	keyRows []uint32 // scratch
}

// compared is a column of the output whose values are compared.
type compared struct {
	at       int
	equality aggfuncs.Equality
}

// pairOf is the row of a key that was there before, as a staged row, and its result.
type pairOf struct{ before, after uint32 }

// entry is a row of the changelog.
type entry struct {
	row    uint32 // staged, where results are rows from start on
	key    uint32 // a staged row of its key
	number int64
	kind   int8
}

func newChanges(m *merger) *changes {
	o := &m.plan.options
	c := &changes{producer: o.Changelog, firstRow: o.Engine == FirstRow, keep: m.cfg.keepDeletes && o.Changelog != ChangelogFullCompaction}
	if o.ChangelogRowDeduplicate {
		c.compared = []compared{}
		for i := range m.output {
			out := &m.output[i]
			if !slices.Contains(o.ChangelogIgnoreFields, out.field.Name) {
				c.compared = append(c.compared, compared{i, aggfuncs.NewEquality(m.in.at(out.place).staged)})
			}
		}
	}
	c.schema = m.outputSchema(true)
	return c
}

// lookUp completes the window with rows of the levels above, if they are to be looked up.
func (c *changes) lookUp(ctx context.Context, m *merger) error {
	if find := m.cfg.changelog.Find; find != nil {
		return c.finder.find(ctx, m, find)
	}
	return nil
}

// merge makes the record of the window, whose rows have been chosen, and its changelog.
func (c *changes) merge(m *merger) (arrow.Record, error) {
	defer c.forget(m)
	if err := c.merged(m); err != nil {
		return nil, err
	}
	if err := c.decide(m); err != nil {
		return nil, err
	}
	result, err := c.result(m)
	if err != nil {
		return nil, err
	}
	if len(c.list) > 0 {
		if c.record, err = c.changelog(m); err != nil {
			releaseRecord(result)
			return nil, err
		}
	}
	if result == nil && c.record != nil {
		return emptyRecord(m.schema), nil
	}
	return result, nil
}

// merged has the columns make the values of all results, and their keys, numbers and kinds.
func (c *changes) merged(m *merger) error {
	c.bytes = 0
	for i := range m.output {
		out := &m.output[i]
		data, err := m.valuesOf(out)
		if err != nil {
			return m.window.culprit(out.place, out.field.Name, err)
		}
		c.results = append(c.results, data)
		c.bytes += dataBytes(data)
		v, err := columnar.NewView(data)
		if err != nil {
			return err
		}
		c.views = append(c.views, v)
	}
	c.start = foldedAt(&m.window)
	c.keys = append(c.keys[:0], m.keyRows()...)
	numbers, kinds := m.sequenceColumn(), m.kindColumn()
	c.numbers = append(c.numbers[:0], numbers.(*array.Int64).Int64Values()...)
	c.kinds = append(c.kinds[:0], kinds.(*array.Int8).Int8Values()...)
	numbers.Release()
	kinds.Release()
	return nil
}

// forget gives back what has been made for the window.
func (c *changes) forget(m *merger) {
	m.columns.release()
	for _, data := range c.results {
		data.Release()
	}
	clear(c.results)
	clear(c.views)
	c.results, c.views = c.results[:0], c.views[:0]
}

// close releases changes that nobody has taken.
func (c *changes) close() {
	releaseRecord(c.record)
	c.record = nil
}

// decide lists the results that stay and the changes.
func (c *changes) decide(m *merger) error {
	c.kept, c.list, c.pairs = c.kept[:0], c.list[:0], c.pairs[:0]
	if c.producer == ChangelogInput {
		for i := range c.keys {
			c.kept = append(c.kept, uint32(c.start+i))
		}
		c.listRows(m)
		return nil
	}
	c.matchKeys(m)
	decided := c.decideFull
	switch {
	case c.firstRow:
		decided = c.decideFirst
	case c.producer == ChangelogLookup:
		decided = c.decideLookup
	}
	for key, after := range c.after {
		if before := decided(m, key, after); before != noRow {
			c.pairs = append(c.pairs, pairOf{before, uint32(after)})
			c.list = append(c.list, entry{row: noRow})
		}
	}
	return c.listPairs(m)
}

// listRows lists all rows of the window as they came, in merged order.
func (c *changes) listRows(m *merger) {
	w := &m.window
	for _, word := range w.words[:w.rows] {
		row := uint32(word & w.form.idxMask())
		c.list = append(c.list, c.input(m, row, int8(w.kinds[row])))
	}
}

// matchKeys finds the result of every key.
func (c *changes) matchKeys(m *merger) {
	w := &m.window
	c.after = slices.Grow(c.after[:0], w.groups)[:w.groups]
	if !w.masked {
		for i := range c.after {
			c.after[i] = int32(i)
		}
		return
	}
	for i := range c.after {
		c.after[i] = -1
	}
	key, result := 0, int32(0)
	for q, ends := range m.masks.ends {
		for rows := m.columns.rows[q]; rows != 0; rows &= rows - 1 {
			below := uint64(1)<<bits.TrailingZeros64(rows) - 1
			c.after[key+bits.OnesCount64(ends&below)] = result
			result++
		}
		key += bits.OnesCount64(ends)
	}
}

// decideLookup is the producer lookup for one key. It returns the row that was there before, if it has become another, else
// noRow.
func (c *changes) decideLookup(m *merger, key int, after int32) (before uint32) {
	before, fresh := m.levels.base[key], m.levels.traits[key]&traitFresh != 0
	if after < 0 {
		return noRow
	}
	was := before != noRow && !isRetract(int8(m.window.kinds[before]))
	is := !isRetract(c.kinds[after])
	if is || c.keep {
		c.kept = append(c.kept, uint32(c.start)+uint32(after))
	}
	switch {
	case !fresh:
	case was && is:
		return before
	case was:
		c.list = append(c.list, c.input(m, before, kindDelete))
	case is:
		c.list = append(c.list, c.output(after, kindInsert))
	}
	return noRow
}

// decideFirst is the producer lookup for one key of first-row.
func (c *changes) decideFirst(m *merger, key int, after int32) (before uint32) {
	traits := m.levels.traits[key]
	if after < 0 || traits&(traitHigh|traitHigher) == traitHigher {
		return noRow
	}
	c.kept = append(c.kept, uint32(c.start)+uint32(after))
	if traits&traitHigh == 0 {
		c.list = append(c.list, c.output(after, c.kinds[after]))
	}
	return noRow
}

// decideFull is the producer full-compaction for one key.
func (c *changes) decideFull(m *merger, key int, after int32) (before uint32) {
	before, single := m.levels.base[key], m.levels.traits[key]&traitSingle != 0
	is := after >= 0 && !isRetract(c.kinds[after])
	if is {
		c.kept = append(c.kept, uint32(c.start)+uint32(after))
	}
	switch {
	case before == noRow && is:
		c.list = append(c.list, c.output(after, kindInsert))
	case before == noRow || single:
	case is:
		return before
	default:
		c.list = append(c.list, c.input(m, before, kindDelete))
	}
	return noRow
}

// input makes a change of a row of the window.
func (c *changes) input(m *merger, row uint32, kind int8) entry {
	number := int64(-1)
	if m.in.sequenced {
		number = m.versions.number(int(row))
	}
	return entry{row: row, key: row, number: number, kind: kind}
}

// output makes a change of a result.
func (c *changes) output(after int32, kind int8) entry {
	return entry{row: uint32(c.start) + uint32(after), key: c.keys[after], number: c.numbers[after], kind: kind}
}
