package aggfuncs

import (
	"errors"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// nestedPartial is nested_partial_update: a list of one item a key, whose fields are the newest that are not NULL.
//
// Where a field comes from is a row of the child. Every node has one for each field; where they stand is its value.
type nestedPartial struct {
	nested
	width   int      // fields of an item
	sources []uint32 // by node, then by field
	fresh   []lateNode
	taken   []uint32 // by item of the results, then by field
	column  []uint32
	takers  []taker
}

func newNestedPartialUpdate(f arrow.Field, o Options) (Rule, error) {
	n, err := newNested(f, o)
	if err == nil && len(n.key) == 0 {
		err = errors.New("it needs nested-key")
	}
	if err != nil {
		return Rule{}, err
	}
	width := storage(itemType(f.Type)).(*arrow.StructType).NumFields()
	return Rule{Function: &nestedPartial{nested: n, width: width, takers: make([]taker, width)}}, nil
}

// Fold is Function.Fold.
func (n *nestedPartial) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := g.refuse(&n.options); err != nil {
		return nil, err
	}
	n.sources, n.taken = n.sources[:0], n.taken[:0]
	if err := n.fold(g, in, n); err != nil {
		return nil, err
	}
	return n.build(in, mem)
}

// group folds a group.
func (n *nestedPartial) group(steps []step, from int) error {
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
		switch {
		case st&stepSkip != 0:
		case st&stepLate != 0:
			err = n.late(row)
		case st&stepNull == 0:
			err = n.add(row)
		}
		if err != nil {
			return err
		}
	}
	if n.acc.state == accChain && steps[len(steps)-1]&stepDrop == 0 {
		n.selectNodes()
	}
	return nil
}

// add puts the items of a row.
func (n *nestedPartial) add(row int) error {
	before := n.acc
	n.acc.state = accChain
	if before.state != accChain {
		n.chain.reset()
	}
	if before.state == accRow {
		if err := n.put(before.row, row); err != nil {
			return err
		}
	}
	return n.put(row, row)
}

// put fills the fields of keys with those of a row's items that are not NULL. blamed is the row that errors name.
func (n *nestedPartial) put(row, blamed int) error {
	first, last := n.itemsOf(row)
	for item := first; item < last; item++ {
		ok, err := n.counts(item, blamed)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if node, k := n.chain.first(item); node == none {
			n.chain.linkBack(n.node(k, item))
		} else {
			n.overlay(node, item)
		}
	}
	return nil
}

// node makes a node whose fields all come from one item.
func (n *nestedPartial) node(k int32, item uint32) int32 {
	at := uint32(len(n.sources) / n.width)
	for range n.width {
		n.sources = append(n.sources, item)
	}
	return n.chain.add(k, item, at)
}

// sourcesOf is where the fields of a node come from.
func (n *nestedPartial) sourcesOf(node int32) []uint32 {
	at := int(n.chain.nodes[node].value) * n.width
	return n.sources[at : at+n.width]
}

// overlay lets the fields of an item that are not NULL come from it.
func (n *nestedPartial) overlay(node int32, item uint32) {
	for f, source := range n.sourcesOf(node) {
		if !n.items.Child(f).IsNull(int(item)) {
			source = item
		}
		n.sourcesOf(node)[f] = source
	}
}

// late begins with the items of a row and puts the fields that are accumulated on top.
func (n *nestedPartial) late(row int) error {
	null := n.in.IsNull(row)
	switch held := n.acc; {
	case held.state == accNull:
		n.acc = n.rowOrNull(row) // as it is
		return nil
	case held.state == accRow:
		n.acc = accumulator{state: accChain}
		n.chain.reset()
		if !null {
			if err := n.put(row, row); err != nil {
				return err
			}
		}
		return n.put(held.row, row)
	case null:
		return nil
	}
	n.chain.epoch++
	n.fresh = n.fresh[:0]
	if err := n.meetLate(row); err != nil {
		return err
	}
	for _, x := range slices.Backward(n.fresh) {
		if x.held >= 0 {
			n.keep(x.node, int32(x.held))
		}
		n.chain.orderFront(x.node)
	}
	return nil
}

// keep lets the fields of a node come from where those of another come from that are not NULL.
func (n *nestedPartial) keep(node, held int32) {
	into, from := n.sourcesOf(node), n.sourcesOf(held)
	for f, source := range from {
		if !n.items.Child(f).IsNull(int(source)) {
			into[f] = source
		}
	}
}

// meetLate makes a node of every key of a late row, in order, and takes those that are accumulated out of the order. The new
// nodes have no place there yet.
func (n *nestedPartial) meetLate(row int) error {
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
			n.overlay(node, item)
			continue
		}
		fresh := lateNode{node: n.node(k, item), held: -1}
		if node != none {
			fresh.held = int64(node)
			n.chain.removeFirst(k)
		}
		n.chain.enter(fresh.node)
		n.fresh = append(n.fresh, fresh)
	}
	return nil
}

// selectNodes adds the nodes to the results.
func (n *nestedPartial) selectNodes() {
	n.catchUp()
	for node := n.chain.head; node != none; node = n.chain.nodes[node].next {
		n.sel = append(n.sel, n.chain.nodes[node].key)
		n.taken = append(n.taken, n.sourcesOf(node)...)
	}
	n.acc.state = accSelected
}

// catchUp makes taken agree with sel: items that were selected as they are give all their fields.
func (n *nestedPartial) catchUp() {
	for i := len(n.taken) / n.width; i < len(n.sel); i++ {
		for range n.width {
			n.taken = append(n.taken, n.sel[i])
		}
	}
}

// build makes the array of the results, field by field.
func (n *nestedPartial) build(in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if len(n.sel) == 0 {
		return n.list(in, mem)
	}
	n.catchUp()
	t := itemType(n.t)
	row := storage(t).(*arrow.StructType)
	var fields []arrow.ArrayData
	defer func() {
		for _, d := range fields {
			d.Release()
		}
	}()
	for f := range n.width {
		n.column = n.column[:0]
		for at := f; at < len(n.taken); at += n.width {
			n.column = append(n.column, n.taken[at])
		}
		d, err := n.takers[f].items(row.Field(f).Type, n.items.Child(f), n.span, n.column, mem)
		if err != nil {
			return nil, err
		}
		fields = append(fields, d)
	}
	valid := n.validItems(mem)
	defer valid.Release()
	return n.around(array.NewData(t, len(n.sel), []*memory.Buffer{valid.Bitmap}, fields, valid.Nulls, 0), mem)
}

// validItems makes the validity of the selected items: those of rows that pass as they are may be NULL.
func (n *nestedPartial) validItems(mem memory.Allocator) columnar.Validity {
	if n.items.NullsIn(n.span.from, n.span.to) == 0 {
		return columnar.Validity{}
	}
	bitmap := columnar.NewBuffer(mem, (len(n.sel)+7)/8)
	valid, nulls := bitmap.Bytes(), 0
	clear(valid)
	for i, item := range n.sel {
		if n.items.IsNull(int(item)) {
			nulls++
		} else {
			valid[i>>3] |= 1 << (i & 7)
		}
	}
	if nulls == 0 {
		bitmap.Release()
		return columnar.Validity{}
	}
	return columnar.Validity{Bitmap: bitmap, Nulls: nulls}
}
