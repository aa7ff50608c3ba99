package aggfuncs

import (
	"errors"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"github.com/braidmerge/braid/columnar"
)

// mapLists is what the functions of maps have in common: keys and values are selected apart, so that a key keeps its place and
// its bytes when its value changes.
type mapLists struct {
	lists
	valueTaker taker
}

func newMapLists(f arrow.Field, t *arrow.MapType, o Options) mapLists {
	m := mapLists{lists: lists{t: f.Type, options: o, paired: true}}
	m.chain.equalities = []*equality{newEquality(t.KeyType(), false)}
	return m
}

// mapType is the type of a map column. ok is false for any other.
func mapType(f arrow.Field) (t *arrow.MapType, ok bool) {
	t, ok = storage(f.Type).(*arrow.MapType)
	return t, ok && root(tableType(f)) == "MAP"
}

// build makes the array of the results.
func (m *mapLists) build(in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if len(m.sel) == 0 {
		return m.list(in, mem)
	}
	entry := itemType(m.t).(*arrow.StructType)
	n := len(m.sel)
	keys, err := m.taker.items(entry.Field(0).Type, m.items.Child(0), m.span, m.sel, mem)
	if err != nil {
		return nil, err
	}
	defer keys.Release()
	values, err := m.valueTaker.items(entry.Field(1).Type, m.items.Child(1), m.span, m.values, mem)
	if err != nil {
		return nil, err
	}
	defer values.Release()
	return m.around(array.NewData(entry, n, []*memory.Buffer{nil}, []arrow.ArrayData{keys, values}, 0, 0), mem)
}

// mergeMap is merge_map: the entries of both maps, with the newer value where both have a key.
type mergeMap struct {
	mapLists
	kept []keptValue // scratch
}

// keptValue is the value that a key of the accumulator has.
type keptValue struct {
	class int32
	value uint32
}

func newMergeMap(f arrow.Field, o Options) (Rule, error) {
	t, ok := mapType(f)
	if !ok {
		return Rule{}, errors.New("it works on maps only")
	}
	return Rule{Function: &mergeMap{mapLists: newMapLists(f, t, o)}}, nil
}

// Fold is Function.Fold.
func (m *mergeMap) Fold(g *Groups, in *columnar.View, mem memory.Allocator) (arrow.ArrayData, error) {
	if err := m.fold(g, in, m); err != nil {
		return nil, err
	}
	return m.build(in, mem)
}

// group folds a group.
func (m *mergeMap) group(steps []step, from int) error {
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
		case st&stepRetract != 0:
			m.retract(row)
		case m.acc.state == accNull:
			m.acc = accumulator{accRow, row}
		case st&stepLate != 0:
			m.late(row)
		default:
			m.add(row)
		}
	}
	return nil
}

// seeKeys makes the chain look at the keys of the entries. A window without entries has none.
func (m *mapLists) seeKeys() {
	m.chain.columns = m.chain.columns[:0]
	if m.items.NumChildren() > 0 {
		m.chain.columns = append(m.chain.columns, m.items.Child(0))
	}
}

// add puts the entries of a row in the place of equal keys, or at the end.
func (m *mergeMap) add(row int) {
	m.open(true)
	first, last := m.itemsOf(row)
	for entry := first; entry < last; entry++ {
		n, k := m.chain.first(entry)
		if n == none {
			m.chain.linkBack(m.chain.add(k, entry, entry))
		} else {
			m.chain.nodes[n].value = entry
		}
	}
}

// late puts the entries of a row before the others. A key that is there already keeps its value and takes the new place.
func (m *mergeMap) late(row int) {
	m.open(true)
	m.chain.unify(true)
	m.kept = m.kept[:0]
	first, last := m.itemsOf(row)
	for entry := first; entry < last; entry++ {
		if n, k := m.chain.first(entry); n != none {
			m.kept = append(m.kept, keptValue{k, m.chain.nodes[n].value})
			m.chain.removeFirst(k)
		}
	}
	for entry := last; entry > first; entry-- {
		m.chain.pushFront(entry - 1)
	}
	for _, kept := range m.kept {
		m.chain.nodes[m.chain.classes[kept.class].first].value = kept.value
	}
}

// retract takes out the keys of a row, whatever their values.
func (m *mergeMap) retract(row int) {
	if m.acc.state == accNull {
		return
	}
	m.open(true)
	first, last := m.itemsOf(row)
	for entry := first; entry < last; entry++ {
		if n, k := m.chain.first(entry); n != none {
			m.chain.removeFirst(k)
		}
	}
}
