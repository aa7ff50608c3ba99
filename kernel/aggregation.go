package kernel

import "github.com/braidmerge/braid/validity"

// aggregate sets what retracts mean to the engine aggregation (docs/semantics.md, "Aggregation"): functions take them back, but
// for a -D that removes the record.
func (c *chooser) aggregate(m *masks, w *window) {
	clear(m.skip)
	clear(m.checked)
	for i, r := range m.retract {
		if lone := r & c.alone(m, i); !c.keepDeletes {
			m.counts[i] &^= lone
			m.number[i] &^= lone
		}
	}
	if !c.plan.options.RemoveRecordOnDelete {
		return
	}
	for at := validity.Next(m.retract, 0); at >= 0; {
		g := groupAt(m, at)
		if !c.passes(m, g) {
			c.result(m, g, c.removeAggregate(m, w, g))
		}
		at = validity.Next(m.retract, g.to)
	}
}

// removeAggregate lets every -D of a key put its values in the place of what is accumulated, and says whether the result is a
// -D. By default the rows after it build on these; strict, retracts after it mean nothing and the next add begins anew.
func (c *chooser) removeAggregate(m *masks, w *window, g group) (dead bool) {
	strict := c.plan.options.Strict
	for i := g.from; i < g.to; i++ {
		switch kind := w.kind(i); {
		case kind == kindDelete:
			dead = true
			validity.Set(m.set, i)
			validity.Set(m.skip, i)
			validity.Set(m.checked, i)
		case dead && strict && isRetract(kind):
			validity.Set(m.skip, i)
		default:
			if dead && strict {
				validity.Set(m.forget, i)
			}
			dead = false
		}
	}
	return dead
}
