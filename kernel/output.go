package kernel

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"github.com/braidmerge/braid/aggfuncs"
	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// outputColumn is how a merge makes one column of its records.
type outputColumn struct {
	*column
	index int           // among those of the plan
	place int           // among the views of a batch
	pick  aggfuncs.Pick // of a column that neither a function nor a group decides on
	rule  aggfuncs.Rule // the merge's own instance of the function
	scope *scope        // what it shares with others; nil: nothing
}

// outputColumn makes the rule of a column for this merge.
func (m *merger) outputColumn(col int) (outputColumn, error) {
	c := &m.plan.columns[col]
	out := outputColumn{column: c, index: col, place: len(m.in.keys) + m.in.value(m.plan, col, c.plain()), pick: c.pick}
	if len(m.chooser.groups) > 0 && c.primary {
		out.pick = aggfuncs.LastRow
	}
	for _, g := range m.chooser.groups {
		if g.number == c.group {
			out.scope = &g.scope
		}
	}
	if c.function == nil {
		return out, nil
	}
	if m.plan.options.Engine == Aggregation {
		out.scope = &m.scope
	}
	var err error
	out.rule, err = c.function.rule()
	if err == nil && (out.rule.Function != nil) != c.function.folds {
		err = fmt.Errorf("%w: the factory of function %s made a Picker for one plan or merge and a Function for another", ErrInternalState, c.function.name)
	}
	return out, err
}

// picksLast says whether the column may have, of every key, the last row that counts and has a value.
func (o *outputColumn) picksLast() bool {
	pick := o.pick
	if o.function != nil {
		pick, _ = o.function.simple()
	}
	return pick == aggfuncs.LastNonNull
}

// foldsRest says whether the column has a function that begins with the first value of every key.
func (o *outputColumn) foldsRest() bool {
	_, ok := o.rule.Function.(aggfuncs.RestFolder)
	return ok
}

// choose finds the rows whose values count. Windows in which every row has a key of its own and none is a retract have
// nothing to choose.
func (m *merger) choose() error {
	w, k, c := &m.window, &m.masks, &m.columns
	first := m.plan.options.Engine == FirstRow
	w.masked = w.retracts || w.groups < w.rows && (m.plan.merges || first) || !m.plan.lone && m.plan.merges
	joined := m.levels != nil && m.levels.joins
	w.masked = w.masked || joined && m.plan.merges
	if m.supplied != nil {
		if err := m.supplied.read(w); err != nil {
			return err
		}
		w.masked = w.masked || !m.supplied.keeps(w)
	}
	if !w.masked {
		return nil
	}
	k.resize(w.rows)
	k.setEnds(w)
	validity.Singles(k.single, k.ends)
	if joined {
		m.levels.notAlone(k.single)
	}
	c.rows, c.has, c.pick = maskOf(c.rows, w.rows), maskOf(c.has, w.rows), maskOf(c.pick, w.rows)
	if w.retracts {
		return m.chooseRetracts()
	}
	copy(c.rows, k.ends)
	if first {
		validity.Starts(c.rows, k.ends, w.rows)
		c.sel = c.sel[:simd.SelectBits(c.sel[:w.rows], c.rows, w.words, w.form.idxBits)]
	}
	for _, g := range m.chooser.groups {
		g.judge(w, k.ends)
	}
	m.beginScopes(nil)
	switch {
	case m.supplied != nil:
		m.chooser.check(k, w)
		return m.chooseSupplied(nil, nil)
	case m.plan.options.Engine == PartialUpdate && len(m.chooser.groups) == 0:
		m.chooser.check(k, w)
		return m.refuseNulls()
	}
	return nil
}

// chooseSupplied finds the rows that supply each column. counts are the rows that count, blank those that supply nothing; they
// are nil when all count and supply.
func (m *merger) chooseSupplied(counts, blank []uint64) error {
	w, s, c := &m.window, m.supplied, &m.columns
	s.begin(w)
	if row, col := s.fallBack(m.plan, w, &c.staged, m.masks.checked); row >= 0 {
		return w.blame(w.staged(row), m.plan.columns[col].field.Name, ErrNotNull)
	}
	s.pick(w, &m.masks, counts, blank, c.rows)
	return nil
}

