package kernel

import "github.com/braidmerge/braid/simd"

// listPairs puts two changes in the place of every pair whose rows differ, and none in that of the others. The places are marked
// with noRow.
func (c *changes) listPairs(m *merger) error {
	if len(c.pairs) == 0 {
		return nil
	}
	if err := c.comparePairs(m); err != nil {
		return err
	}
	list, pair, same := c.spare[:0], 0, c.live
	for _, x := range c.list {
		if x.row != noRow {
			list = append(list, x)
			continue
		}
		p := c.pairs[pair]
		if len(same) > 0 && int(same[0]) == pair {
			same = same[1:]
		} else {
			list = append(list, c.input(m, p.before, kindUpdateBefore), c.output(int32(p.after), kindUpdateAfter))
		}
		pair++
	}
	c.list, c.spare = list, c.list
	return nil
}

// comparePairs leaves the pairs in live whose rows are equal, column by column: those that differ in one are not looked at in the
// next.
func (c *changes) comparePairs(m *merger) error {
	c.live = c.live[:0]
	if c.compared == nil {
		return nil
	}
	for i := range c.pairs {
		c.live = append(c.live, uint32(i))
	}
	for _, column := range c.compared {
		if len(c.live) == 0 {
			return nil
		}
		c.ask = c.ask[:0]
		for _, pair := range c.live {
			c.ask = append(c.ask, c.pairs[pair].before)
		}
		for _, pair := range c.live {
			c.ask = append(c.ask, uint32(c.start)+c.pairs[pair].after)
		}
		v, err := m.columns.gather(m.in.at(m.output[column.at].place), c.shape(m, column.at), c.ask)
		if err != nil {
			return err
		}
		c.same = column.equality.Same(c.same[:0], v, len(c.live))
		m.columns.folds.in.Release()
		simd.Take(c.live[:len(c.same)], c.live, c.same)
		c.live = c.live[:len(c.same)]
	}
	return nil
}
