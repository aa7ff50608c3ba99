package kernel

import "github.com/braidmerge/braid/validity"

// groupedUpdate sets what retracts mean to a partial update with sequence groups (docs/semantics.md, "Sequence groups"). Keys
// with a retract are walked, for all groups at once.
func (c *chooser) groupedUpdate(m *masks, w *window) {
	clear(m.checked)
	for _, g := range c.groups {
		g.judge(w, m.ends)
	}
	for at := validity.Next(m.retract, 0); at >= 0; {
		g := groupAt(m, at)
		if !c.passes(m, g) {
			c.walkGroups(m, w, g)
		} else if !c.keepDeletes {
			m.leaveOut(g)
		}
		at = validity.Next(m.retract, g.to)
	}
}

// updateWalk is what there is of a row of partial-update while the versions of its key are walked.
type updateWalk struct {
	filled  bool // it has been written to
	added   bool // by an add
	deleted bool
	remover *sequenceGroup // strict: the group whose delete removed it
	last    int            // the version whose sequence number it has, -1 for none
}

// walkGroups walks the versions of a key.
func (c *chooser) walkGroups(m *masks, w *window, g group) {
	for _, s := range c.groups {
		validity.ClearRange(s.skip, g.from, g.to)
		validity.ClearRange(s.late, g.from, g.to)
		s.top = -1
	}
	u := updateWalk{last: -1}
	for i := g.from; i < g.to; i++ {
		if validity.Get(m.retract, i) {
			c.walkRetract(m, w, &u, g, i)
		} else {
			c.walkAdd(m, w, &u, g, i)
		}
	}
	if u.last < 0 {
		validity.Set(m.zero, g.to-1)
	} else {
		validity.Clear(m.number, g.to-1)
		validity.Set(m.number, u.last)
	}
	if c.result(m, g, u.deleted || !u.added); !u.filled {
		m.leaveOut(g)
	}
}

// walkAdd is an add. In strict mode a row that a group has removed comes back, empty, only with an add in order for that group.
func (c *chooser) walkAdd(m *masks, w *window, u *updateWalk, g group, i int) {
	u.last = i
	if r := u.remover; r != nil {
		if at := w.staged(i); !r.applies(at) || !r.inOrder(w, at) {
			c.passOver(m, i)
			return
		}
		validity.Set(m.forget, i)
		validity.ClearRange(m.counts, g.from, i)
		u.remover = nil
	}
	u.deleted, u.filled, u.added = false, true, true
	for _, s := range c.groups {
		s.judgeRow(w, i)
	}
}

// walkRetract is a retract. The first version of a key, if it is one, gives all its values. After that the groups take theirs
// back, unless a -D is in order for a group that removes the row: its values are the row then.
func (c *chooser) walkRetract(m *masks, w *window, u *updateWalk, g group, i int) {
	o := &c.plan.options
	if o.IgnoreDelete && (o.Strict || u.filled) {
		u.deleted = false
		c.passOver(m, i)
		return
	}
	before, first := u.deleted, !u.filled
	u.deleted = false
	if first {
		c.replace(m, w, g, i)
		u.filled = true
	} else {
		validity.Clear(m.counts, i)
	}
	if o.IgnoreDelete {
		c.skipAll(i)
		return
	}
	u.last = i
	if remover := c.removing(w, i); remover != nil {
		u.deleted = true
		c.replace(m, w, g, i)
		c.skipAll(i)
		if o.Strict {
			u.remover = remover
		}
		return
	}
	if u.remover != nil {
		u.deleted = before
		c.skipAll(i)
		return
	}
	for _, s := range c.groups {
		s.judgeRow(w, i)
	}
}

// replace puts all values of row i in the place of what the row is.
func (c *chooser) replace(m *masks, w *window, g group, i int) {
	validity.ClearRange(m.counts, g.from, i)
	validity.Set(m.counts, i)
	validity.Set(m.set, i)
	validity.Set(m.checked, i)
	for _, s := range c.groups {
		s.top = w.staged(i)
	}
}

// removing returns the group that removes the row at version i, nil if none does.
func (c *chooser) removing(w *window, i int) *sequenceGroup {
	if w.kind(i) != kindDelete {
		return nil
	}
	at := w.staged(i)
	for _, s := range c.groups {
		if s.removes && s.applies(at) && s.inOrder(w, at) {
			return s
		}
	}
	return nil
}

// passOver makes version i count for nothing.
func (c *chooser) passOver(m *masks, i int) {
	validity.Clear(m.counts, i)
	c.skipAll(i)
}

// skipAll makes all groups pass over version i.
func (c *chooser) skipAll(i int) {
	for _, s := range c.groups {
		validity.Set(s.skip, i)
	}
}
