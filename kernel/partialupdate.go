package kernel

import (
	"github.com/braidmerge/braid/validity"
)

// partialUpdate walks the keys that have a retract (docs/semantics.md, "Partial-update") and sets, for each, which rows
// count, whether the result is a -D, and where its sequence number comes from. A result that is dropped counts no row.
func (c *chooser) partialUpdate(m *masks, w *window) error {
	o := &c.plan.options
	if !o.IgnoreDelete && !o.RemoveRecordOnDelete {
		if err := c.refuse(m, w, "partial-update takes no retract; the options ignore-delete and "+
			"partial-update.remove-record-on-delete say what to do with them"); err != nil {
			return err
		}
	}
	for at := validity.Next(m.retract, 0); at >= 0; {
		g := groupAt(m, at)
		switch {
		case c.passes(m, g):
			if !c.keepDeletes {
				m.leaveOut(g)
			}
		case o.IgnoreDelete:
			c.ignoreDeletes(m, g)
		default:
			c.removeOnDelete(m, w, g)
		}
		at = validity.Next(m.retract, g.to)
	}
	return nil
}

// leaveOut makes a key have no result.
func (m *masks) leaveOut(g group) {
	validity.ClearRange(m.counts, g.from, g.to)
	validity.ClearRange(m.number, g.from, g.to)
}

// group is the rows [from, to) of one key.
type group struct{ from, to int }

// groupAt returns the group of a row.
func groupAt(m *masks, row int) group {
	return group{from: validity.Prev(m.ends, row) + 1, to: validity.Next(m.ends, row) + 1}
}

// ignoreDeletes passes over the retracts of a key. By default the very first row gives its values even if it is one; strict,
// it leaves no trace, and a key of retracts alone has no result.
func (c *chooser) ignoreDeletes(m *masks, g group) {
	last := -1 // the last add
	for i := g.from; i < g.to; i++ {
		if !validity.Get(m.retract, i) {
			last = i
		} else if i > g.from || c.plan.options.Strict {
			validity.Clear(m.counts, i)
			validity.Clear(m.checked, i)
		}
	}
	if last >= 0 {
		validity.Clear(m.number, g.to-1)
		validity.Set(m.number, last)
	} else {
		validity.Set(m.zero, g.to-1)
	}
	if c.result(m, g, last < 0); last < 0 && c.plan.options.Strict {
		m.leaveOut(g)
	}
}

// removeOnDelete lets the last -D of a key forget what was before it. By default its values are what later adds build on,
// and a -U brings the row back; strict, later adds start from an empty row, and only they bring it back.
func (c *chooser) removeOnDelete(m *masks, w *window, g group) {
	strict := c.plan.options.Strict
	removed, lastAdd := -1, -1
	for i := g.from; i < g.to; i++ {
		kind := w.kind(i)
		switch {
		case kind == kindDelete:
			removed = i
		case !isRetract(kind):
			lastAdd = i
		case i > g.from: // a -U gives no values
			validity.Clear(m.counts, i)
			validity.Clear(m.checked, i)
		}
	}
	base := max(removed, g.from)
	validity.ClearRange(m.counts, g.from, base)
	var dead bool
	if strict && removed >= 0 {
		dead = lastAdd < removed
		if !dead {
			validity.Clear(m.counts, removed)
		}
	} else {
		dead = lastAdd < 0 || removed == g.to-1
	}
	c.result(m, g, dead)
}

// result notes whether the result of a key is a -D, and leaves it out if those are dropped.
func (c *chooser) result(m *masks, g group, dead bool) {
	if !dead {
		return
	}
	validity.Set(m.dead, g.to-1)
	if !c.keepDeletes {
		m.leaveOut(g)
	}
}
