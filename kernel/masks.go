package kernel

import (
	"fmt"

	"github.com/braidmerge/braid/simd"
	"github.com/braidmerge/braid/validity"
)

// masks are the bitmaps over the rows of a window in merged order that its columns share.
type masks struct {
	ends    []uint64 // last row of its key
	single  []uint64 // alone with its key
	retract []uint64 // -U or -D
	counts  []uint64 // takes part in the result of its key; a key without such a row has no result
	checked []uint64 // NULL in a NOT NULL column is an error here
	dead    []uint64 // at group ends: the merged result is a -D
	number  []uint64 // one row a key with a result: the row whose sequence number the result has
	zero    []uint64 // at the rows of number: the sequence number is 0 instead
	drop    []uint64 // at group ends: the key has no result
	set     []uint64 // the values of this row replace what is there, in all columns
	forget  []uint64 // what is there is forgotten before this row
	skip    []uint64 // the functions of the engine aggregation pass over this row

	flags []byte // scratch: one byte a staged row
}

func (m *masks) resize(n int) {
	words := validity.Words(n)
	for _, p := range []*[]uint64{&m.ends, &m.single, &m.retract, &m.counts, &m.checked, &m.dead, &m.number, &m.zero,
		&m.drop, &m.set, &m.forget, &m.skip} {
		if cap(*p) < words {
			*p = make([]uint64, words+words/4+1)
		}
		*p = (*p)[:words]
	}
}

// setEnds finds the group ends and returns how many groups there are.
func (m *masks) setEnds(w *window) int {
	return simd.GroupEnds(m.ends, w.words, w.rows, w.form.idxBits)
}

// setRetracts brings the retracts of the window into merged order.
func (m *masks) setRetracts(w *window) {
	if len(m.flags) < w.room {
		m.flags = make([]byte, w.room+w.room/4)
	}
	for i, kind := range w.kinds[:w.room] {
		m.flags[i] = kind & 1
	}
	simd.MergeBits(m.retract, m.flags, w.words, w.rows, w.form.idxBits)
}

// chooser applies the row kinds of a window by the rules of the plan's engine. It is used only for windows with a retract:
// in the others every row counts.
type chooser struct {
	plan        *Plan
	groups      []*sequenceGroup // of partial-update, those with a column at hand
	keepDeletes bool
}

// choose fills counts and the masks that depend on it from ends, single and retract.
func (c *chooser) choose(m *masks, w *window) error {
	clear(m.dead)
	clear(m.zero)
	clear(m.set)
	clear(m.forget)
	copy(m.number, m.ends)
	validity.Fill(m.counts, w.rows)
	switch o := &c.plan.options; {
	case o.Engine == Aggregation:
		c.aggregate(m, w)
	case o.Engine == PartialUpdateValidity:
		c.check(m, w)
		return c.suppliedUpdate(m, w)
	case o.Engine == PartialUpdate && len(c.groups) > 0:
		c.groupedUpdate(m, w)
	case o.Engine == PartialUpdate:
		c.check(m, w)
		return c.partialUpdate(m, w)
	case o.IgnoreDelete:
		for i := range m.counts {
			m.counts[i] &^= m.retract[i] &^ c.alone(m, i)
		}
	case o.Engine == FirstRow:
		return c.refuse(m, w, "first-row takes no retract; the option ignore-delete passes over them")
	}
	return nil
}

// check sets the rows in which NULL is refused: all but those that pass unchanged.
func (c *chooser) check(m *masks, w *window) {
	validity.Fill(m.checked, w.rows)
	for i := range m.checked {
		m.checked[i] &^= c.alone(m, i)
	}
}

// finish finds the keys without a result: rows has one row for every key with one.
func (m *masks) finish(rows []uint64) {
	validity.Hits(m.drop, rows, m.ends)
	for i, e := range m.ends {
		m.drop[i] = e &^ m.drop[i]
	}
}

// alone returns the rows of word i of a mask that pass unchanged because they are alone with their key.
func (c *chooser) alone(m *masks, i int) uint64 {
	if c.plan.lone {
		return m.single[i]
	}
	return 0
}

// passes says whether a key's rows pass unchanged: it is one row, alone with its key.
func (c *chooser) passes(m *masks, g group) bool {
	return c.plan.lone && validity.Get(m.single, g.from)
}

// refuse makes an error of the first retract that does not pass unchanged.
func (c *chooser) refuse(m *masks, w *window, why string) error {
	for i, r := range m.retract {
		if r &^= c.alone(m, i); r != 0 {
			at := validity.Next([]uint64{r}, 0) + i<<6
			return w.blame(w.staged(at), "", fmt.Errorf("%w: %s", ErrRetract, why))
		}
	}
	return nil
}

// drop takes the results that are retracts out of rows, which has one row a result.
func (c *chooser) drop(m *masks, rows []uint64) {
	if c.keepDeletes {
		return
	}
	for i := range rows {
		rows[i] &^= m.retract[i]
	}
}
