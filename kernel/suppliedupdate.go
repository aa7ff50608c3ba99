package kernel

import "github.com/braidmerge/braid/validity"

// suppliedUpdate sets what retracts mean to partial-update-validity (docs/semantics.md, "Partial-update-validity"): they are
// refused, passed over without a trace, or a -D removes the row. m.set are the rows that supply nothing.
func (c *chooser) suppliedUpdate(m *masks, w *window) error {
	o := &c.plan.options
	if !o.IgnoreDelete && !o.RemoveRecordOnDelete {
		if err := c.refuse(m, w, "partial-update-validity takes no retract; the options ignore-delete and "+
			"partial-update.remove-record-on-delete say what to do with them"); err != nil {
			return err
		}
	}
	for i := range m.checked {
		m.checked[i] &^= m.retract[i]
	}
	for at := validity.Next(m.retract, 0); at >= 0; {
		g := groupAt(m, at)
		if !c.passes(m, g) {
			c.suppliedKey(m, w, g)
		} else if !c.keepDeletes {
			m.leaveOut(g)
		}
		at = validity.Next(m.retract, g.to)
	}
	return nil
}

// suppliedKey applies the retracts of one key. Without an add the last version gives the values, as a -D.
func (c *chooser) suppliedKey(m *masks, w *window, g group) {
	o := &c.plan.options
	removed, lastAdd := -1, -1
	for i := g.from; i < g.to; i++ {
		if kind := w.kind(i); !isRetract(kind) {
			lastAdd = i
		} else if validity.Clear(m.counts, i); kind == kindDelete {
			removed = i
		}
	}
	switch {
	case lastAdd < 0:
		validity.Set(m.counts, g.to-1)
		validity.Set(m.set, g.to-1)
	case o.IgnoreDelete:
		validity.Clear(m.number, g.to-1)
		validity.Set(m.number, lastAdd)
	case removed >= 0:
		validity.ClearRange(m.counts, g.from, removed)
		validity.Set(m.counts, removed)
		validity.Set(m.set, removed)
	}
	c.result(m, g, lastAdd < 0 || o.RemoveRecordOnDelete && lastAdd < removed)
	if lastAdd < 0 && o.IgnoreDelete && o.Strict {
		m.leaveOut(g)
	}
}
