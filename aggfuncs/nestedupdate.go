package aggfuncs

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// nestedUpdate is nested_update with a nested key: a list of one item a key, the newest. Items of new keys come in while the
// list is shorter than limit.
type nestedUpdate struct {
	nested
	limit int
	fresh []lateNode // scratch
}

// lateNode is the node of a key that a late row has, and the item that is accumulated for the key, if there is one.
type lateNode struct {
	node int32
	held int64 // -1: none
}

func newNestedUpdate(f arrow.Field, o Options) (Rule, error) {
	n, err := newNested(f, o)
	if err != nil {
		return Rule{}, err
	}
	if len(n.key) == 0 {
		return Rule{Function: newNestedAppend(n, o)}, nil
	}
	return Rule{Function: &nestedUpdate{nested: n, limit: o.limit()}}, nil
}

// Fold is Function.Fold.
func (n *nestedUpdate) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := n.fold(g, in, n); err != nil {
		return nil, err
	}
	return n.list(in, mem)
}

// group folds a group.
func (n *nestedUpdate) group(steps []step, from int) error {
	n.seeKeys()
	for i, st := range steps {
		row := from + i
		if st&stepReset != 0 {
			n.acc = accumulator{}
		}
		if st&stepSet != 0 {
			n.acc = n.rowOrNull(row)
		}
		var err error
		switch null := st&stepNull != 0; {
		case st&stepSkip != 0:
		case st&stepRetract != 0:
			if !null && n.acc.state != accNull {
				err = n.retract(row)
			}
		case st&stepLate != 0:
			err = n.late(row)
		case !null:
			err = n.add(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// putRule says how items are put.
type putRule struct {
	latter  bool // of equal keys the latter item stays, else the newer one
	limited bool // new keys come in only while there is room
}

// unfold makes the accumulator a chain. The items of a row that is accumulated as it is are put by a rule.
func (n *nestedUpdate) unfold(row int, rule putRule) error {
	before := n.acc
	if n.acc.state != accChain {
		n.chain.reset()
	}
	n.acc.state = accChain
	if before.state != accRow {
		return nil
	}
	return n.put(before.row, row, rule)
}

// put puts the items of a row. blamed is the row that errors name.
func (n *nestedUpdate) put(row, blamed int, rule putRule) error {
	first, last := n.itemsOf(row)
	for item := first; item < last; item++ {
		ok, err := n.counts(item, blamed)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		switch node, k := n.chain.first(item); {
		case node == none:
			if !rule.limited || n.chain.size < n.limit {
				n.chain.linkBack(n.chain.add(k, item, item))
			}
		case rule.latter || n.newer(item, n.chain.nodes[node].key):
			n.chain.nodes[node].key = item
		}
	}
	return nil
}

// add puts the items of a row.
func (n *nestedUpdate) add(row int) error {
	if err := n.unfold(row, putRule{}); err != nil {
		return err
	}
	return n.put(row, row, putRule{limited: true})
}

// retract takes out the keys of a row, whatever the other fields of its items.
func (n *nestedUpdate) retract(row int) error {
	if err := n.unfold(row, putRule{latter: true}); err != nil {
		return err
	}
	first, last := n.itemsOf(row)
	for item := first; item < last; item++ {
		ok, err := n.counts(item, row)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if node, k := n.chain.first(item); node != none {
			n.chain.removeFirst(k)
		}
	}
	return nil
}

// late begins with the items of a row, without a limit, and puts what is accumulated on top, within it.
func (n *nestedUpdate) late(row int) error {
	switch {
	case n.acc.state == accNull:
		n.acc = n.rowOrNull(row) // as it is
		return nil
	case n.acc.state == accRow:
		return n.lateRow(row)
	}
	n.chain.epoch++
	n.fresh = n.fresh[:0]
	if !n.in.IsNull(row) {
		if err := n.meetLate(row); err != nil {
			return err
		}
	}
	for i := len(n.fresh) - 1; i >= 0; i-- {
		x := n.fresh[i]
		if item := &n.chain.nodes[x.node].key; x.held >= 0 && n.newer(uint32(x.held), *item) {
			*item = uint32(x.held)
		}
		n.chain.orderFront(x.node)
	}
	for n.chain.size > max(n.limit, len(n.fresh)) {
		n.chain.popBack()
	}
	return nil
}

// lateRow is late where a row is accumulated as it is.
func (n *nestedUpdate) lateRow(row int) error {
	held := n.acc.row
	n.chain.reset()
	n.acc.state = accChain
	if !n.in.IsNull(row) {
		if err := n.put(row, row, putRule{}); err != nil {
			return err
		}
	}
	return n.put(held, row, putRule{limited: true})
}

// meetLate makes a node of every key of a late row, in order, and takes those that are accumulated out of the order. The new
// nodes have no place there yet.
func (n *nestedUpdate) meetLate(row int) error {
	first, last := n.itemsOf(row)
	for item := first; item < last; item++ {
		ok, err := n.counts(item, row)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		node, k := n.chain.first(item)
		if n.chain.met(k) {
			if held := &n.chain.nodes[node].key; n.newer(item, *held) {
				*held = item
			}
			continue
		}
		fresh := lateNode{node: n.chain.add(k, item, item), held: -1}
		if node != none {
			fresh.held = int64(n.chain.nodes[node].key)
			n.chain.removeFirst(k)
		}
		n.chain.enter(fresh.node)
		n.fresh = append(n.fresh, fresh)
	}
	return nil
}
