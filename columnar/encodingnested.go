package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// nestedCodec is the codec of lists, maps and structs with a child that needs work.
type nestedCodec struct {
	staged, out arrow.DataType
	layout      Layout
	children    []*level
	mem         memory.Allocator
}

func (c *compiler) nested(t arrow.DataType) (*level, error) {
	n := &nestedCodec{mem: c.mem}
	identity := true
	var staged, out []arrow.DataType
	for _, child := range childTypes(t) {
		l, err := c.level(child)
		if err != nil {
			return nil, fmt.Errorf("in %s: %w", t.Name(), err)
		}
		identity = identity && l.codec == nil
		n.children = append(n.children, l)
		staged, out = append(staged, l.staged), append(out, l.out)
	}
	if identity {
		return c.identity(t)
	}
	n.staged, n.out = retyped(t, staged), retyped(t, out)
	l, err := c.converted(t, n.staged, n.out, n)
	if err != nil {
		return nil, err
	}
	n.layout, l.maxRows = l.layout, n.maxRows(l)
	return l, nil
}

func (n *nestedCodec) maxRows(l *level) int {
	rows := l.maxRows
	switch l.layout.Form {
	case FormFixedList:
		rows = n.children[0].maxRows / l.layout.Width
	case FormStruct:
		for _, child := range n.children {
			rows = min(rows, child.maxRows)
		}
	}
	return rows
}

func (n *nestedCodec) load(d arrow.ArrayData) (arrow.ArrayData, error) {
	return n.rebuild(d, n.staged, (*level).load)
}

func (n *nestedCodec) finish(d arrow.ArrayData) (arrow.ArrayData, error) {
	return n.rebuild(d, n.out, (*level).finish)
}

// rebuild makes an array of type t out of the children that convert makes of those of d.
func (n *nestedCodec) rebuild(d arrow.ArrayData, t arrow.DataType, convert conversion) (arrow.ArrayData, error) {
	switch n.layout.Form {
	case FormList32:
		return rebuildList[int32](n, d, t, convert)
	case FormList64:
		return rebuildList[int64](n, d, t, convert)
	case FormFixedList:
		return n.rebuildRows(d, t, convert, n.layout.Width)
	}
	return n.rebuildRows(d, t, convert, 1)
}

// conversion is one of the two directions of a level.
type conversion func(*level, arrow.ArrayData) (arrow.ArrayData, error)

func rebuildList[O int32 | int64](n *nestedCodec, d arrow.ArrayData, t arrow.DataType, convert conversion) (arrow.ArrayData, error) {
	l, err := listsOf[O](d)
	if err != nil {
		return nil, err
	}
	used := l.used()
	defer used.Release()
	items, err := convert(n.children[0], used)
	if err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	valid := l.validity(n.mem)
	defer valid.Release()
	return newData(t, l.rows, valid, []arrow.ArrayData{items}, l.offsets(n.mem)), nil
}

// rebuildRows is rebuild for structs and lists of one length, where each row has width rows of every child.
func (n *nestedCodec) rebuildRows(d arrow.ArrayData, t arrow.DataType, convert conversion, width int) (arrow.ArrayData, error) {
	f, err := frameOf(d)
	if err != nil {
		return nil, err
	}
	children, err := childrenOf(d, len(n.children))
	if err != nil {
		return nil, err
	}
	converted := make([]arrow.ArrayData, 0, len(children))
	for i, child := range children {
		c, err := n.rebuildRange(i, child, convert, f, width)
		if err != nil {
			releaseAll(converted)
			return nil, fmt.Errorf("child %d: %w", i, err)
		}
		converted = append(converted, c)
	}
	valid := f.validity(n.mem)
	defer valid.Release()
	return newData(t, f.rows, valid, converted), nil
}

func (n *nestedCodec) rebuildRange(i int, child arrow.ArrayData, convert conversion, f frame, width int) (arrow.ArrayData, error) {
	if child.Len()/width < f.at+f.rows {
		return nil, fmt.Errorf("%w: %d rows for %d rows of %d", ErrCorrupt, child.Len(), f.at+f.rows, width)
	}
	rows := rowsOf(child, f.at*width, (f.at+f.rows)*width)
	defer rows.Release()
	return convert(n.children[i], rows)
}