// chooseRetracts is choose for a window with a retract.
func (m *merger) chooseRetracts() error {
	w, k, c := &m.window, &m.masks, &m.columns
	k.setRetracts(w)
	if err := m.chooser.choose(k, w); err != nil {
		return err
	}
	if m.plan.merges && m.supplied == nil {
		if err := m.refuseNulls(); err != nil {
			return err
		}
	}
	m.plan.rows().Rows(c.rows, k.counts, k.ends)
	if !m.plan.merges {
		m.chooser.drop(k, c.rows)
	}
	c.sel = c.sel[:simd.SelectBits(c.sel[:w.rows], c.rows, w.words, w.form.idxBits)]
	if m.supplied != nil {
		return m.chooseSupplied(k.counts, k.set)
	}
	k.finish(c.rows)
	m.beginScopes(k.skip)
	return nil
}

// beginScopes hands the masks of the window over to the columns that functions or groups decide on. skip are the rows that the
// functions of the engine aggregation pass over.
func (m *merger) beginScopes(skip []uint64) {
	w, k, c := &m.window, &m.masks, &m.columns
	if m.folds {
		c.folds.begin(w, k, m.plan.lone)
	}
	if m.plan.options.Engine == Aggregation {
		m.scope.begin(w, k, m.plan.lone, skip, nil)
	}
	for _, g := range m.chooser.groups {
		g.scope.begin(w, k, m.plan.lone, g.skip, g.late)
	}
}

// refuseNulls makes an error of a NULL in a NOT NULL column, whether it is part of the output or read for its order.
func (m *merger) refuseNulls() error {
	for i, v := range m.in.values {
		if rule := &m.plan.columns[v.col]; rule.notNull && !v.kindOnly {
			if err := m.columns.checkNulls(&m.window, &m.masks, rule, len(m.in.keys)+i); err != nil {
				return err
			}
		}
	}
	return nil
}

// makeColumns makes the columns of the record, the system columns first.
func (m *merger) makeColumns() (cols []arrow.Array, err error) {
	cols = make([]arrow.Array, 0, m.schema.NumFields())
	complete := false // a function of the caller's may panic
	defer func() {
		m.columns.release()
		if !complete {
			releaseAll(cols)
		}
	}()
	if m.cfg.keepSystem {
		if cols, err = m.systemColumns(cols); err != nil {
			return cols, err
		}
	}
	for i := range m.output {
		out := &m.output[i]
		m.expect(i + 1)
		data, err := m.makeColumn(out)
		if err != nil {
			return cols, m.window.culprit(out.place, out.field.Name, err)
		}
		cols = append(cols, array.MakeFromData(data))
		data.Release()
	}
	complete = true
	return cols, nil
}

// expect tells what is staged which column of the record comes next.
func (m *merger) expect(i int) {
	w, staged := &m.window, &m.columns.staged
	staged.Expect(nil)
	if i == len(m.output) {
		return
	}
	place := m.output[i].place
	if key := m.columns.keyAt(w, place); m.columns.inWords(w, key) || key >= 0 && m.in.at(place).layout.IsText() {
		return // it comes out of words, or texts that have been located
	}
	shape := w.column(place)
	w.rare.skip(shape, w)
	staged.Expect(shape)
}

// makeColumn makes one column of the record.
func (m *merger) makeColumn(out *outputColumn) (arrow.ArrayData, error) {
	data, err := m.valuesOf(out)
	switch {
	case err != nil:
		return nil, err
	case m.in.at(out.place).views != nil:
		return m.viewed(out, data)
	case out.plain():
		return m.encode(out, data)
	}
	return data, nil
}

// valuesOf makes the values of one column.
func (m *merger) valuesOf(out *outputColumn) (arrow.ArrayData, error) {
	w, k, c, s := &m.window, &m.masks, &m.columns, out.scope
	switch {
	case m.supplied != nil && w.masked && out.index == m.plan.supplied:
		return m.supplied.bytes(c, w, k, m.output, m.plan.lone)
	case m.supplied != nil && w.masked:
		return m.supplied.column(c, w, k, out, out.index)
	case s == nil || !w.masked:
		return c.column(w, k, out.pick, out.place)
	case out.orders:
		return c.chosen(out.place, w.column(out.place), s.sequenceRows(w), nil)
	case out.function == nil:
		return c.chosen(out.place, w.column(out.place), s.protectedRows(w), nil)
	case out.rule.Picker == nil:
		return c.fold(w, k, s, out.function, out.rule.Function, out.place)
	}
	if pick, ok := out.function.simple(); ok && s.plain() {
		return c.column(w, k, pick, out.place)
	}
	return c.picked(w, s, out.function, out.rule.Picker, out.place)
}
