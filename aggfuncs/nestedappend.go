package aggfuncs

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// nestedAppend is nested_update without a nested key: lists are joined while the list is shorter than limit.
type nestedAppend struct {
	nested
	limit int
	whole []*equality // of an item
	find  bool        // the group at hand looks for items
}

func newNestedAppend(n nested, o Options) *nestedAppend {
	return &nestedAppend{nested: n, limit: o.limit(), whole: []*equality{newEquality(itemType(n.t), false)}}
}

// Fold is Function.Fold.
func (n *nestedAppend) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := n.fold(g, in, n); err != nil {
		return nil, err
	}
	return n.list(in, mem)
}

// group folds a group.
func (n *nestedAppend) group(steps []step, from int) error {
	n.chain.equalities = n.whole
	n.chain.columns = append(n.chain.columns[:0], n.items)
	n.find = false
	for _, st := range steps {
		n.find = n.find || st&stepRetract != 0
	}
	for i, st := range steps {
		row := from + i
		if st&stepReset != 0 {
			n.acc = accumulator{}
		}
		if st&stepSet != 0 {
			n.acc = n.rowOrNull(row)
		}
		switch null := st&stepNull != 0; {
		case st&stepSkip != 0:
		case st&stepRetract != 0:
			if !null && n.acc.state != accNull {
				n.retract(row)
			}
		case st&stepLate != 0:
			n.late(row)
		case !null:
			n.add(row)
		}
	}
	return nil
}

// length is how many items are accumulated. Those of a row as it is count if they are NULL, too.
func (n *nestedAppend) length() int {
	switch n.acc.state {
	case accRow:
		first, last := n.itemsOf(n.acc.row)
		return int(last - first)
	case accChain:
		return n.chain.size
	}
	return 0
}

// unfold makes the accumulator a chain of the items that are not NULL.
func (n *nestedAppend) unfold() {
	before := n.acc
	n.acc.state = accChain
	if before.state == accChain {
		return
	}
	n.chain.reset()
	if before.state == accRow {
		first, last := n.itemsOf(before.row)
		for item := first; item < last; item++ {
			if !n.items.IsNull(int(item)) {
				n.chain.linkBack(n.node(item))
			}
		}
	}
}

// node makes a node of an item.
func (n *nestedAppend) node(item uint32) int32 {
	k := int32(none)
	if n.find {
		k = n.chain.classOf(item)
	}
	return n.chain.add(k, item, item)
}

// add appends the items of a row while there is room.
func (n *nestedAppend) add(row int) {
	length := n.length()
	if n.acc.state != accNull && length >= n.limit {
		return
	}
	n.unfold()
	room := n.limit - length
	first, last := n.itemsOf(row)
	for item := first; item < last && room > 0; item++ {
		if !n.items.IsNull(int(item)) {
			n.chain.linkBack(n.node(item))
			room--
		}
	}
}

// late begins with the items of a row and appends what is accumulated while there is room.
func (n *nestedAppend) late(row int) {
	if n.acc.state == accNull {
		n.acc = n.rowOrNull(row) // as it is
		return
	}
	first, last := uint32(0), uint32(0)
	if !n.in.IsNull(row) {
		first, last = n.itemsOf(row)
		if int(last-first) >= n.limit {
			n.acc = accumulator{accRow, row}
			return
		}
	}
	n.unfold()
	for drop := n.chain.size - max(n.limit-int(last-first), 0); drop > 0; drop-- {
		n.dropLast()
	}
	for item := last; item > first; item-- {
		if !n.items.IsNull(int(item - 1)) {
			n.chain.linkFront(n.node(item - 1))
		}
	}
}

// dropLast takes the last item out of the order. Its class keeps the node, which has none any more.
func (n *nestedAppend) dropLast() {
	last := n.chain.tail
	n.chain.unlink(last)
	n.chain.nodes[last].class = none
}

// retract takes out all items that are equal to one of a row.
func (n *nestedAppend) retract(row int) {
	n.unfold()
	first, last := n.itemsOf(row)
	for item := first; item < last; item++ {
		if !n.items.IsNull(int(item)) {
			n.removeEqual(item)
		}
	}
}

// removeEqual takes out all items that are equal to one, but for those that have been dropped before.
func (n *nestedAppend) removeEqual(item uint32) {
	k := n.chain.classOf(item)
	x := &n.chain.classes[k]
	for at := x.first; at != none; at = n.chain.nodes[at].twin {
		if n.chain.nodes[at].class == k {
			n.chain.unlink(at)
		}
	}
	x.first, x.last = none, none
}
