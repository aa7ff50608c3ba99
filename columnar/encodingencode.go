package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// Encode returns the rows of d, an array of the key type, as an array of the output type: values that were computed, and never
// loaded, are put down as the column has them. The limits of Finish hold. The caller releases the result.
func (e *Encoding) Encode(d arrow.ArrayData) (arrow.ArrayData, error) {
	staged, err := e.rows.encode(d)
	if err != nil {
		return nil, err
	}
	defer staged.Release()
	return e.rows.finish(staged)
}

// encode makes an array of the staged type of one of the key type. The caller releases it.
func (l *level) encode(d arrow.ArrayData) (arrow.ArrayData, error) {
	if l.codec == nil {
		d.Retain()
		return d, nil
	}
	return l.codec.encode(d)
}

func (c *dictionary) encode(d arrow.ArrayData) (arrow.ArrayData, error) {
	values, err := c.values.encode(d)
	if err != nil || c.table == nil {
		return values, err
	}
	defer values.Release()
	v, err := NewView(values)
	if err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	c.mu.Lock()
	numbers, err := c.table.numbers(&v)
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	out := NewBuffer(c.mem, 4*len(numbers))
	rows := castSlice[int32](out.Bytes())
	copy(rows, numbers)
	valid := nullsToo(Validity{}, rows, c.mem)
	defer valid.Release()
	return newData(arrow.PrimitiveTypes.Int32, len(rows), valid, nil, out), nil
}

func (r *runEnds) encode(d arrow.ArrayData) (arrow.ArrayData, error) { return r.values.encode(d) }

func (x *textViews) encode(d arrow.ArrayData) (arrow.ArrayData, error) {
	d.Retain()
	return d, nil
}

func (n *nestedCodec) encode(d arrow.ArrayData) (arrow.ArrayData, error) {
	return n.rebuild(d, n.staged, (*level).encode)
}

func (l *listViews) encode(d arrow.ArrayData) (arrow.ArrayData, error) {
	n := &nestedCodec{children: []*level{l.items}, mem: l.mem}
	if l.wide {
		return rebuildList[int64](n, d, l.staged, (*level).encode)
	}
	return rebuildList[int32](n, d, l.staged, (*level).encode)
}

func (e *extensionCodec) encode(d arrow.ArrayData) (arrow.ArrayData, error) {
	return e.storage.encode(d)
}
