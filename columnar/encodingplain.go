package columnar

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// plainValues are the values of one dictionary, staged, and NULL after them.
type plainValues struct {
	g     gatherer // its selection is the dictionary's own scratch
	to    []int32  // the staged row of every value
	bytes []int64  // of every value; nil when all have as many
	most  int64    // bytes of any value
}

// loadPlain is load for rows that are staged as their values.
func (c *dictionary) loadPlain(d arrow.ArrayData, f frame, dict *array.Data) (arrow.ArrayData, error) {
	p, err := c.stagedValues(dict)
	if err != nil {
		return nil, err
	}
	c.sel = grow(c.sel, f.rows)
	p.g.sel = c.sel[:f.rows]
	rows := unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(p.g.sel))), f.rows)
	if err := lookUpAny(c.t.IndexType, rows, bytesOf(d.Buffers(), 1), &f, p.to); err != nil {
		return nil, err
	}
	if f.nulls > 0 {
		for row := range rows {
			if f.isNull(row) {
				rows[row] = int32(len(p.to))
			}
		}
	}
	if err := checkLoaded(p.size(p.g.sel), c.t); err != nil {
		return nil, err
	}
	return p.g.take(c.values.staged, c.mem)
}

// size returns how many bytes the selected values have, or something above maxLoaded.
func (p *plainValues) size(sel []uint32) int64 {
	if int64(len(sel)) <= maxLoaded/p.most {
		return int64(len(sel)) * p.most
	}
	if p.bytes == nil {
		return maxLoaded + 1
	}
	n := int64(0)
	for _, row := range sel {
		if n += p.bytes[row]; n > maxLoaded {
			break
		}
	}
	return n
}

// stagedValues returns the values of a dictionary.
func (c *dictionary) stagedValues(dict *array.Data) (*plainValues, error) {
	if p, ok := c.plain.find(dict); ok {
		return p, nil
	}
	p := &plainValues{most: rowBytes(&c.values.layout)}
	if err := checkLoaded(p.most, c.t); err != nil {
		return nil, err
	}
	var v View
	if dict != nil {
		seen, loaded, err := c.view(dict)
		if err != nil {
			return nil, err
		}
		defer loaded.Release()
		v = seen
		p.g.add(&v)
		p.measure(&v)
	}
	p.g.add(nullRows(c.values.layout, 1))
	if err := p.g.stage(c.t, c.values.layout); err != nil {
		return nil, err
	}
	p.g.forget()
	c.plain.add(dict, p, p.g.staged.Bytes()+4*int64(len(p.to))+8*int64(len(p.bytes)))
	return p, nil
}

// measure notes how many bytes the values have.
func (p *plainValues) measure(v *View) {
	p.to = make([]int32, v.Rows)
	for row := range p.to {
		p.to[row] = int32(row)
	}
	if !varies(&v.Layout) {
		return
	}
	p.bytes = make([]int64, v.Rows+1)
	p.bytes[v.Rows] = p.most // of NULL
	for row := range v.Rows {
		p.bytes[row] = weight(v, row, row+1)
		p.most = max(p.most, p.bytes[row])
	}
}

// varies says whether the values of a layout have text or items, any number of them.
func varies(l *Layout) bool {
	switch l.Form {
	case FormText32, FormText64, FormList32, FormList64:
		return true
	}
	for i := range l.Children {
		if varies(&l.Children[i]) {
			return true
		}
	}
	return false
}
