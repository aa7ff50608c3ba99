package aggfuncs

import (
	"errors"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// collect joins lists. With distinct it keeps one of equal items: among all items for plain ones; for items that are nested or
// binary, what is accumulated stays as it is and only new items are compared with it.
type collect struct {
	lists
	distinct bool
	trusting bool // items are nested or binary
	binary   bool
	reverse  bool // late rows are put before what is accumulated; else they are added like others
}

func newCollect(f arrow.Field, o Options) (Rule, error) {
	t, ok := storage(f.Type).(arrow.ListLikeType)
	if !ok || root(tableType(f)) != "ARRAY" || t.ID() != arrow.LIST && t.ID() != arrow.LARGE_LIST {
		return Rule{}, errors.New("it works on arrays only")
	}
	item := t.ElemField()
	c := &collect{
		lists:    lists{t: f.Type, options: o},
		distinct: o.Distinct,
		binary:   isBinary(item),
		reverse:  o.IgnoreRetract,
	}
	c.trusting = c.binary || isNested(item.Type)
	c.chain.equalities = []*equality{newEquality(item.Type, false)}
	return Rule{Function: c}, nil
}

// Fold is Function.Fold.
func (c *collect) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := c.fold(g, in, c); err != nil {
		return nil, err
	}
	return c.list(in, mem)
}

// group folds a group.
func (c *collect) group(steps []step, from int) error {
	if !c.distinct && c.onlyAppends(steps) {
		c.join(steps, from)
		return nil
	}
	c.chain.columns = append(c.chain.columns[:0], c.items)
	for i, st := range steps {
		row := from + i
		if st&stepReset != 0 {
			c.acc = accumulator{}
		}
		if st&stepSet != 0 {
			c.acc = c.rowOrNull(row)
		}
		switch {
		case st&stepSkip != 0:
		case st&stepRetract != 0:
			c.retract(row)
		case st&stepLate != 0 && c.reverse:
			c.late(row)
		default:
			c.add(row)
		}
	}
	return nil
}

// onlyAppends says whether the rows of a group only add to the end.
func (c *collect) onlyAppends(steps []step) bool {
	all := step(0)
	for _, st := range steps {
		all |= st
	}
	if !c.reverse {
		all &^= stepLate
	}
	return all&(stepRetract|stepLate|stepSet|stepReset) == 0
}

// join puts the items of a group's rows one after another, without a look at them.
func (c *collect) join(steps []step, from int) {
	for i, st := range steps {
		if st&(stepSkip|stepNull) == 0 {
			c.selectRow(from + i)
			c.acc.state = accSelected
		}
	}
}

// open makes the accumulator a chain. The items are found by their keys if hashed is set.
func (l *lists) open(hashed bool) {
	switch l.acc.state {
	case accNull:
		l.chain.reset()
	case accRow:
		l.chain.reset()
		first, last := l.itemsOf(l.acc.row)
		for item := first; item < last; item++ {
			if hashed {
				l.chain.pushBack(item)
			} else {
				l.chain.pushPlain(item)
			}
		}
	}
	l.acc.state = accChain
}

// add adds the items of a row behind the others.
func (c *collect) add(row int) {
	null := c.in.IsNull(row)
	switch {
	case null && (c.acc.state == accNull || !c.distinct || c.trusting):
		return
	case !c.distinct && c.acc.state == accNull:
		c.acc = accumulator{accRow, row}
		return
	}
	c.open(true)
	if c.distinct && !c.trusting {
		c.chain.unify(false)
	}
	if null {
		return
	}
	first, last := c.itemsOf(row)
	for item := first; item < last; item++ {
		if n, k := c.chain.first(item); n == none || !c.distinct {
			c.chain.linkBack(c.chain.add(k, item, item))
		}
	}
}

// late puts the items of a row before the others. Of equal items the first counts, now those of the row.
func (c *collect) late(row int) {
	null := c.in.IsNull(row)
	switch {
	case null && (c.acc.state == accNull || !c.distinct):
		return
	case !c.distinct && c.acc.state == accNull:
		c.acc = accumulator{accRow, row}
		return
	}
	c.open(true)
	if c.distinct {
		c.chain.unify(false)
	}
	if null {
		return
	}
	first, last := c.itemsOf(row)
	if c.distinct && c.trusting {
		for item := first; item < last; item++ {
			c.chain.removeAll(c.chain.classOf(item))
		}
	}
	for item := last; item > first; item-- {
		_, k := c.chain.first(item - 1)
		if c.distinct && !c.trusting {
			c.chain.removeAll(k)
		}
		c.chain.linkFront(c.chain.add(k, item-1, item-1))
	}
}

// retract takes out, for each item of a row, the first equal one. Bytes are equal to no bytes where items are not distinct:
// only NULL is found again.
func (c *collect) retract(row int) {
	if c.acc.state == accNull || c.in.IsNull(row) {
		return
	}
	c.open(true)
	first, last := c.itemsOf(row)
	for item := first; item < last; item++ {
		if c.binary && !c.distinct && !c.items.IsNull(int(item)) {
			continue
		}
		if n, k := c.chain.first(item); n != none {
			c.chain.removeFirst(k)
		}
	}
}
