package aggfuncs

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// keyTime is merge_map_with_keytime: a map of rows of which, key by key, the one with the greater time stays. Times are text
// and compare as bytes. A NULL row takes its key out; a row without a time does nothing.
type keyTime struct {
	mapLists
	field int     // of the rows: the time
	blank []int32 // nodes that were made of entries without a row or a time
	held  []heldKey
}

// heldKey is a key and the first of its nodes, which the others follow as twins.
type heldKey struct{ class, first int32 }

func newMergeMapWithKeyTime(f arrow.Field, o Options) (Rule, error) {
	t, ok := mapType(f)
	if !ok {
		return Rule{}, errors.New("it works on maps only")
	}
	row, ok := storage(t.ItemType()).(*arrow.StructType)
	if !ok || row.NumFields() < 2 {
		return Rule{}, errors.New("it works on maps of rows of two fields or more only")
	}
	at := row.NumFields() - 1
	if o.TimestampField != "" {
		if at, ok = row.FieldIdx(o.TimestampField); !ok {
			return Rule{}, fmt.Errorf("ts-field: the rows have no field %q, only %s", o.TimestampField, fieldNames(row))
		}
	}
	if time := row.Field(at); !isText(time) {
		return Rule{}, fmt.Errorf("ts-field: field %q of the rows is of type %s, not text", time.Name, tableType(time))
	}
	return Rule{Function: &keyTime{mapLists: newMapLists(f, t, o), field: at}}, nil
}

// fieldNames lists the fields of a row type.
func fieldNames(t *arrow.StructType) string {
	names := make([]string, t.NumFields())
	for i, f := range t.Fields() {
		names[i] = fmt.Sprintf("%q", f.Name)
	}
	return strings.Join(names, ", ")
}

// Fold is Function.Fold.
func (m *keyTime) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := g.refuse(&m.options); err != nil {
		return nil, err
	}
	if err := m.fold(g, in, m); err != nil {
		return nil, err
	}
	return m.build(in, mem)
}

// group folds a group.
func (m *keyTime) group(steps []step, from int) error {
	m.seeKeys()
	for i, st := range steps {
		row := from + i
		if st&stepReset != 0 {
			m.acc = accumulator{}
		}
		if st&stepSet != 0 {
			m.acc = m.rowOrNull(row)
		}
		switch {
		case st&(stepSkip|stepNull) != 0:
		case m.acc.state == accNull:
			m.acc = accumulator{accRow, row} // as it is
		case st&stepLate != 0:
			m.late(row)
		default:
			m.add(row)
		}
	}
	return nil
}

// add puts the entries of a row.
func (m *keyTime) add(row int) {
	m.unfold()
	first, last := m.itemsOf(row)
	for entry := first; entry < last; entry++ {
		m.put(entry)
	}
}

// unfold makes the accumulator a chain.
func (m *keyTime) unfold() {
	if m.acc.state == accChain {
		return
	}
	m.blank = m.blank[:0]
	m.open(true)
	for n := m.chain.head; n != none; n = m.chain.nodes[n].next {
		if m.isBlank(m.chain.nodes[n].value) {
			m.blank = append(m.blank, n)
		}
	}
}

// isBlank says whether an entry has no row or no time.
func (m *keyTime) isBlank(entry uint32) bool {
	rows := m.items.Child(1)
	return rows.IsNull(int(entry)) || rows.Child(m.field).IsNull(int(entry))
}

// newer says whether the row of an entry takes the place of another.
func (m *keyTime) newer(entry, held uint32) bool {
	times := m.items.Child(1).Child(m.field)
	return m.isBlank(held) || bytes.Compare(times.Text(int(entry)), times.Text(int(held))) > 0
}

// put puts an entry, or takes its key out.
func (m *keyTime) put(entry uint32) {
	n, k := m.chain.first(entry)
	switch {
	case m.items.Child(1).IsNull(int(entry)):
		if n != none {
			m.chain.removeFirst(k)
		}
	case m.isBlank(entry):
	case n == none:
		m.chain.linkBack(m.chain.add(k, entry, entry))
	case m.newer(entry, m.chain.nodes[n].value):
		m.chain.nodes[n].value = entry
	}
}

// late begins with the entries of a row as they are and puts what is accumulated on top. Only the keys that the row has, that
// have twins or that have an entry without a row or a time come to anything else than they were, before or behind others:
//
//	accumulated   a b a' c      a' is newer than a
//	the row       c' d c"       c is newer than c'
//	before        c' d c" a b a' c
//	after         c  d c" a' b
func (m *keyTime) late(row int) {
	m.unfold()
	m.chain.epoch++
	m.held = m.held[:0]
	for _, k := range m.chain.twins {
		m.hold(k)
	}
	for _, n := range m.blank {
		m.hold(m.chain.nodes[n].class)
	}
	first, last := m.itemsOf(row)
	for entry := first; entry < last; entry++ {
		m.hold(m.chain.classOf(entry))
	}
	m.chain.twins, m.blank = m.chain.twins[:0], m.blank[:0]
	for entry := last; entry > first; entry-- {
		m.chain.pushFront(entry - 1)
		if m.isBlank(entry - 1) {
			m.blank = append(m.blank, int32(len(m.chain.nodes)-1))
		}
	}
	for _, h := range m.held {
		for n := h.first; n != none; {
			twin := m.chain.nodes[n].twin
			m.putHeld(h.class, n)
			n = twin
		}
	}
}

// hold takes the nodes of a key out of their class, where they stay in the order.
func (m *keyTime) hold(k int32) {
	if x := &m.chain.classes[k]; !m.chain.met(k) && x.first != none {
		m.held = append(m.held, heldKey{k, x.first})
		x.first, x.last = none, none
	}
}

// putHeld puts a node that has been held. It stays in its place if its key is new, or leaves the order.
func (m *keyTime) putHeld(k, n int32) {
	entry, first := m.chain.nodes[n].value, m.chain.classes[k].first
	switch {
	case m.items.Child(1).IsNull(int(entry)):
		if first != none {
			m.chain.removeFirst(k)
		}
	case m.isBlank(entry):
	case first == none:
		m.chain.nodes[n].twin = none
		m.chain.enter(n)
		return
	case m.newer(entry, m.chain.nodes[first].value):
		m.chain.nodes[first].value = entry
	}
	m.chain.unlink(n)
}
