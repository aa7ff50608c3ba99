package columnar

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// distinct is a table of distinct values, numbered as they came. Values are the same when their bytes are. Those of nested
// types are told apart by their bytes written one after another, and kept as an array beside.
type distinct struct {
	t      arrow.DataType
	layout Layout
	mem    memory.Allocator

	count  int
	seed   maphash.Seed
	slots  []uint32 // a value's number and 1, in the slot its hash says or one of the next; 0 for none
	hashes []uint32 // of the values

	data    growing         // the bytes of the values, a byte for a bool
	off     growing         // their offsets, for text of 32 bits, for nested values of 64
	nested  arrow.ArrayData // values of a nested type; nil when there are none
	scratch []byte          // a nested value written down
}

func newDistinct(t arrow.DataType, layout Layout, mem memory.Allocator) *distinct {
	d := &distinct{t: t, layout: layout, mem: mem, seed: maphash.MakeSeed(), slots: make([]uint32, 16)}
	d.off.append(mem, make([]byte, d.offsetBytes()))
	return d
}

// offsetBytes returns how wide an offset is, 0 for values that need none.
func (d *distinct) offsetBytes() int {
	switch d.layout.Form {
	case FormNull, FormBits, FormFixed:
		return 0
	case FormText32:
		return 4
	}
	return 8
}

// isNested says whether the values of a layout have children.
func isNested(l *Layout) bool { return l.Form >= FormList32 }

// numbers returns the numbers of the rows of a view, -1 for NULL. New values are added.
func (d *distinct) numbers(v *View) ([]int32, error) {
	numbers := make([]int32, v.Rows)
	g := gatherers.Get().(*gatherer)
	defer g.free()
	g.sel = g.sel[:0]
	for row := range numbers {
		if v.IsNull(row) {
			numbers[row] = -1
			continue
		}
		before := d.count
		n, err := d.number(d.key(v, row))
		if err != nil {
			return nil, err
		}
		if numbers[row] = n; d.count > before {
			g.sel = append(g.sel, uint32(row))
		}
	}
	if isNested(&d.layout) && len(g.sel) > 0 {
		return numbers, d.addNested(g, v)
	}
	return numbers, nil
}

var bools = [2][]byte{{0}, {1}}

// key returns the bytes of a value, good until the next call.
func (d *distinct) key(v *View, row int) []byte {
	switch d.layout.Form {
	case FormBits:
		if v.Bool(row) {
			return bools[1]
		}
		return bools[0]
	case FormFixed, FormText32, FormText64:
		return v.Text(row)
	}
	d.scratch = appendValue(d.scratch[:0], v, row)
	return d.scratch
}

// number returns the number of a value, the next one when it is new.
func (d *distinct) number(key []byte) (int32, error) {
	hash := uint32(maphash.Bytes(d.seed, key))
	mask := uint32(len(d.slots) - 1)
	slot := hash & mask
	for ; d.slots[slot] != 0; slot = (slot + 1) & mask {
		n := d.slots[slot] - 1
		if d.hashes[n] == hash && bytes.Equal(d.at(int(n)), key) {
			return int32(n), nil
		}
	}
	if d.count == math.MaxInt32 || d.offsetBytes() == 4 && d.data.n+len(key) > math.MaxInt32 {
		return 0, fmt.Errorf("%w: a dictionary of more than %d values of %d bytes of type %s", ErrTooLarge, d.count, d.data.n, d.t)
	}
	d.slots[slot] = uint32(d.count + 1)
	d.hashes = append(d.hashes, hash)
	d.add(key)
	if 2*d.count > len(d.slots) {
		d.rehash()
	}
	return int32(d.count - 1), nil
}

// add puts the bytes of a new value behind those of the others.
func (d *distinct) add(key []byte) {
	d.data.append(d.mem, key)
	d.count++
	var end [8]byte
	switch width := d.offsetBytes(); width {
	case 4:
		binary.NativeEndian.PutUint32(end[:], uint32(d.data.n))
		d.off.append(d.mem, end[:width])
	case 8:
		binary.NativeEndian.PutUint64(end[:], uint64(d.data.n))
		d.off.append(d.mem, end[:width])
	}
}

// at returns the bytes of a value.
func (d *distinct) at(n int) []byte {
	all := d.data.bytes()
	switch d.offsetBytes() {
	case 4:
		off := castSlice[int32](d.off.bytes())
		return all[off[n]:off[n+1]]
	case 8:
		off := castSlice[int64](d.off.bytes())
		return all[off[n]:off[n+1]]
	}
	width := max(d.layout.Width, 1)
	return all[n*width : (n+1)*width]
}

func (d *distinct) rehash() {
	d.slots = make([]uint32, 2*len(d.slots))
	mask := uint32(len(d.slots) - 1)
	for n, hash := range d.hashes {
		slot := hash & mask
		for d.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		d.slots[slot] = uint32(n + 1)
	}
}

// addNested appends the rows of a view that g has selected to the nested values.
func (d *distinct) addNested(g *gatherer, v *View) error {
	old := 0
	if d.nested != nil {
		before, err := NewView(d.nested)
		if err != nil {
			return err
		}
		g.add(&before)
		old = before.Rows
	}
	g.add(v)
	if err := g.stage(d.t, d.layout); err != nil {
		return err
	}
	added := len(g.sel)
	g.sel = append(g.sel, make([]uint32, old)...)
	copy(g.sel[old:], g.sel[:added])
	for i := range g.sel {
		if i < old {
			g.sel[i] = uint32(i)
		} else {
			g.sel[i] += uint32(old)
		}
	}
	all, err := g.take(d.t, d.mem)
	if err != nil {
		return err
	}
	if d.nested != nil {
		d.nested.Release()
	}
	d.nested = all
	return nil
}

// values returns all values as an array, which shares their bytes. The caller releases it.
func (d *distinct) values() (arrow.ArrayData, error) {
	none := Validity{}
	switch d.layout.Form {
	case FormNull:
		return array.NewData(d.t, 0, []*memory.Buffer{nil}, nil, 0, 0), nil
	case FormBits:
		bits := NewBuffer(d.mem, (d.count+7)/8)
		clear(bits.Bytes())
		for i, b := range d.data.bytes() {
			bits.Bytes()[i/8] |= b << (i % 8)
		}
		return newData(d.t, d.count, none, nil, bits), nil
	case FormFixed:
		return newData(d.t, d.count, none, nil, d.data.share()), nil
	case FormText32, FormText64:
		return newData(d.t, d.count, none, nil, d.off.share(), d.data.share()), nil
	}
	if d.nested == nil {
		var empty Staged
		if err := empty.Stage(d.layout, &Shape{}); err != nil {
			return nil, err
		}
		return empty.Take(d.t, nil, none, d.mem)
	}
	d.nested.Retain()
	return d.nested, nil
}

// size returns how much memory the table has.
func (d *distinct) size() int64 {
	n := int64(4*cap(d.slots)+4*cap(d.hashes)+cap(d.scratch)) + d.data.size() + d.off.size()
	if d.nested != nil {
		n += int64(d.nested.SizeInBytes())
	}
	return n
}

func (d *distinct) release() {
	d.data.release()
	d.off.release()
	if d.nested != nil {
		d.nested.Release()
	}
}
