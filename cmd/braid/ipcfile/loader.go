package ipcfile

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// dictionaries are the dictionaries read so far, by number.
type dictionaries map[int64]arrow.ArrayData

func (d dictionaries) release() {
	for _, data := range d {
		data.Release()
	}
	clear(d)
}

// loader makes arrays of the nodes and buffers of one message, which come in the order of the fields, each before its
// children.
type loader struct {
	header
	body         body
	unpack       *unpacker
	dictionaries dictionaries
}

// record makes the record batch of the message, of the columns that are not skipped: those of the schema.
func (l *loader) record(schema *arrow.Schema, columns []*column, skipped []bool) (arrow.Record, error) {
	arrays := make([]arrow.Array, 0, len(columns))
	defer func() {
		for _, a := range arrays {
			a.Release()
		}
	}()
	for i, c := range columns {
		if skipped != nil && skipped[i] {
			if err := l.skip(c); err != nil {
				return nil, err
			}
			continue
		}
		a, err := l.array(c, l.rows)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", schema.Field(len(arrays)).Name, err)
		}
		arrays = append(arrays, a)
	}
	return array.NewRecord(schema, arrays, l.rows), nil
}

// array makes the array of a column, which must have this many rows.
func (l *loader) array(c *column, rows int64) (arrow.Array, error) {
	data, err := l.load(c)
	if err != nil {
		return nil, err
	}
	defer data.Release()
	if int64(data.Len()) != rows {
		return nil, corrupt("%d values in a batch of %d rows", data.Len(), rows)
	}
	if err := validate(c.dt, data); err != nil {
		return nil, err
	}
	return array.MakeFromData(data), nil
}

// load takes the nodes and buffers of a column and its children. What they hold is not checked.
func (l *loader) load(c *column) (arrow.ArrayData, error) {
	if len(l.nodes) == 0 {
		return nil, corrupt("there are fewer arrays than fields")
	}
	n := l.nodes[0]
	l.nodes = l.nodes[1:]
	if storage(c.dt).ID() == arrow.NULL {
		return array.NewData(c.dt, int(n.length), []*memory.Buffer{nil}, nil, int(n.length), 0), nil
	}
	buffers, err := l.loadBuffers(storage(c.dt), n)
	defer releaseBuffers(buffers)
	if err != nil {
		return nil, err
	}
	children, err := l.loadChildren(c)
	defer releaseData(children)
	if err != nil {
		return nil, err
	}
	if c.values == nil {
		return array.NewData(c.dt, int(n.length), buffers, children, int(n.nulls), 0), nil
	}
	dictionary, ok := l.dictionaries[c.dictionary].(*array.Data)
	if !ok {
		return nil, corrupt("dictionary %d is missing", c.dictionary)
	}
	return array.NewDataWithDictionary(c.dt, int(n.length), buffers, int(n.nulls), 0, dictionary), nil
}

// loadBuffers takes the buffers of an array of type dt. They are the caller's to release, after an error too.
func (l *loader) loadBuffers(dt arrow.DataType, n node) ([]*memory.Buffer, error) {
	var buffers []*memory.Buffer
	if _, ok := dt.(arrow.UnionType); ok {
		if l.old {
			return nil, corrupt("unions from before version 1.0 of the format are not read")
		}
		buffers = append(buffers, nil) // in place of a validity bitmap, which unions do not have
	}
	layout := dt.Layout()
	for i, spec := range layout.Buffers {
		switch {
		case spec.Kind == arrow.KindAlwaysNull:
			buffers = append(buffers, nil)
			continue
		case len(l.buffers) == 0:
			return buffers, corrupt("there are fewer buffers than fields need")
		case i == 0 && spec.Kind == arrow.KindBitmap && n.nulls == 0:
			// Whatever is there, no value is NULL.
			l.buffers = l.buffers[1:]
			buffers = append(buffers, nil)
			continue
		}
		buffer, err := l.loadBuffer()
		if err != nil {
			return buffers, err
		}
		buffers = append(buffers, buffer)
	}
	if layout.VariadicSpec == nil {
		return buffers, nil
	}
	return l.loadVariadic(buffers)
}

// loadVariadic adds the data buffers of an array of views.
func (l *loader) loadVariadic(buffers []*memory.Buffer) ([]*memory.Buffer, error) {
	if len(l.variadic) == 0 || l.variadic[0] > int64(len(l.buffers)) {
		return buffers, corrupt("there are fewer buffers than views need")
	}
	count := l.variadic[0]
	l.variadic = l.variadic[1:]
	for range count {
		buffer, err := l.loadBuffer()
		if err != nil {
			return buffers, err
		}
		buffers = append(buffers, buffer)
	}
	return buffers, nil
}

// loadBuffer takes the next buffer, of which there must be one.
func (l *loader) loadBuffer() (*memory.Buffer, error) {
	at := l.buffers[0]
	l.buffers = l.buffers[1:]
	bytes := l.body.bytes[at.offset : at.offset+at.length]
	return l.unpack.buffer(l.codec, bytes, l.body.owner)
}

// loadChildren takes the children of a column. They are the caller's to release, after an error too.
func (l *loader) loadChildren(c *column) ([]arrow.ArrayData, error) {
	var children []arrow.ArrayData
	for _, child := range c.children {
		data, err := l.load(child)
		if err != nil {
			return children, err
		}
		children = append(children, data)
	}
	return children, nil
}

// skip passes over the nodes and buffers of a column and its children.
func (l *loader) skip(c *column) error {
	dt := storage(c.dt)
	layout := dt.Layout()
	count := 0
	for _, spec := range layout.Buffers {
		if spec.Kind != arrow.KindAlwaysNull {
			count++
		}
	}
	if layout.VariadicSpec != nil {
		if len(l.variadic) == 0 {
			return corrupt("there are fewer buffers than views need")
		}
		count += int(l.variadic[0])
		l.variadic = l.variadic[1:]
	}
	if len(l.nodes) == 0 || len(l.buffers) < count {
		return corrupt("there are fewer arrays than fields")
	}
	l.nodes, l.buffers = l.nodes[1:], l.buffers[count:]
	for _, child := range c.children {
		if err := l.skip(child); err != nil {
			return err
		}
	}
	return nil
}

func releaseBuffers(buffers []*memory.Buffer) {
	for _, buffer := range buffers {
		if buffer != nil {
			buffer.Release()
		}
	}
}

func releaseData(data []arrow.ArrayData) {
	for _, d := range data {
		d.Release()
	}
}
